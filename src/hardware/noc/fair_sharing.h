#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardware/noc/exchange_network.h"

namespace pimsweep::hardware::noc {

/// Sharing of links by concurrent exchanges: max-min fairness between flows by progressive filling (Bertsekas and
/// Gallager, Data Networks, Sec. 6.5.2). All accelerators take part in every exchange in lockstep, so an exchange has
/// one rate: the sending rate of each accelerator rises equally for all exchanges until a link is full; exchanges over
/// that link keep their rate, and the others continue to rise.
class FairSharing {
 public:
  explicit FairSharing(const ExchangeNetwork& network);

  /// Writes to rates[h-1] the bytes per second at which a pair of level h exchanges while running[h-1] exchanges of
  /// each level are in progress; 0 for a level without exchanges. Both spans have one element per level. Does not
  /// allocate.
  void rates(std::span<const std::uint32_t> running, std::span<double> rates);

  /// Number of links that can be the bottleneck: a link is dropped if another one has equal or larger loads in every
  /// level.
  std::size_t constraints() const { return used_.size(); }

 private:
  std::size_t levels_ = 0;
  /// For each kept link and level: fraction of the link's bandwidth used when every accelerator sends 1 B/s.
  std::vector<double> loads_;
  std::vector<double> used_;
  std::vector<double> pair_rate_;
};

}  // namespace pimsweep::hardware::noc
