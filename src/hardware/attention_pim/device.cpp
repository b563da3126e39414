#include "hardware/attention_pim/device.h"

#include <algorithm>

#include "hardware/integer_math.h"

namespace pimsweep::hardware::attention_pim {

std::int64_t Device::units(Placement placement) const {
  switch (placement) {
    case Placement::bank:
      return banks_of_channel();
    case Placement::bank_group:
      return pseudo_channels * ranks * bank_groups;
    case Placement::buffer:
      return pseudo_channels;
  }
  return 0;
}

std::int64_t Device::opening(Placement placement) const {
  constexpr std::int64_t window = 4;
  return placement == Placement::bank ? (ceil_div(bank_groups * banks, window) - 1) * nFAW : 0;
}

std::int64_t Device::mac_interval(Placement placement, bool power_limit) const {
  // On the buffer die a MAC reads one bank of each pseudo-channel, like a plain read, so bank groups alternate.
  if (placement == Placement::buffer) return std::max(nBL, nCCDS);
  return power_limit ? nMAC_power_limit : nMAC;
}

double Device::cell_energy(Placement placement) const {
  double joules = energy.activate + energy.cell_read;
  if (placement != Placement::bank) joules += energy.bank_group_mux;
  if (placement == Placement::buffer) joules += energy.global_io + energy.tsv;
  return joules;
}

}  // namespace pimsweep::hardware::attention_pim
