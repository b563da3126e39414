#include "systems/devices/aim_axes.h"

#include <fmt/format.h>

namespace pimsweep::systems::devices {

namespace {

/// Axes of a device of DRAM with units at its banks.
class PimAxes {
 public:
  PimAxes(AxisList& axes, std::string_view prefix) : axes_(axes), prefix_(prefix) {}

  void clock(double& place) { axes_.quantity(place, key("clock"), "Hz", 1e3, 1e12, "clock of the command bus"); }
  void cycles(std::int64_t& place, std::string_view name, std::int64_t min, const char* doc) {
    /// Clocks beyond any DRAM, but far from where 64 bits would overflow.
    constexpr double max_cycles = 1e6;
    axes_.count(place, key(name), static_cast<double>(min), max_cycles, doc, {}, "cycle");
  }
  void count(std::int64_t& place, std::string_view name, const char* doc) {
    constexpr double most = 1 << 16;
    axes_.count(place, key(name), 1, most, doc);
  }
  void quantity(double& place, std::string_view name, const char* unit, const char* doc) {
    constexpr double most = 1e3;
    axes_.quantity(place, key(name), unit, 0, most, doc);
  }

 private:
  std::string key(std::string_view name) const { return fmt::format("hardware.{}{}", prefix_, name); }

  AxisList& axes_;
  std::string_view prefix_;
};

}  // namespace

void add_aim_axes(AxisList& axes, std::string_view prefix, hardware::aim::Device& device) {
  PimAxes all(axes, prefix);
  all.clock(device.clock);
  all.count(device.channels, "channels", "channels of an AiM device");
  all.count(device.banks, "banks", "banks of a channel, each with multipliers and registers");
  all.count(device.lanes, "lanes", "16-bit elements of a column, one for each multiplier of a bank");
  all.count(device.row_elements, "row_elements", "16-bit elements of a row and of the global buffer");
  all.count(device.registers, "registers", "results that the registers of a bank hold");
  hardware::aim::Timing& timing = device.timing;
  all.cycles(timing.nCCD, "timing.nCCD", 1, "cycles between two column accesses (tCCD)");
  all.cycles(timing.nRCD, "timing.nRCD", 0, "cycles from opening a row to its first multiplication (tRCD)");
  all.cycles(timing.nRP, "timing.nRP", 0, "cycles from a precharge to the next row (tRP)");
  all.cycles(timing.nRAS, "timing.nRAS", 0, "cycles from opening a row to its precharge (tRAS)");
  all.cycles(timing.nRTP, "timing.nRTP", 0, "cycles from a column access to the precharge (tRTP)");
  all.cycles(timing.mode_change, "timing.mode_change", 0, "cycles of a change between register accesses and banks");
  all.cycles(timing.bias, "timing.bias", 0, "cycles of writing one register of all banks");
  all.cycles(timing.result, "timing.result", 0, "cycles of reading one register of all banks");
  all.cycles(timing.nREFI, "timing.nREFI", 1, "cycles between two refreshes (tREFI)");
  all.cycles(timing.nRFC, "timing.nRFC", 0, "cycles of a refresh (tRFC)");
  hardware::aim::Power& power = device.power;
  all.quantity(power.activate, "energy.activate", "J", "energy of opening and closing a row of one bank");
  all.quantity(power.multiply, "energy.multiply", "J", "energy of one column of all banks through the multipliers");
  all.quantity(power.read, "energy.read", "J", "energy of a column read in one bank");
  all.quantity(power.write, "energy.write", "J", "energy of a column written in one bank");
  all.quantity(power.pin_byte, "energy.pins", "J/B", "energy of a byte over the data pins");
  all.quantity(power.standby_active, "power.standby_active", "W", "power of a channel with open rows");
  all.quantity(power.standby_precharged, "power.standby_precharged", "W", "power of a channel with all rows closed");
}

void add_hbm_pim_axes(AxisList& axes, std::string_view prefix, hardware::hbm_pim::Device& device) {
  PimAxes all(axes, prefix);
  all.clock(device.clock);
  all.count(device.channels, "channels", "channels of all HBM-PIM stacks");
  all.count(device.banks, "banks", "banks of a channel");
  all.count(device.units, "units", "units of a channel, each at two banks");
  all.count(device.lanes, "lanes", "16-bit multipliers of a unit, which are the elements of a burst");
  all.count(device.input_registers, "input_registers", "bursts of inputs that a unit holds");
  all.count(device.result_registers, "result_registers", "bursts of results that a unit holds");
  all.count(device.row_bursts, "row_bursts", "bursts of a row");
  hardware::hbm_pim::Timing& timing = device.timing;
  all.cycles(timing.nRL, "timing.nRL", 0, "cycles from a read to its data (RL)");
  all.cycles(timing.nWL, "timing.nWL", 0, "cycles from a write to its data (WL)");
  all.cycles(timing.nBL, "timing.nBL", 0, "cycles of a data burst (BL / 2)");
  all.cycles(timing.nCCDL, "timing.nCCDL", 1, "cycles between column accesses of one bank group (tCCD_L)");
  all.cycles(timing.nCCDS, "timing.nCCDS", 1, "cycles between column accesses of different bank groups (tCCD_S)");
  all.cycles(timing.nRCDRD, "timing.nRCDRD", 0, "cycles from opening a row to a read (tRCDRD)");
  all.cycles(timing.nRCDWR, "timing.nRCDWR", 0, "cycles from opening a row to a write (tRCDWR)");
  all.cycles(timing.nRP, "timing.nRP", 0, "cycles from a precharge to the next row (tRP)");
  all.cycles(timing.nRRDS, "timing.nRRDS", 0, "cycles between rows of different bank groups (tRRD_S)");
  all.cycles(timing.nRTP, "timing.nRTP", 0, "cycles from a read to the precharge (tRTP_L)");
  all.cycles(timing.nWR, "timing.nWR", 0, "cycles from the end of written data to the precharge (tWR)");
  all.cycles(timing.nWTR, "timing.nWTR", 0, "cycles from the end of written data to a read (tWTR_L)");
  all.cycles(timing.nRTRS, "timing.nRTRS", 0, "cycles between data of a read and of a write (tRTRS)");
  all.cycles(timing.nREFI, "timing.nREFI", 1, "cycles between two refreshes (tREFI)");
  all.cycles(timing.nRFC, "timing.nRFC", 0, "cycles of a refresh (tRFC)");
}

}  // namespace pimsweep::systems::devices
