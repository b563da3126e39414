#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "hardware/noc/exchange_network.h"

namespace pimsweep::hardware::noc {

/// How concurrent exchanges share the links: max-min fairness between flows, found by progressive filling (Bertsekas
/// and Gallager, Data Networks, Sec. 6.5.2). All accelerators take part in every exchange in lockstep, so an exchange
/// has one rate: the sending rate of each accelerator rises equally for all exchanges until a link is full; exchanges
/// over that link keep their rate, those of the others rise further.
class FairSharing {
 public:
  explicit FairSharing(const ExchangeNetwork& network);

  /// Writes to rates[h-1] the bytes per second at which a pair of level h exchanges while running[h-1] exchanges of
  /// each level are in progress; 0 for a level without any. Both spans have one element for each level. Allocates
  /// nothing.
  void rates(std::span<const std::uint32_t> running, std::span<double> rates);

  /// Number of links that can be the bottleneck: of links with equal or smaller loads in every level, one is kept.
  std::size_t constraints() const { return used_.size(); }

 private:
  std::size_t levels_ = 0;
  /// For each kept link and level: part of the link's bandwidth taken when every accelerator sends 1 B/s.
  std::vector<double> loads_;
  std::vector<double> used_;
  std::vector<double> pair_rate_;
};

}  // namespace pimsweep::hardware::noc
