#include "systems/hypar/layer_mapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "base/error.h"
#include "hardware/integer_math.h"
#include "hardware/pe_array/row_stationary.h"

namespace pimsweep::systems::hypar {

namespace {

std::int64_t halved(std::int64_t value, int times) {
  const std::int64_t parts = std::int64_t{1} << times;
  return std::max<std::int64_t>(1, (value + parts - 1) / parts);
}

/// Deals the work out to the units of an accelerator: `image_units` share the images, the rest the output channels.
/// Each part of the images needs all weights, each part of the channels all inputs; of the splits that leave the fewest
/// units idle the one with the fewest words is taken.
void share_units(hardware::pe_array::ConvolutionLayer& part, std::int64_t images, const workload::TrainingNode& layer,
                 std::int64_t units) {
  const std::int64_t channels = part.groups == 1 ? part.out_channels : 1;
  const std::int64_t weight_planes = part.in_channels / part.groups * part.out_channels;
  const double weights = static_cast<double>(weight_planes) * static_cast<double>(part.kernel_h * part.kernel_w);
  const double inputs = static_cast<double>(images) * static_cast<double>(layer.input) *
                        (static_cast<double>(part.in_channels) / static_cast<double>(layer.input_channels));
  auto best = std::pair(std::numeric_limits<double>::infinity(), 0.0);
  std::int64_t image_units = 1;
  for (std::int64_t candidate = 1; candidate <= units; ++candidate) {
    const std::int64_t channel_units = units / candidate;
    if (candidate * channel_units != units) continue;
    const auto idle = static_cast<double>(units - std::min(candidate, images) * std::min(channel_units, channels));
    const double words = static_cast<double>(candidate) * weights + static_cast<double>(channel_units) * inputs;
    const auto cost = std::pair(idle, words);
    if (cost < best) {
      best = cost;
      image_units = candidate;
    }
  }
  part.batch = hardware::ceil_div(images, image_units);
  if (part.groups == 1) part.out_channels = hardware::ceil_div(part.out_channels, units / image_units);
}

}  // namespace

hardware::pe_array::ConvolutionLayer unit_layer(const workload::TrainingNode& layer, std::int64_t batch,
                                                int data_levels, int model_levels, std::int64_t units) {
  hardware::pe_array::ConvolutionLayer part;
  part.kernel_h = layer.window.kernel.height;
  part.kernel_w = layer.window.kernel.width;
  part.stride = layer.window.stride;
  part.padding_h = std::min(layer.window.padding.height, part.kernel_h - 1);
  part.padding_w = std::min(layer.window.padding.width, part.kernel_w - 1);
  part.out_h = layer.product_height;
  part.out_w = layer.product_width;
  // A group's channels stay together: mp deals out groups first.
  const std::int64_t groups = layer.window.groups;
  part.groups = halved(groups, model_levels);
  part.in_channels =
      groups > 1 ? part.groups * (layer.input_channels / groups) : halved(layer.input_channels, model_levels);
  part.out_channels = groups > 1 ? part.groups * (layer.output_channels / groups) : layer.output_channels;
  share_units(part, halved(batch, data_levels), layer, units);
  return part;
}

const MappedLayer& LayerMappings::map(const hardware::pe_array::ConvolutionLayer& layer, const Machine& machine) {
  const Unit unit{machine.units,          machine.pe_rows,
                  machine.pe_cols,        Count::of(std::floor(machine.buffer / machine.word)),
                  machine.pe_input_words, machine.pe_filter_words,
                  machine.pe_psum_words};
  if (!(unit == unit_)) {
    mappings_.clear();
    unit_ = unit;
  }
  const Key key{layer.batch, layer.in_channels, layer.out_channels, layer.groups,    layer.kernel_h, layer.kernel_w,
                layer.out_h, layer.out_w,       layer.stride,       layer.padding_h, layer.padding_w};
  return mappings_.get(key, [&] { return mapped(layer, unit); });
}

MappedLayer LayerMappings::mapped(const hardware::pe_array::ConvolutionLayer& layer, const Unit& unit) {
  const hardware::pe_array::RowStationaryArray array{unit.rows,  unit.cols,   unit.buffer,
                                                     unit.input, unit.filter, unit.psum};
  const hardware::pe_array::TrainingProducts products = hardware::pe_array::training_products(layer);
  const std::array<const hardware::pe_array::ConvolutionProduct*, all_phases.size()> phases{
      &products.forward, &products.backward, &products.gradient};
  const auto units = static_cast<double>(unit.units);
  MappedLayer result;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    try {
      const hardware::pe_array::RowStationaryMapping mapping =
          hardware::pe_array::map_row_stationary(*phases[i], array);
      const auto dram = static_cast<double>(mapping.dram.total());
      result[i] = {static_cast<double>(mapping.cycles), units * (static_cast<double>(mapping.buffer.total()) + dram),
                   units * dram};
    } catch (const std::invalid_argument& error) {
      throw PointError(fmt::format("the processing unit cannot work on a layer of the network: {}", error.what()));
    }
  }
  return result;
}

}  // namespace pimsweep::systems::hypar
