#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "hardware/noc/step_program.h"
#include "hardware/noc/torus.h"

namespace pimsweep::hardware::noc {

/// A network as a plain graph with a route for every two accelerators; nothing here is shared with src/hardware/noc.
struct FlowNetwork {
  struct Hop {
    std::size_t link = 0;
    /// Part of the flow that takes this link.
    double part = 1;
  };
  std::size_t accelerators = 1;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> links;
  std::vector<double> bandwidth;
  std::vector<std::vector<std::vector<Hop>>> routes;

  std::size_t link(std::size_t from, std::size_t to, double bytes_per_second);
};

FlowNetwork tree_of_switches(std::size_t levels, double leaf_bandwidth);
FlowNetwork torus_of_nodes(std::size_t levels, double bandwidth, TorusRouting routing, TorusMapping mapping);

/// Runs the program on every accelerator by its own clock. Each flow from one accelerator to another has its own rate,
/// max-min fair among all flows. An accelerator's part in an exchange begins when its own earlier tasks have ended and
/// ends when its counterpart has its bytes and it has its counterpart's. Returns the end of each task on each
/// accelerator: ends[task][accelerator].
std::vector<std::vector<double>> simulate_flows(const FlowNetwork& network, std::size_t levels,
                                                const StepProgram& program);

}  // namespace pimsweep::hardware::noc
