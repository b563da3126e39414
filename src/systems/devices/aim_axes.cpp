#include "systems/devices/aim_axes.h"

#include <fmt/format.h>

namespace pimsweep::systems::devices {

void add_aim_axes(AxisList& axes, std::string_view prefix, hardware::aim::Device& d) {
  const auto name = [&](const char* key) { return fmt::format("hardware.{}{}", prefix, key); };
  const auto clocks = [&](std::int64_t& place, const char* key, const char* doc, std::int64_t value) {
    axes.count(place, name(key), 0, 1e9, doc, value, "cycle");
  };
  const auto number = [&](std::int64_t& place, const char* key, const char* doc, std::int64_t value) {
    axes.count(place, name(key), 1, 1 << 20, doc, value);
  };
  axes.quantity(d.clock, name("clock"), "Hz", 1e3, 1e12, "command clock of GDDR6-AiM", 1e9);
  number(d.channels, "channels", "channels of a GDDR6-AiM device", 32);
  number(d.banks, "banks", "banks of a channel of GDDR6-AiM", 16);
  number(d.lanes, "lanes", "16-bit elements of a column of GDDR6-AiM, and multipliers of a bank", 16);
  number(d.row_elements, "row_elements", "16-bit elements of a row of GDDR6-AiM", 1024);
  number(d.registers, "registers", "result registers of a bank of GDDR6-AiM", 32);
  clocks(d.timing.nCCD, "nCCD", "cycles between column accesses of GDDR6-AiM (tCCD)", 2);
  clocks(d.timing.nRCD, "nRCD", "opening a row of GDDR6-AiM to its first multiplication", 56);
  clocks(d.timing.pipeline, "pipeline", "part of nRCD that the multipliers of GDDR6-AiM take, in any memory", 0);
  clocks(d.timing.nRP, "nRP", "closing a row of GDDR6-AiM", 32);
  clocks(d.timing.nRAS, "nRAS", "opening a row of GDDR6-AiM to closing it", 54);
  clocks(d.timing.nRTP, "nRTP", "last access of GDDR6-AiM to closing the row", 12);
  clocks(d.timing.mode_change, "mode_change", "change of GDDR6-AiM between one bank and all banks", 32);
  clocks(d.timing.bias, "bias", "writing a result register of all banks of GDDR6-AiM", 1);
  clocks(d.timing.result, "result", "reading a result register of all banks of GDDR6-AiM", 1);
  clocks(d.timing.nREFI, "nREFI", "interval between refreshes of GDDR6-AiM", 3900);
  clocks(d.timing.nRFC, "nRFC", "duration of a refresh of GDDR6-AiM", 350);
  const auto energy = [&](double& place, const char* key, const char* unit, const char* doc) {
    axes.quantity(place, name(key), unit, 0, 1e3, doc, 0);
  };
  energy(d.power.activate, "energy.activate", "J", "energy of opening and closing a row of one bank of GDDR6-AiM");
  energy(d.power.multiply, "energy.multiply", "J", "energy of a column of all banks of GDDR6-AiM through multipliers");
  energy(d.power.read, "energy.read", "J", "energy of reading a column of GDDR6-AiM");
  energy(d.power.write, "energy.write", "J", "energy of writing a column of GDDR6-AiM");
  energy(d.power.pin_bit, "energy.pin", "J", "energy of a bit over the data pins of GDDR6-AiM");
  energy(d.power.standby_active, "power.active", "W", "standby power of a channel of GDDR6-AiM with open rows");
  energy(d.power.standby_precharged, "power.precharged", "W",
         "standby power of a channel of GDDR6-AiM without open rows");
  axes.quantity(d.power.column_bits, name("column_bits"), "1", 1, 1e6, "bits of a column of GDDR6-AiM", 256);
}

}  // namespace pimsweep::systems::devices
