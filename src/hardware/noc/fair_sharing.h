#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardware/noc/exchange_network.h"

namespace pimsweep::hardware::noc {

/// How exchanges that go on at the same time share the links: max-min fairness between flows, found by progressive
/// filling (Bertsekas and Gallager, Data Networks, Sec. 6.5.2). All accelerators take part in every exchange in
/// lockstep, so an exchange has one rate, and it is what each accelerator sends that is raised equally for all
/// exchanges until a link is full; exchanges over that link keep their rate, the others go on.
class FairSharing {
 public:
  explicit FairSharing(const ExchangeNetwork& network);

  /// Writes to rates[h-1] the bytes per second at which a pair of level h exchanges while running[h-1] exchanges of
  /// each level go on; 0 for a level without any. Both spans have one element for each level. Allocates nothing.
  void rates(std::span<const std::uint32_t> running, std::span<double> rates);

  /// Links that can ever be the limit: among links whose loads are alike or smaller in every level one is kept.
  std::size_t constraints() const { return used_.size(); }

 private:
  std::size_t levels_ = 0;
  /// For each kept link and level: part of the link's bandwidth taken when every accelerator sends 1 B/s.
  std::vector<double> loads_;
  std::vector<double> used_;
  std::vector<double> pair_rate_;
};

}  // namespace pimsweep::hardware::noc
