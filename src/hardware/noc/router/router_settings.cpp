#include "hardware/noc/router/router_settings.h"

#include <fmt/format.h>

namespace pimsweep::hardware::noc::router {

std::vector<std::string> problems_of(Topology topology, unsigned radix, unsigned dimensions,
                                     const RouterSettings& settings, unsigned concentration) {
  std::vector<std::string> problems;
  const auto check = [&](const char* name, unsigned value, unsigned min, unsigned max) {
    if (value < min || value > max) {
      problems.push_back(fmt::format("{} is {}, {} to {} are allowed", name, value, min, max));
    }
  };
  check("n", dimensions, 1, max_dimensions);
  check("k", radix, 2, max_nodes);
  check("concentration", concentration, 1, max_nodes);
  double nodes = concentration;
  for (unsigned d = 0; d < dimensions && nodes <= max_nodes; ++d) nodes *= radix;
  if (nodes > max_nodes) {
    problems.push_back(fmt::format("k^n is {}^{} nodes{}, at most {} are allowed", radix, dimensions,
                                   concentration == 1 ? "" : fmt::format(" x {}", concentration), max_nodes));
  }
  check("num_vcs", settings.virtual_channels, 1, max_virtual_channels);
  const std::uint64_t ports =
      topology == Topology::h_tree ? 2 * std::uint64_t{radix} : 2 * std::uint64_t{dimensions} + concentration;
  if (ports > max_ports) {
    problems.push_back(fmt::format("a router would have {} ports, at most {} are allowed", ports, max_ports));
  } else if (settings.virtual_channels * ports > max_router_channels) {
    problems.push_back(fmt::format("num_vcs is {}: with {} ports at most {} are allowed (ports x num_vcs <= {})",
                                   settings.virtual_channels, ports, max_router_channels / ports, max_router_channels));
  }
  if (topology == Topology::torus && settings.virtual_channels % 2 != 0) {
    problems.push_back(
        fmt::format("num_vcs is {}: a torus splits them in two halves, so it must be even", settings.virtual_channels));
  }
  check("vc_buf_size", settings.buffer_size, 1, max_buffer_size);
  check("routing_delay", settings.routing_delay, 0, max_stage_delay);
  check("st_final_delay", settings.switch_traversal_delay, 1, max_stage_delay);
  check("credit_delay", settings.credit_delay, 0, max_stage_delay);
  check("iterations", settings.iterations, 1, 16);
  check("link latency", settings.link_latency, 1, max_link_latency);
  check("credit latency", settings.credit_latency, 1, max_link_latency);
  return problems;
}

}  // namespace pimsweep::hardware::noc::router
