#include "systems/devices/hbm_pim_axes.h"

#include <fmt/format.h>

#include <optional>

namespace pimsweep::systems::devices {

void add_hbm_pim_axes(AxisList& axes, std::string_view prefix, hardware::hbm_pim::Device& device, bool optional) {
  const auto name = [&](const char* key) { return fmt::format("hardware.{}{}", prefix, key); };
  const auto otherwise = [&](double value) {
    return optional ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
  };
  const auto number = [&](std::int64_t& place, const char* key, const char* doc, double min = 1) {
    axes.count(place, name(key), min, 1 << 16, doc, otherwise(min));
  };
  const auto clocks = [&](std::int64_t& place, const char* key, const char* doc, double min = 0) {
    axes.count(place, name(key), min, 1e6, doc, otherwise(min), "cycle");
  };
  axes.quantity(device.clock, name("clock"), "Hz", 1e3, 1e12, "command clock of HBM-PIM",
                optional ? std::optional(1e9) : std::nullopt);
  number(device.channels, "channels", "channels of all HBM-PIM stacks");
  number(device.banks, "banks", "banks of a channel", 2);
  number(device.units, "units", "units of a channel, each at two banks");
  number(device.lanes, "lanes", "16-bit multipliers of a unit, which are the elements of a burst");
  number(device.input_registers, "input_registers", "bursts of inputs that a unit holds");
  number(device.result_registers, "result_registers", "bursts of results that a unit holds");
  number(device.row_bursts, "row_bursts", "bursts of a row");
  hardware::hbm_pim::Timing& timing = device.timing;
  clocks(timing.nRL, "timing.nRL", "cycles from a read to its data (RL)");
  clocks(timing.nWL, "timing.nWL", "cycles from a write to its data (WL)");
  clocks(timing.nBL, "timing.nBL", "cycles of a data burst (BL / 2)");
  clocks(timing.nCCDL, "timing.nCCDL", "cycles between column accesses of one bank group (tCCD_L)", 1);
  clocks(timing.nCCDS, "timing.nCCDS", "cycles between column accesses of different bank groups (tCCD_S)", 1);
  clocks(timing.nRCDRD, "timing.nRCDRD", "cycles from opening a row to a read (tRCDRD)");
  clocks(timing.nRCDWR, "timing.nRCDWR", "cycles from opening a row to a write (tRCDWR)");
  clocks(timing.nRP, "timing.nRP", "cycles from a precharge to the next row (tRP)");
  clocks(timing.nRRDS, "timing.nRRDS", "cycles between rows of different bank groups (tRRD_S)");
  clocks(timing.nRTP, "timing.nRTP", "cycles from a read to the precharge (tRTP_L)");
  clocks(timing.nWR, "timing.nWR", "cycles from the end of written data to the precharge (tWR)");
  clocks(timing.nWTR, "timing.nWTR", "cycles from the end of written data to a read (tWTR_L)");
  clocks(timing.nRTRS, "timing.nRTRS", "cycles between data of a read and of a write (tRTRS)");
  clocks(timing.nREFI, "timing.nREFI", "cycles between two refreshes (tREFI)", 1);
  clocks(timing.nRFC, "timing.nRFC", "cycles of a refresh (tRFC)");
  const auto energy = [&](double& place, const char* key, const char* unit, const char* doc) {
    axes.quantity(place, name(key), unit, 0, 1, doc, 0);
  };
  hardware::hbm_pim::Energy& joules = device.energy;
  energy(joules.cells, "energy.cells", "J/B", "energy of a byte from the cells of HBM-PIM to its multipliers");
  energy(joules.writes, "energy.writes", "J/B",
         "energy of a byte of inputs or results that is written to the banks of HBM-PIM");
  energy(joules.multiply, "energy.multiply", "J", "energy of a multiplication of HBM-PIM");
}

}  // namespace pimsweep::systems::devices
