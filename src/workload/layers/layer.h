#pragma once

#include <cstdint>
#include <string>

#include "workload/operator_graph.h"

namespace pimsweep::workload::layers {

/// A value passed between layers: a map of height x width positions, or `height` tokens, each with its channels. A
/// vector is one token.
struct Value {
  enum class Form : std::uint8_t { unknown, map, tokens };

  Form form = Form::unknown;
  std::int64_t height = 0;
  std::int64_t width = 1;
  std::int64_t channels = 0;

  bool is_known() const { return form != Form::unknown; }
  bool is_map() const { return form == Form::map; }
  bool has_size_of(const Value& other) const { return height == other.height && width == other.width; }
  Extent map() const { return {height, width}; }
};

/// For messages: "28 x 28 x 64" for a map, "196 x 768" for tokens.
std::string shape_of(const Value& value);

/// Fit of a layer to the sizes of its inputs; `uneven`: the sizes differ, or no whole number of elements results.
enum class Fit : std::uint8_t { too_small, fits, too_large, uneven };

struct LayerType;

/// A layer with all its numbers; each type uses some of them.
struct Layer {
  const LayerType* type = nullptr;
  /// Name within its block; if empty, the graph derives a name from the role.
  std::string name;
  std::string role;
  /// Channels of a map or outputs of a fully connected layer; 0 for layers that keep the number of their input.
  std::int64_t outputs = 0;
  /// Rows of a learned table, or of a further input.
  std::int64_t rows = 1;
  std::int64_t heads = 1;
  /// Key-value heads; 0 for the same number as `heads`.
  std::int64_t kv_heads = 0;
  /// Upsampling factor of height and width.
  std::int64_t scale = 1;
  /// For "reshape", the kernel is the size of the map.
  ConvolutionWindow window;
  /// "pad same" was given.
  bool same = false;
  bool bias = true;
};

}  // namespace pimsweep::workload::layers
