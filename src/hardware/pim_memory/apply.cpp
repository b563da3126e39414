#include "hardware/pim_memory/apply.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "hardware/hbm_pim/product.h"
#include "hardware/integer_math.h"
#include "hardware/newton/counts.h"
#include "hardware/pim_memory/channel.h"

namespace pimsweep::hardware::pim_memory {

namespace {

constexpr std::int64_t element_bytes = 2;

double ratio(std::int64_t now, std::int64_t before) { return static_cast<double>(now) / static_cast<double>(before); }

/// Clocks of at least this time. A quotient that is a whole number but for rounding stays that number.
std::int64_t clocks_of(double seconds, double clock) {
  constexpr double rounding = 1e-9;
  return static_cast<std::int64_t>(std::ceil(seconds * clock * (1 - rounding)));
}

/// Clocks between columns of `clocks`, or more where a multiplication of `joules` in each channel would draw more than
/// `watts`.
std::int64_t limited(std::int64_t clocks, double joules, double clock, double watts) {
  constexpr double max_clocks = 1e6;
  if (watts == 0) return clocks;
  const double seconds = joules / watts;
  if (seconds * clock > max_clocks) {
    throw PointError(
        fmt::format("a power limit of {:g} W for a channel of PIM, whose multiplication in all banks takes "
                    "{:g} J, allows less than one in {:g} clocks",
                    watts, joules, max_clocks));
  }
  return std::max(clocks, clocks_of(seconds, clock));
}

void put_on(const Channel& channel, newton::Dram& dram) {
  const dram::Timing& t = channel.timing;
  const double by_row = ratio(channel.row_bytes(), element_bytes * dram.row_elements());
  const double by_column = ratio(channel.organization.access_bytes, element_bytes * dram.lanes);
  for (double newton::Energy::*energy :
       {&newton::Energy::precharge_bank, &newton::Energy::activate_bank, &newton::Energy::row_read})
    dram.energy.*energy *= by_row;
  for (double newton::Energy::*energy :
       {&newton::Energy::gwrite, &newton::Energy::readres, &newton::Energy::buffer_read})
    dram.energy.*energy *= by_column;
  dram.clock = channel.clock;
  dram.nBL = t.nBL;
  dram.nCCD = t.nCCDL;
  dram.nCL = t.nCL;
  dram.nRCD = t.nRCDRD;
  dram.nRP = channel.precharge();
  dram.nRAS = t.nRAS;
  dram.nRC = t.nRC;
  dram.nFAW = channel.four_rows();
  dram.nRTP = t.nRTP;
  dram.nRFC = t.nRFC;
  dram.nREFI = t.nREFI;
  dram.banks = channel.organization.all_banks();
  dram.banks_per_activation = std::min(dram.banks, window_rows * channel.organization.domains);
  dram.columns = channel.organization.columns;
  dram.lanes = channel.organization.access_bytes / element_bytes;
  if (dram.columns > newton::max_columns) {
    throw PointError(fmt::format("rows of the memory have {} accesses; global buffers of Newton hold at most {}",
                                 dram.columns, newton::max_columns));
  }
}

void put_on(const Channel& channel, aim::Device& device) {
  const dram::Timing& t = channel.timing;
  aim::Timing& timing = device.timing;
  const auto same_time = [&](std::int64_t clocks) {
    return clocks_of(static_cast<double>(clocks) / device.clock, channel.clock);
  };
  timing = {.nCCD = t.nCCDL,
            .pipeline = same_time(timing.pipeline),
            .nRCD = t.nRCDRD + same_time(timing.pipeline),
            .nRP = channel.precharge(),
            .nRAS = t.nRAS,
            .nRTP = t.nRTP,
            .opening = channel.opening(),
            .mode_change = same_time(timing.mode_change),
            .bias = same_time(timing.bias),
            .result = same_time(timing.result),
            .nREFI = t.nREFI,
            .nRFC = t.nRFC};
  device.power.activate *= ratio(channel.row_bytes(), element_bytes * device.row_elements);
  const double by_column = ratio(channel.organization.access_bytes, element_bytes * device.lanes);
  const double by_columns = by_column * ratio(channel.organization.all_banks(), device.banks);
  device.power.multiply *= by_columns;
  device.power.read *= by_column;
  device.power.write *= by_column;
  device.power.column_bits *= by_column;
  device.clock = channel.clock;
  device.banks = channel.organization.all_banks();
  device.lanes = channel.organization.access_bytes / element_bytes;
  device.row_elements = channel.organization.columns * device.lanes;
}

void put_on(const Channel& channel, hbm_pim::Device& device) {
  const dram::Timing& t = channel.timing;
  device.timing = {.nRL = t.nCL,
                   .nWL = t.nCWL,
                   .nBL = t.nBL,
                   .nCCDL = t.nCCDL,
                   .nCCDS = t.nCCDS,
                   .nRCDRD = t.nRCDRD,
                   .nRCDWR = t.nRCDWR,
                   .nRP = channel.precharge(),
                   .nRRDS = std::max(t.nRRDS, ceil_div(channel.four_rows(), window_rows)),
                   .opening = channel.opening(),
                   .nRTP = t.nRTP,
                   .nWR = t.nWR,
                   .nWTR = t.nWTRL,
                   .nRTRS = channel.read_to_write - (t.nCL + t.nBL - t.nCWL),
                   .nREFI = t.nREFI,
                   .nRFC = t.nRFC};
  device.clock = channel.clock;
  device.units = std::max<std::int64_t>(1, device.units * channel.domain_banks() / device.banks);
  device.banks = channel.domain_banks();
  device.lanes = channel.organization.access_bytes / element_bytes;
  device.row_bursts = channel.organization.columns;
}

void put_on(const Channel& channel, std::int64_t stack_channels, attention_pim::Placement placement,
            attention_pim::Device& device) {
  const dram::Timing& t = channel.timing;
  const auto column_bytes = [&] { return device.channels * device.units(placement) * device.column_bytes; };
  const double power_time = static_cast<double>(device.nMAC_power_limit) / device.clock;
  const std::int64_t before = column_bytes();
  if (stack_channels > 0) device.channels = stack_channels;
  device.clock = channel.clock;
  device.pseudo_channels = channel.organization.domains;
  device.bank_groups = channel.organization.groups;
  device.banks = channel.organization.banks;
  device.columns = channel.organization.columns;
  device.column_bytes = channel.organization.access_bytes;
  device.nBL = t.nBL;
  device.nCCDS = t.nCCDS;
  device.nCCDL = t.nCCDL;
  device.nMAC = t.nCCDL;
  device.nRCD = t.nRCDRD;
  device.nRP = channel.precharge();
  device.nRAS = t.nRAS;
  device.nRTP = t.nRTP;
  device.nFAW = channel.four_rows();
  device.nRFC = t.nRFC;
  device.nREFI = t.nREFI;
  device.nMAC_power_limit = std::max(device.nMAC, clocks_of(power_time * ratio(column_bytes(), before), channel.clock));
}

}  // namespace

void apply(const Conditions& conditions, std::int64_t channels, newton::Dram& dram) {
  if (conditions.has_memory()) put_on(Channel(conditions), dram);
  dram.nREFI /= conditions.refresh_rate;
  dram.nCCD = limited(dram.nCCD, newton::energy({.comp = 1}, dram), dram.clock,
                      conditions.power_limit / static_cast<double>(channels));
}

void apply(const Conditions& conditions, aim::Device& device) {
  if (conditions.has_memory()) put_on(Channel(conditions), device);
  device.timing.nREFI /= conditions.refresh_rate;
  device.timing.nCCD = limited(device.timing.nCCD, device.power.multiply, device.clock,
                               conditions.power_limit / static_cast<double>(device.channels));
}

void apply(const Conditions& conditions, hbm_pim::Device& device) {
  if (conditions.has_memory()) put_on(Channel(conditions), device);
  device.timing.nREFI /= conditions.refresh_rate;
  device.timing.nCCDL = limited(device.timing.nCCDL, hbm_pim::multiplication_energy(device), device.clock,
                                conditions.power_limit / static_cast<double>(device.channels));
}

void apply(const Conditions& conditions, attention_pim::Placement placement, attention_pim::Device& device) {
  if (conditions.has_memory()) put_on(Channel(conditions), conditions.stack_channels, placement, device);
  device.nREFI /= conditions.refresh_rate;
  if (conditions.power_limit == 0) return;
  const auto bytes = static_cast<double>(device.units(placement) * device.column_bytes);
  const double joules = bytes * (device.cell_energy(placement) + device.energy.multiply / element_bytes);
  device.nMAC_power_limit =
      limited(device.nMAC, joules, device.clock, conditions.power_limit / static_cast<double>(device.channels));
}

}  // namespace pimsweep::hardware::pim_memory
