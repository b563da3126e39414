#pragma once

#include <cstdint>
#include <vector>

#include "hardware/noc/router/lattice.h"
#include "hardware/noc/router/traffic_pattern.h"

namespace pimsweep::hardware::noc::router {

/// Exact loads of the links under a traffic pattern: flits a cycle on each output of each router if every node injects
/// one flit a cycle. Where both directions around a ring are equally long, each has half.
class LinkLoads {
 public:
  LinkLoads(const Lattice& lattice, const TrafficPattern& pattern);

  /// Routers passed by a packet, on average.
  double mean_hops() const { return mean_hops_; }
  double output(unsigned router, unsigned output) const;
  /// Part of an output's load that comes from an input.
  double turn(unsigned router, unsigned input, unsigned output) const {
    return turns_[(std::size_t{router} * ports_ + input) * ports_ + output];
  }
  /// Part of an output's load in the lower or the upper half of a torus's virtual channels.
  double half(unsigned router, unsigned output, bool upper) const {
    return halves_[2 * (std::size_t{router} * ports_ + output) + (upper ? 1 : 0)];
  }

 private:
  unsigned ports_;
  double mean_hops_ = 0;
  std::vector<double> turns_;
  std::vector<double> halves_;
};

}  // namespace pimsweep::hardware::noc::router
