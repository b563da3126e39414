#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workload/graph_builder.h"
#include "workload/layers/layer.h"
#include "workload/parameter_reader.h"

namespace pimsweep::workload::layers {

/// The largest side of a map that keeps element counts within 64 bits.
constexpr std::int64_t max_side = std::int64_t{1} << 20;

/// A number that a layer needs: "CHANNELS".
struct Number {
  std::string_view what;
  std::string_view meaning;
  Range range;
  std::int64_t Layer::*member;
};

/// All that holds for the layers of one word: grammar, shapes and operators.
struct LayerType {
  std::string_view word;
  OperatorKind kind;
  /// How to write it, without what all layers may have.
  std::string_view usage;
  /// The form of its input, or `unknown` where any will do.
  Value::Form needs = Value::Form::unknown;
  /// "KxK" or "HxW" comes first.
  bool extent = false;
  /// The numbers that follow it.
  std::vector<Number> numbers{};
  /// Named numbers and flags that may come then, in any order.
  std::vector<std::string> options{};
  /// Whether normalization and an activation function may follow in the same text.
  bool takes_norm = false;
  bool takes_function = false;
  std::size_t inputs = 1;
  std::size_t max_inputs = 1;
  /// The shape that it makes of its inputs; null for the shape of the first. A side below 1 tells that a window does
  /// not fit.
  Value (*shape)(const Layer& layer, std::span<const Value> inputs) = nullptr;
  /// Why it does not suit the channels of its inputs, or empty; null where all channels will do.
  std::string (*misfit)(const Layer& layer, std::span<const Value> inputs) = nullptr;
  /// Whether it suits the sizes of its inputs; null where all sizes will do.
  Fit (*fit)(const Layer& layer, std::span<const Value> inputs) = nullptr;
  /// Adds its operators and returns the last; null for an operator of its kind with the shape of its input.
  OperatorId (*append)(GraphBuilder& builder, const Layer& layer, std::span<const OperatorId> inputs) = nullptr;
  /// Whether it consists of several operators, which its name precedes.
  bool is_compound = false;
};

/// The types of all words that a text can begin with.
std::span<const LayerType> layer_types();
/// Null if there is no such word.
const LayerType* find_type(std::string_view word);
/// Joins the positions of a map to one vector, before a fully connected layer.
const LayerType& flatten_type();

/// The shape that a layer makes of its inputs.
Value shape_after(const Layer& layer, std::span<const Value> inputs);
/// Whether a layer suits its inputs, and its output is neither empty nor too large.
Fit fit_of(const Layer& layer, std::span<const Value> inputs, const Value& output);
OperatorId append(GraphBuilder& builder, const Layer& layer, std::span<const OperatorId> inputs);

}  // namespace pimsweep::workload::layers
