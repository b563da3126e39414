#include "systems/allspark/cycle/ring_network.h"

#include <algorithm>

namespace pimsweep::systems::allspark::cycle {

namespace {

/// Steady state is reached within a few packets; beyond this many flits x routers a simulation takes too long.
constexpr std::int64_t packets_of_base = 8;
constexpr std::int64_t max_flit_hops = 200'000;
constexpr std::int64_t min_steps = 4;

std::int64_t routers_of(const RingProgram& program) {
  std::int64_t routers = 0;
  for (const RingProgram::Hop& hop : program.hops) routers += program.lattice.hops(hop.source, hop.destination);
  return routers;
}

}  // namespace

std::int64_t RingNetwork::simulate(const RingProgram& program, std::int64_t flits) const {
  std::vector<hardware::noc::router::Transfer> transfers;
  transfers.reserve(program.hops.size() * static_cast<std::size_t>(program.steps));
  const auto bytes = static_cast<std::uint64_t>(flits) * format_.flit_bytes;
  for (std::int64_t step = 0; step < program.steps; ++step) {
    const std::size_t before = transfers.size() - (step == 0 ? 0 : program.hops.size());
    for (const RingProgram::Hop& hop : program.hops) {
      hardware::noc::router::Transfer transfer{hop.source, hop.destination, bytes, 0, {}};
      if (step > 0 && hop.after >= 0) {
        transfer.after.push_back(static_cast<std::uint32_t>(before + static_cast<std::size_t>(hop.after)));
      }
      transfers.push_back(std::move(transfer));
    }
  }
  return static_cast<std::int64_t>(
      hardware::noc::router::simulate_flows(program.lattice, router_, format_, transfers).makespan);
}

double RingNetwork::cycles(const RingProgram& program, std::int64_t flits) const {
  const std::int64_t affordable =
      std::max(min_steps, 2 * max_flit_hops / std::max<std::int64_t>(1, routers_of(program) * flits));
  if (program.steps <= affordable) return static_cast<double>(simulate(program, flits));
  RingProgram beginning = program;
  beginning.steps = affordable;
  const auto whole = static_cast<double>(simulate(beginning, flits));
  beginning.steps = affordable / 2;
  const std::int64_t further_steps = affordable - beginning.steps;
  const double pace = (whole - static_cast<double>(simulate(beginning, flits))) / static_cast<double>(further_steps);
  return whole + pace * static_cast<double>(program.steps - affordable);
}

RingNetwork::Pace RingNetwork::pace(const RingProgram& program) const {
  const std::int64_t routers = routers_of(program);
  const std::int64_t packet = format_.max_flits;
  const std::int64_t affordable = max_flit_hops / std::max<std::int64_t>(1, routers * program.steps * packet);
  Pace pace;
  pace.base = packet * std::clamp<std::int64_t>(affordable, 1, packets_of_base);
  pace.at_base = cycles(program, pace.base);
  pace.at_twice = cycles(program, 2 * pace.base);
  return pace;
}

}  // namespace pimsweep::systems::allspark::cycle
