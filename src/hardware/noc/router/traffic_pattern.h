#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/noc/router/lattice.h"
#include "hardware/noc/router/random.h"

namespace pimsweep::hardware::noc::router {

/// Destinations of each node, with the names and meanings of BookSim 2.0.
///
/// uniform: any node, itself included; transpose: halves of the node's number in bits swapped; bitcomp: N-1-number;
/// tornado: each coordinate + ceil(k/2) - 1 around; neighbor: each coordinate + 1 around; hotspot_nH_wW: node H with
/// weight W, every other node with weight 1. On an H-tree coordinates are the digits of a node's number.
class TrafficPattern {
 public:
  /// Throws std::invalid_argument if the lattice has no such pattern or there is none of that name.
  TrafficPattern(std::string_view name, const Lattice& lattice);

  std::uint32_t destination(std::uint32_t source, Random& random) const {
    if (!permutation_.empty()) return permutation_[source];
    const std::uint32_t drawn = random.below(nodes_ + extra_weight_);
    return drawn < nodes_ ? drawn : hot_node_;
  }

  double probability(std::uint32_t source, std::uint32_t destination) const {
    if (!permutation_.empty()) return permutation_[source] == destination ? 1.0 : 0.0;
    return (destination == hot_node_ ? 1.0 + extra_weight_ : 1.0) / (static_cast<double>(nodes_) + extra_weight_);
  }

 private:
  std::vector<std::uint32_t> permutation_;
  std::uint32_t nodes_;
  std::uint32_t hot_node_ = 0;
  /// Weight of the hot node beyond that of the others.
  std::uint32_t extra_weight_ = 0;
};

/// The names, for messages and listings.
const std::vector<std::string>& traffic_pattern_names();

}  // namespace pimsweep::hardware::noc::router
