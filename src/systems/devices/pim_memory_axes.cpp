#include "systems/devices/pim_memory_axes.h"

#include <fmt/format.h>

namespace pimsweep::systems::devices {

namespace {

void add_organization(AxisList& axes, hardware::pim_memory::Conditions& conditions) {
  hardware::dram::Organization& o = conditions.memory.organization;
  const auto count = [&](std::int64_t& place, const char* key, double min, double max, const char* doc) {
    axes.count(place, fmt::format("hardware.memory.{}", key), min, max, doc, static_cast<std::int64_t>(min));
  };
  constexpr auto max_banks = static_cast<double>(hardware::dram::max_banks);
  count(o.domains, "organization.pseudochannels", 1, static_cast<double>(hardware::dram::max_domains),
        "pseudo-channels of a channel of PIM's memory");
  count(o.groups, "organization.bankgroups", 1, max_banks, "bank groups of a pseudo-channel of PIM's memory");
  count(o.banks, "organization.banks", 1, max_banks, "banks of a bank group of PIM's memory");
  count(o.columns, "organization.accesses_per_row", 1, 1 << 16, "accesses that a row of PIM's memory holds");
  axes.count(o.access_bytes, "hardware.memory.organization.access", 2, 1 << 16, "data of an access to PIM's memory", 2,
             "B");
  count(conditions.stack_channels, "stack.channels", 0, 1 << 10,
        "channels of a stack of PIM's memory; 0: PIM keeps its number of channels");
}

}  // namespace

void add_pim_memory_axes(AxisList& axes, std::string_view power_limit, hardware::pim_memory::Conditions& conditions) {
  constexpr double max_cycles = 1e6;
  hardware::dram::Dram& memory = conditions.memory;
  axes.count(conditions.refresh_rate, "refresh_rate", 1, 4,
             "number of refreshes of PIM for each interval of the standard: 2 above 85 C", 1)
      .quantity(conditions.power_limit, std::string(power_limit), "W", 0, 1e6,
                "power that the multiplications of a device of PIM may draw in all its channels; 0: no such limit", 0)
      .quantity(memory.tCK, "hardware.memory.clock_period", "s", 0, 1e-6,
                "clock period of PIM's memory (tCK); 0: PIM keeps its own memory", 0)
      .count(memory.commands.grid, "hardware.memory.commands.grid", 1, 2,
             "cycles between commands to PIM's memory: 2 where a cycle is half of CK (HBM3)", 1, "cycle")
      .text(conditions.rules, "hardware.memory.rules", "timing constraints of PIM's memory, as of system dram", "");
  for (const hardware::dram::TimingParameter& parameter : hardware::dram::timing_parameters) {
    axes.count(memory.timing.*parameter.value, fmt::format("hardware.memory.timing.{}", parameter.name),
               static_cast<double>(parameter.min), max_cycles, fmt::format("PIM's memory: {}", parameter.doc),
               parameter.default_value.value_or(parameter.min), "cycle");
  }
  add_organization(axes, conditions);
}

}  // namespace pimsweep::systems::devices
