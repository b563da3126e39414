#include "hardware/dram/energy.h"

namespace pimsweep::hardware::dram {

Energy energy(const Result& result, const Dram& dram, std::int64_t channels) {
  const Power& p = dram.power;
  const Timing& t = dram.timing;
  /// Energy of one ampere per device for one clock, in J.
  const double unit = p.voltage * static_cast<double>(p.devices) * dram.tCK;
  const auto n = [](std::int64_t count) { return static_cast<double>(count); };
  const double accesses = n(result.commands.rd + result.commands.wr);
  Energy e;
  // IDD0 flows for nRC, in which the bank is open for nRAS; the remainder belongs to ACT and PRE.
  e.activate = unit * n(result.commands.act) * (p.idd0 * n(t.nRC) - p.idd3n * n(t.nRAS) - p.idd2n * n(t.nRC - t.nRAS));
  e.read = unit * n(result.commands.rd) * n(t.nBL) * (p.idd4r - p.idd3n);
  e.write = unit * n(result.commands.wr) * n(t.nBL) * (p.idd4w - p.idd3n);
  // REFpb are assumed to take the energy of the REFab that they replace.
  const std::int64_t part = dram.organization.bank_refreshes(dram.commands.refreshed_groups);
  const double refreshes = n(result.commands.ref) + n(result.commands.refpb) / n(part);
  e.refresh = unit * refreshes * n(t.nRFC) * (p.idd5 - p.idd3n);
  const double open = n(result.open_clocks);
  const double all = n(result.cycles) * n(dram.organization.domains) * n(channels);
  e.background =
      unit * n(dram.organization.ranks) / n(dram.organization.domains) * (open * p.idd3n + (all - open) * p.idd2n);
  e.data = accesses * n(dram.organization.access_bytes) * p.data_energy;
  return e;
}

}  // namespace pimsweep::hardware::dram
