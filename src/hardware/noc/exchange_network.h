#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pimsweep::hardware::noc {

/// Load of a directed link while the pairs of a level exchange.
struct LinkLoad {
  std::uint32_t link = 0;
  /// Bytes on the link per byte that a pair exchanges; several pairs may share a link.
  double share = 0;
};

/// Maximum number of levels: arrays of more than 2^16 accelerators are rejected, as every flow is enumerated.
inline constexpr std::size_t max_levels = 16;

/// A network of 2^H accelerators whose array is halved H times (HyPar, Song et al., HPCA 2019, Sec. 5). Level h = 1 ..
/// H has 2^(h-1) pairs of groups of 2^(H-h) accelerators; level 1 cuts the whole array in two. All pairs of a level
/// exchange at the same time, `bytes` in each pair, both directions together: each accelerator sends bytes / 2 /
/// 2^(H-h) to its counterpart, whose index differs in bit H-h.
struct ExchangeNetwork {
  /// Bandwidth of each directed link in bytes per second.
  std::vector<double> bandwidth;
  /// The loaded links of each level, level 1 first, by link number.
  std::vector<std::vector<LinkLoad>> exchanges;

  std::size_t levels() const { return exchanges.size(); }
  std::size_t accelerators() const { return std::size_t{1} << levels(); }
  /// Fraction of a pair's bytes that one accelerator sends: 1 / 2 / 2^(H-h). This and the next two functions throw
  /// std::out_of_range unless the level is in 1 .. H.
  double flow_share(std::size_t level) const;
  /// Time in seconds of an exchange that has the network to itself: that of its most loaded link.
  double seconds(std::size_t level, double bytes) const;
  /// Bytes summed over all links, that is, byte-hops of all pairs.
  double link_bytes(std::size_t level, double bytes) const;
};

}  // namespace pimsweep::hardware::noc
