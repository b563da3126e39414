#include "systems/llm/step/cent/layout.h"

#include <fmt/format.h>

#include "hardware/integer_math.h"

namespace pimsweep::systems::llm::step::cent {

using hardware::ceil_div;

std::string layout_obstacle(const Shape& shape, const Machine& machine, Mapping mapping, std::int64_t tensor_parallel) {
  if (shape.heads % shape.kv_heads != 0) {
    return fmt::format("{} heads of queries do not share {} heads of keys evenly", shape.heads, shape.kv_heads);
  }
  if (machine.aim.banks < 4 || machine.aim.registers < 2) {
    return fmt::format("blocks need at least 4 banks with 2 registers, not {} with {}", machine.aim.banks,
                       machine.aim.registers);
  }
  if (machine.aim.row_elements % shape.head_size != 0 || shape.head_size % machine.aim.banks != 0) {
    return fmt::format("heads of {} elements do not fill rows of {} and {} banks", shape.head_size,
                       machine.aim.row_elements, machine.aim.banks);
  }
  if (machine.link.lanes < machine.devices) {
    return fmt::format("{} lanes of the CXL switch for {} devices: each needs one", machine.link.lanes,
                       machine.devices);
  }
  if (mapping == Mapping::tensor) {
    if (tensor_parallel > 0 && machine.devices % tensor_parallel == 0) return {};
    return fmt::format("groups of {} do not divide {} devices", tensor_parallel, machine.devices);
  }
  const std::int64_t blocks = ceil_div(shape.blocks, machine.devices);
  if (blocks <= machine.aim.channels) return {};
  return fmt::format("{} blocks for the {} channels of a device", blocks, machine.aim.channels);
}

Layout layout_of(const Shape& shape, const Machine& machine, Mapping mapping, std::int64_t tensor_parallel) {
  Layout layout{.mapping = mapping};
  if (mapping == Mapping::pipeline) {
    layout.stages = shape.blocks;
    layout.blocks_of_device = ceil_div(shape.blocks, machine.devices);
    layout.used_devices = ceil_div(shape.blocks, layout.blocks_of_device);
  } else {
    layout.stages = machine.devices / tensor_parallel;
    layout.devices_of_block = tensor_parallel;
    layout.used_devices = machine.devices;
  }
  layout.channels = machine.aim.channels / layout.blocks_of_device;
  layout.side_by_side = machine.aim.channels / layout.channels;
  layout.banks = machine.aim.banks * layout.channels;
  layout.all_banks = layout.banks * layout.devices_of_block;
  return layout;
}

double device_bytes(const Shape& shape, const Layout& layout, std::int64_t context) {
  constexpr double element = 2;
  const auto devices = static_cast<double>(layout.devices_of_block);
  const auto hidden = static_cast<double>(shape.hidden);
  const auto key_size = static_cast<double>(shape.key_size());
  const double weights =
      hidden * (2 * static_cast<double>(shape.query_size()) + 2 * key_size + 3 * static_cast<double>(shape.ffn));
  const double tokens = static_cast<double>(layout.stages) * static_cast<double>(context);
  const double block = weights / devices + tokens * key_size * (1 + 1 / devices);
  const std::int64_t blocks =
      layout.mapping == Mapping::pipeline ? layout.blocks_of_device : ceil_div(shape.blocks, layout.stages);
  return element * static_cast<double>(blocks) * block;
}

Spread spread(const Machine& machine, const Layout& layout, std::int64_t elements, std::int64_t share) {
  Spread result;
  result.length = ceil_div(share * elements, layout.banks);
  result.parts = ceil_div(elements, result.length);
  result.columns = ceil_div(result.length, machine.aim.lanes);
  return result;
}

}  // namespace pimsweep::systems::llm::step::cent
