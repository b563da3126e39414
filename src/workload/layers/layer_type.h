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

/// Maximum side of a map that keeps element counts within 64 bits.
constexpr std::int64_t max_side = std::int64_t{1} << 20;

/// A required number of a layer: "CHANNELS".
struct Number {
  std::string_view what;
  std::string_view meaning;
  Range range;
  std::int64_t Layer::*member;
};

/// Properties of the layers with one word: grammar, shapes and operators.
struct LayerType {
  std::string_view word;
  OperatorKind kind;
  /// Usage, without the parts that all layers may have.
  std::string_view usage;
  /// The form of its input, or `unknown` if any form is accepted.
  Value::Form needs = Value::Form::unknown;
  /// "KxK" or "HxW" comes first.
  bool extent = false;
  /// The required numbers that follow.
  std::vector<Number> numbers{};
  /// Optional named numbers and flags after those, in any order.
  std::vector<std::string> options{};
  /// Normalization and an activation function may follow in the same text.
  bool takes_norm = false;
  bool takes_function = false;
  std::size_t inputs = 1;
  std::size_t max_inputs = 1;
  /// Output shape for its inputs; nullptr for the shape of the first. A side below 1 means that a window does not fit.
  Value (*shape)(const Layer& layer, std::span<const Value> inputs) = nullptr;
  /// Reason why it does not suit the channels of its inputs, or empty; nullptr if all channels are accepted.
  std::string (*misfit)(const Layer& layer, std::span<const Value> inputs) = nullptr;
  /// Fit to the sizes of its inputs; nullptr if all sizes are accepted.
  Fit (*fit)(const Layer& layer, std::span<const Value> inputs) = nullptr;
  /// Adds its operators and returns the last; nullptr for an operator of its kind with the shape of its input.
  OperatorId (*append)(GraphBuilder& builder, const Layer& layer, std::span<const OperatorId> inputs) = nullptr;
  /// It consists of several operators, whose names its own name precedes.
  bool is_compound = false;
};

/// The types of all words with which a text can begin.
std::span<const LayerType> layer_types();
/// nullptr for an unknown word.
const LayerType* find_type(std::string_view word);
/// Flattens a map to one vector, before a fully connected layer.
const LayerType& flatten_type();

/// Output shape of a layer for its inputs.
Value shape_after(const Layer& layer, std::span<const Value> inputs);
/// Fit of a layer to its inputs; also checks that its output is neither empty nor too large.
Fit fit_of(const Layer& layer, std::span<const Value> inputs, const Value& output);
OperatorId append(GraphBuilder& builder, const Layer& layer, std::span<const OperatorId> inputs);

}  // namespace pimsweep::workload::layers
