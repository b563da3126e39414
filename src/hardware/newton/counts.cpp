#include "hardware/newton/counts.h"

namespace pimsweep::hardware::newton {

double energy(const Counts& counts, const Dram& dram) {
  const Energy& e = dram.energy;
  const auto banks = static_cast<double>(dram.banks);
  const double comp = banks * (static_cast<double>(dram.lanes) * (e.multiply + e.add) + e.buffer_read +
                               e.row_read / static_cast<double>(dram.columns));
  return static_cast<double>(counts.prea) * banks * e.precharge_bank +
         static_cast<double>(counts.g_act) * static_cast<double>(dram.banks_per_activation) * e.activate_bank +
         static_cast<double>(counts.ref) * e.refresh + static_cast<double>(counts.buffers) * e.gwrite +
         static_cast<double>(counts.readres) * e.readres + static_cast<double>(counts.comp) * comp;
}

}  // namespace pimsweep::hardware::newton
