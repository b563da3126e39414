#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/noc/router/lattice.h"
#include "hardware/noc/router/random.h"

namespace pimsweep::hardware::noc::router {

/// Destinations of each node, with the names and definitions of BookSim 2.0.
///
/// uniform: any node, including itself; transpose: the two halves of the bits of the node's number swapped; bitcomp:
/// N-1-number; tornado: each coordinate + ceil(k/2) - 1, cyclically; neighbor: each coordinate + 1, cyclically;
/// hotspot_nH_wW: node H with weight W, every other node with weight 1. On an H-tree coordinates are the digits of a
/// node's number.
class TrafficPattern {
 public:
  /// Throws std::invalid_argument for an unknown name and for a pattern that the lattice does not support.
  TrafficPattern(std::string_view name, const Lattice& lattice);

  std::uint32_t destination(std::uint32_t source, Random& random) const {
    if (!permutation_.empty()) return permutation_[source];
    const std::uint32_t drawn = random.below(nodes_ + extra_weight_);
    return drawn < nodes_ ? drawn : hot_node_;
  }

  double probability(std::uint32_t source, std::uint32_t destination) const {
    const Preference preferred = preference(source);
    const double weight = (reaches_all() ? 1.0 : 0.0) + (destination == preferred.destination ? preferred.weight : 0.0);
    return weight / static_cast<double>(total_weight());
  }

  /// True if every node sends to every node, each with weight 1 beyond the preferences.
  bool reaches_all() const { return permutation_.empty(); }
  /// The preferred destination of a source, and its weight beyond that of others; 0 if there is none.
  struct Preference {
    std::uint32_t destination;
    double weight;
  };
  Preference preference(std::uint32_t source) const {
    return reaches_all() ? Preference{hot_node_, static_cast<double>(extra_weight_)}
                         : Preference{permutation_[source], 1};
  }
  /// Sum of the weights of all destinations of a source.
  std::uint32_t total_weight() const { return reaches_all() ? nodes_ + extra_weight_ : 1; }

 private:
  std::vector<std::uint32_t> permutation_;
  std::uint32_t nodes_;
  std::uint32_t hot_node_ = 0;
  /// Weight of the hot node beyond that of the others.
  std::uint32_t extra_weight_ = 0;
};

/// Names for messages and listings.
const std::vector<std::string>& traffic_pattern_names();

}  // namespace pimsweep::hardware::noc::router
