#pragma once

#include <cstdint>
#include <vector>

#include "hardware/noc/router/lattice.h"
#include "hardware/noc/router/traffic_pattern.h"

namespace pimsweep::hardware::noc::router {

/// Exact link loads of a traffic pattern: flits per cycle on each output of each router if every node injects one flit
/// per cycle. Where both directions around a ring are equally long, each carries half; a packet with a choice in
/// several dimensions takes the same direction in all of them.
///
/// Packets are counted in whole numbers and divided once, so every load is the double nearest to the exact value.
/// All-to-all traffic is counted by symmetry, in time proportional to the number of routers; the rest of a pattern is
/// enumerated, at most one route per node.
class LinkLoads {
 public:
  LinkLoads(const Lattice& lattice, const TrafficPattern& pattern);

  /// Mean number of routers that a packet passes.
  double mean_hops() const { return mean_hops_; }
  double output(unsigned router, unsigned output) const;
  /// Part of the load of an output that comes from an input.
  double turn(unsigned router, unsigned input, unsigned output) const {
    return turns_[turn_index(router, input, output)];
  }
  /// Part of the load of an output in the lower or the upper half of a torus's virtual channels.
  double half(unsigned router, unsigned output, bool upper) const { return halves_[half_index(router, output, upper)]; }

 private:
  std::size_t turn_index(unsigned router, unsigned input, unsigned output) const {
    return (std::size_t{router} * ports_ + input) * ports_ + output;
  }
  std::size_t half_index(unsigned router, unsigned output, bool upper) const {
    return 2 * (std::size_t{router} * ports_ + output) + (upper ? 1 : 0);
  }

  void add_all_pairs(const Lattice& lattice, unsigned tie_up);
  void add_route(const Lattice& lattice, std::uint32_t source, std::uint32_t destination, unsigned tie_up,
                 double weight);
  void divide(double packets_of_node, unsigned nodes);

  unsigned ports_;
  double mean_hops_ = 0;
  /// Before the division: packets, in whole numbers below 2^53, which are exact.
  std::vector<double> turns_;
  std::vector<double> halves_;
};

}  // namespace pimsweep::hardware::noc::router
