#include "systems/allspark/cycle/ring_network.h"

#include <algorithm>

namespace pimsweep::allspark {

namespace {

/// Steady state is reached within a few packets; beyond this many flits x routers a simulation takes too long.
constexpr std::int64_t packets_of_base = 8;
constexpr std::int64_t most_flit_hops = 200'000;

}  // namespace

std::int64_t RingNetwork::simulate(const RingProgram& program, std::int64_t flits) const {
  std::vector<noc::Transfer> transfers;
  transfers.reserve(program.hops.size() * static_cast<std::size_t>(program.steps));
  const auto bytes = static_cast<std::uint64_t>(flits) * format_.flit_bytes;
  for (std::int64_t step = 0; step < program.steps; ++step) {
    const std::size_t before = transfers.size() - (step == 0 ? 0 : program.hops.size());
    for (const RingProgram::Hop& hop : program.hops) {
      noc::Transfer transfer{hop.source, hop.destination, bytes, 0, {}};
      if (step > 0 && hop.after >= 0) {
        transfer.after.push_back(static_cast<std::uint32_t>(before + static_cast<std::size_t>(hop.after)));
      }
      transfers.push_back(std::move(transfer));
    }
  }
  return static_cast<std::int64_t>(noc::simulate_flows(program.lattice, router_, format_, transfers).makespan);
}

RingNetwork::Pace RingNetwork::pace(const RingProgram& program) const {
  std::int64_t routers = 0;
  for (const RingProgram::Hop& hop : program.hops) routers += program.lattice.hops(hop.source, hop.destination);
  const std::int64_t packet = format_.max_flits;
  const std::int64_t affordable = most_flit_hops / std::max<std::int64_t>(1, routers * program.steps * packet);
  Pace pace;
  pace.base = packet * std::clamp<std::int64_t>(affordable, 1, packets_of_base);
  pace.at_base = static_cast<double>(simulate(program, pace.base));
  pace.at_twice = static_cast<double>(simulate(program, 2 * pace.base));
  return pace;
}

}  // namespace pimsweep::allspark
