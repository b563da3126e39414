#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pimsweep::hardware::noc {

/// What one directed link carries while the pairs of a level exchange.
struct LinkLoad {
  std::uint32_t link = 0;
  /// Bytes on the link for each byte that a pair exchanges; several pairs may meet on a link.
  double share = 0;
};

/// Arrays of more than 2^16 accelerators are refused, as every flow is walked.
inline constexpr std::size_t max_levels = 16;

/// A network of 2^H accelerators whose array is halved H times (HyPar, Song et al., HPCA 2019, Sec. 5). Level h = 1 ..
/// H has 2^(h-1) pairs of groups of 2^(H-h) accelerators, level 1 being the whole array cut in two. All pairs of a
/// level exchange at the same time, `bytes` in each pair, both directions together: every accelerator sends bytes / 2 /
/// 2^(H-h) to its counterpart, whose index differs in bit H-h.
struct ExchangeNetwork {
  /// Bytes per second of each directed link.
  std::vector<double> bandwidth;
  /// The loaded links of each level, level 1 first, in the order of their numbers.
  std::vector<std::vector<LinkLoad>> exchanges;

  std::size_t levels() const { return exchanges.size(); }
  std::size_t accelerators() const { return std::size_t{1} << levels(); }
  /// The part of a pair's bytes that one accelerator sends: 1 / 2 / 2^(H-h). Throws std::out_of_range for a level that
  /// is not in 1 .. H, as do the next two.
  double flow_share(std::size_t level) const;
  /// Seconds of an exchange that has the network to itself: those of its most loaded link.
  double seconds(std::size_t level, double bytes) const;
  /// Bytes summed over all links, i.e. byte-hops of all pairs.
  double link_bytes(std::size_t level, double bytes) const;
};

}  // namespace pimsweep::hardware::noc
