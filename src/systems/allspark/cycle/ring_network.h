#pragma once

#include <cstdint>
#include <vector>

#include "hardware/noc/router/flows.h"

namespace pimsweep::systems::allspark::cycle {

/// Transfers of many nodes in lockstep: in each step a node sends a chunk of equal size to its successor, from the
/// second step on the chunk that it has just received.
struct RingProgram {
  struct Hop {
    std::uint32_t source = 0;
    std::uint32_t destination = 0;
    /// Index of the hop whose chunk this hop forwards in the next step; -1 if there is none.
    std::int64_t after = -1;
  };
  hardware::noc::router::Lattice lattice;
  std::vector<Hop> hops;
  std::int64_t steps = 1;
};

/// Runs programs on the routers. Chunks of many packets, and long programs of many nodes, are extrapolated from
/// their beginning: a step's time is affine in its flits once the pipeline of routers is full, and steps are
/// alike as long as no chunk has gone all the way around.
class RingNetwork {
 public:
  RingNetwork(const hardware::noc::router::RouterSettings& router, const hardware::noc::router::PacketFormat& format)
      : router_(router), format_(format) {}

  /// Cycles until the last step is done with chunks of `flits`, fully simulated.
  std::int64_t simulate(const RingProgram& program, std::int64_t flits) const;

  /// Cycles until the last step is done; of programs that take too long, only the first steps are simulated.
  double cycles(const RingProgram& program, std::int64_t flits) const;

  /// Cycles of a program for any number of flits, linear in flits beyond `base` and 2 `base`, which are simulated.
  struct Pace {
    std::int64_t base = 0;
    double at_base = 0;
    double at_twice = 0;
    double operator()(std::int64_t flits) const {
      return at_twice + (at_twice - at_base) / static_cast<double>(base) * static_cast<double>(flits - 2 * base);
    }
  };
  /// `base` is a whole number of packets, eight of them or as few as keep the simulation short.
  Pace pace(const RingProgram& program) const;

 private:
  hardware::noc::router::RouterSettings router_;
  hardware::noc::router::PacketFormat format_;
};

}  // namespace pimsweep::systems::allspark::cycle
