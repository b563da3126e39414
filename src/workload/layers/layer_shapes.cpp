#include <fmt/format.h>

#include <algorithm>

#include "workload/layers/layer_rules.h"
#include "workload/layers/layer_type.h"

namespace pimsweep::workload::layers {

namespace {

Value make_tokens(std::int64_t rows, std::int64_t channels) { return {Value::Form::tokens, rows, 1, channels}; }

Value make_map(const Extent& map, std::int64_t channels) { return {Value::Form::map, map.height, map.width, channels}; }

bool is_vector_of(const Value& value, std::int64_t channels) { return !value.is_map() && value.channels == channels; }

/// A bound on repeated concatenations.
constexpr std::int64_t max_joined_channels = std::int64_t{1} << 20;

std::string unequal(const Value& first, const Value& second) {
  if (first.form != second.form) {
    return "one of its inputs is a map and another is not; \"tokens\" makes tokens of a map";
  }
  return fmt::format("its inputs have {} and {} channels", first.channels, second.channels);
}

}  // namespace

std::string shape_of(const Value& value) {
  return value.is_map() ? fmt::format("{} x {} x {}", value.height, value.width, value.channels)
                        : fmt::format("{} x {}", value.height, value.channels);
}

Value window_shape(const Layer& layer, Values inputs) {
  const std::int64_t channels = layer.outputs > 0 ? layer.outputs : inputs[0].channels;
  return make_map(layer.window.output(inputs[0].map()), channels);
}

Value transposed_shape(const Layer& layer, Values inputs) {
  const ConvolutionWindow& window = layer.window;
  const Value& in = inputs[0];
  if (layer.same) return make_map({in.height * window.stride, in.width * window.stride}, layer.outputs);
  return make_map({(in.height - 1) * window.stride + window.kernel.height - 2 * window.padding.height,
                   (in.width - 1) * window.stride + window.kernel.width - 2 * window.padding.width},
                  layer.outputs);
}

Value global_pool_shape(const Layer&, Values inputs) { return make_tokens(1, inputs[0].channels); }

Value linear_shape(const Layer& layer, Values inputs) { return make_tokens(inputs[0].height, layer.outputs); }

Value flatten_shape(const Layer&, Values) { return make_tokens(1, 0); }

Value reshape_shape(const Layer& layer, Values) { return make_map(layer.window.kernel, layer.outputs); }

Value tokens_shape(const Layer&, Values inputs) {
  // Sides are bounded, and so is their product.
  return make_tokens(inputs[0].height * inputs[0].width, inputs[0].channels);
}

Value class_token_shape(const Layer&, Values inputs) { return make_tokens(inputs[0].height + 1, inputs[0].channels); }

Value upsample_shape(const Layer& layer, Values inputs) {
  return make_map({inputs[0].height * layer.scale, inputs[0].width * layer.scale}, inputs[0].channels);
}

Value concat_shape(const Layer&, Values inputs) {
  Value joined = inputs[0];
  for (const Value& more : inputs.subspan(1)) joined.channels += more.channels;
  return joined;
}

Value slice_shape(const Layer& layer, Values inputs) {
  Value part = inputs[0];
  part.channels = layer.outputs;
  return part;
}

Value input_shape(const Layer& layer, Values) { return make_tokens(layer.rows, layer.outputs); }

std::string groups_misfit(const Layer& layer, Values inputs) {
  const std::int64_t groups = layer.window.groups;
  if (inputs[0].channels % groups == 0 && layer.outputs % groups == 0) return {};
  return fmt::format("{} groups do not divide {} input channels and {} output channels", groups, inputs[0].channels,
                     layer.outputs);
}

std::string attention_misfit(const Layer& layer, Values inputs) {
  if (inputs[0].channels % layer.heads != 0) {
    return fmt::format("{} heads do not divide {} channels", layer.heads, inputs[0].channels);
  }
  if (layer.kv_heads > 0 && layer.heads % layer.kv_heads != 0) {
    return fmt::format("{} key-value heads do not divide {} heads", layer.kv_heads, layer.heads);
  }
  return {};
}

std::string embedding_misfit(const Layer&, Values inputs) {
  if (inputs[0].channels == 1) return {};
  return fmt::format("it looks up one row for each token, but its tokens have {} channels", inputs[0].channels);
}

std::string slice_misfit(const Layer& layer, Values inputs) {
  if (layer.outputs <= inputs[0].channels) return {};
  return fmt::format("it takes {} of {} channels", layer.outputs, inputs[0].channels);
}

std::string add_misfit(const Layer&, Values inputs) {
  const bool equal = inputs[0].form == inputs[1].form && inputs[0].channels == inputs[1].channels;
  return equal ? "" : unequal(inputs[0], inputs[1]);
}

std::string multiply_misfit(const Layer& layer, Values inputs) {
  return is_vector_of(inputs[1], inputs[0].channels) ? "" : add_misfit(layer, inputs);
}

std::string concat_misfit(const Layer&, Values inputs) {
  std::int64_t channels = 0;
  for (const Value& value : inputs) channels += value.channels;
  if (channels > max_joined_channels) return fmt::format("it joins more than {} channels", max_joined_channels);
  const auto other =
      std::find_if(inputs.begin(), inputs.end(), [&](const Value& value) { return value.form != inputs[0].form; });
  return other == inputs.end() ? "" : unequal(inputs[0], *other);
}

Fit equal_sizes(const Layer&, Values inputs) {
  const bool equal =
      std::all_of(inputs.begin(), inputs.end(), [&](const Value& value) { return value.has_size_of(inputs[0]); });
  return equal ? Fit::fits : Fit::uneven;
}

Fit equal_sizes_or_factors(const Layer& layer, Values inputs) {
  const bool factors = is_vector_of(inputs[1], inputs[0].channels) && inputs[1].height == 1;
  return factors ? Fit::fits : inputs[0].form == inputs[1].form ? equal_sizes(layer, inputs) : Fit::uneven;
}

Fit equal_elements(const Layer& layer, Values inputs) {
  const Value made = reshape_shape(layer, inputs);
  // In floating point, since the input may be larger than any map that is made.
  const auto elements = [](const Value& value) {
    return static_cast<double>(value.height) * static_cast<double>(value.width) * static_cast<double>(value.channels);
  };
  return elements(made) == elements(inputs[0]) ? Fit::fits : Fit::uneven;
}

Fit enough_rows(const Layer& layer, Values inputs) {
  return inputs[0].height <= layer.rows ? Fit::fits : Fit::too_large;
}

Value shape_after(const Layer& layer, Values inputs) {
  Value value = layer.type->shape == nullptr ? inputs[0] : layer.type->shape(layer, inputs);
  // Sides that are out of bounds remain so, and remain countable.
  const std::int64_t max = layer.type->shape == tokens_shape ? max_side * max_side : max_side + 1;
  value.height = std::clamp<std::int64_t>(value.height, 0, max);
  value.width = std::clamp<std::int64_t>(value.width, 0, max);
  return value;
}

Fit fit_of(const Layer& layer, Values inputs, const Value& output) {
  if (output.height < 1 || output.width < 1) return Fit::too_small;
  if (output.is_map() && (output.height > max_side || output.width > max_side)) return Fit::too_large;
  return layer.type->fit == nullptr ? Fit::fits : layer.type->fit(layer, inputs);
}

}  // namespace pimsweep::workload::layers
