#include "workload/layers/network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"

namespace pimsweep::workload::layers {

namespace {

/// The smallest size for which `holds` is true, if it is true for the largest. It must remain true from its first size
/// on.
template <typename Predicate>
std::optional<std::int64_t> first_size(Predicate holds) {
  if (!holds(families::max_image_px)) return std::nullopt;
  std::int64_t low = 0;
  std::int64_t high = families::max_image_px;
  while (high - low > 1) {
    const std::int64_t middle = (low + high) / 2;
    (holds(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

std::string_view NetworkInput::name() const {
  constexpr std::array<std::string_view, 3> names{"image", "tokens", "features"};
  return names[static_cast<std::size_t>(kind)];
}

Value NetworkInput::at(std::int64_t input_size) const {
  if (kind == Kind::image) return {Value::Form::map, input_size, input_size, channels};
  return {Value::Form::tokens, kind == Kind::tokens ? input_size : 1, 1, channels};
}

LayerNetwork::LayerNetwork(Steps steps) : steps_(std::move(steps)) {
  if (steps_.input.kind == NetworkInput::Kind::features) {
    smallest_ = largest_ = 1;
    return;
  }
  // Maps grow with the input, so a layer that fits at one size is never too small at a larger one.
  const auto fit_at = [&](std::int64_t size) {
    const auto misfit = walk(size, true);
    return misfit ? misfit->fit : Fit::fits;
  };
  const auto smallest = first_size([&](std::int64_t size) { return fit_at(size) != Fit::too_small; });
  const auto beyond = first_size([&](std::int64_t size) { return fit_at(size) == Fit::too_large; });
  if (smallest) smallest_ = *smallest;
  if (beyond) largest_ = *beyond - 1;
}

std::optional<Misfit> LayerNetwork::walk(std::int64_t input_size, bool allow_uneven) const {
  std::vector<Value> values{steps_.input.at(input_size)};
  values.reserve(steps_.steps.size());
  std::vector<Value> inputs;
  for (std::size_t i = 1; i < steps_.steps.size(); ++i) {
    const Step& step = steps_.steps[i];
    inputs.clear();
    for (const std::size_t source : step.inputs) inputs.push_back(values[source]);
    values.push_back(shape_after(step.layer, inputs));
    const Fit fit = fit_of(step.layer, inputs, values.back());
    if (fit != Fit::fits && !(fit == Fit::uneven && allow_uneven)) return Misfit{i, fit, inputs};
  }
  return std::nullopt;
}

std::optional<Misfit> LayerNetwork::misfit(std::int64_t input_size) const { return walk(input_size, false); }

std::string LayerNetwork::nearest_sizes(std::int64_t input_size) const {
  constexpr std::int64_t max_distance = 256;
  std::vector<std::string> sizes;
  for (const std::int64_t step : {-1, 1}) {
    for (std::int64_t distance = 1; distance <= max_distance; ++distance) {
      const std::int64_t size = input_size + step * distance;
      if (size < smallest_ || size > largest_) break;
      if (misfit(size)) continue;
      sizes.push_back(std::to_string(size));
      break;
    }
  }
  return sizes.empty() ? "" : fmt::format("; the nearest input sizes that fit: {}", fmt::join(sizes, " and "));
}

OperatorGraph LayerNetwork::graph(std::int64_t input_size) const {
  if (const auto found = misfit(input_size)) {
    const Step& step = steps_.steps[found->step];
    throw PointError(fmt::format("layer \"{}\" at an input size of {}: {}{}", step.sentence->text.text, input_size,
                                 describe(*found, step.layer), nearest_sizes(input_size)));
  }
  GraphBuilder builder;
  const Value input = steps_.input.at(input_size);
  std::vector<std::int64_t> shape{input.height, input.channels};
  if (input.is_map()) shape = {input.height, input.width, input.channels};
  std::vector<OperatorId> outputs{builder.input(std::move(shape), steps_.input.name())};
  outputs.reserve(steps_.steps.size());
  for (std::size_t i = 1; i < steps_.steps.size(); ++i) append_step(builder, i, outputs);
  return builder.take();
}

void LayerNetwork::append_step(GraphBuilder& builder, std::size_t index, std::vector<OperatorId>& outputs) const {
  const Step& step = steps_.steps[index];
  const Layer& layer = step.layer;
  const Place& place = steps_.places[step.place];
  const bool prefixes = layer.type->is_compound && !layer.name.empty();
  builder.enter(place.stage, place.block, prefixes ? place.prefix + layer.name + "." : place.prefix);
  if (!prefixes && !layer.name.empty()) builder.call_next(place.prefix + layer.name);
  std::vector<OperatorId> inputs(step.inputs.size());
  std::transform(step.inputs.begin(), step.inputs.end(), inputs.begin(),
                 [&](std::size_t source) { return outputs[source]; });
  outputs.push_back(append(builder, layer, inputs));
}

std::string describe(const Misfit& misfit, const Layer& layer) {
  std::vector<std::string> shapes;
  for (const Value& value : misfit.inputs) shapes.push_back(shape_of(value));
  if (misfit.fit == Fit::too_large && !misfit.inputs.front().is_map() && misfit.inputs.front().height > layer.rows) {
    return fmt::format("it has {} rows for {} tokens", layer.rows, misfit.inputs.front().height);
  }
  if (misfit.fit != Fit::uneven) return fmt::format("it does not fit its {} input", fmt::join(shapes, " and "));
  if (layer.type->shape != nullptr && shapes.size() == 1) {
    return fmt::format("it cannot make {} of {}", shape_of(layer.type->shape(layer, misfit.inputs)), shapes.front());
  }
  return fmt::format("it joins {}", fmt::join(shapes, " and "));
}

}  // namespace pimsweep::workload::layers
