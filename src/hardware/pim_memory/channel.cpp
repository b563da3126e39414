#include "hardware/pim_memory/channel.h"

#include <algorithm>

#include "base/error.h"
#include "hardware/integer_math.h"

namespace pimsweep::hardware::pim_memory {

namespace {

dram::Timing in_slots(const dram::Timing& cycles, std::int64_t slot) {
  dram::Timing slots;
  for (const dram::TimingParameter& parameter : dram::timing_parameters)
    slots.*parameter.value = ceil_div(cycles.*parameter.value, slot);
  slots.nREFI = cycles.nREFI / slot;
  return slots;
}

/// The longest of the rules for a WR after an RD.
std::int64_t read_to_write_cycles(const Conditions& conditions) {
  std::int64_t cycles = 0;
  try {
    for (const dram::Constraint& row : dram::parse_constraints(conditions.rules)->rows) {
      if (row.level == dram::Level::domain && row.after == dram::Command::rd && row.before == dram::Command::wr)
        cycles = std::max(cycles, row.latency(conditions.memory.timing));
    }
  } catch (const InputError& error) {
    throw PointError(error.what());
  }
  return cycles;
}

}  // namespace

Channel::Channel(const Conditions& conditions)
    : clock(1 / (conditions.memory.tCK * static_cast<double>(conditions.memory.commands.grid))),
      timing(in_slots(conditions.memory.timing, conditions.memory.commands.grid)),
      organization(conditions.memory.organization),
      read_to_write(ceil_div(read_to_write_cycles(conditions), conditions.memory.commands.grid)) {}

std::int64_t Channel::precharge() const { return std::max(timing.nRP, timing.nRPab); }

std::int64_t Channel::four_rows() const {
  return timing.nFAW == 0 ? 0 : std::max(timing.nFAW, window_rows * timing.nRRDS);
}

std::int64_t Channel::opening() const { return (ceil_div(domain_banks(), window_rows) - 1) * four_rows(); }

}  // namespace pimsweep::hardware::pim_memory
