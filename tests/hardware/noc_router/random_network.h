#pragma once

#include <algorithm>
#include <vector>

#include "hardware/noc/router/lattice.h"
#include "hardware/noc/router/random.h"
#include "hardware/noc/router/router_settings.h"

namespace pimsweep::hardware::noc {

inline unsigned between(router::Random& random, unsigned low, unsigned high) {
  return low + random.below(high - low + 1);
}

/// Any small network.
inline router::Lattice random_lattice(router::Random& random) {
  const router::Topology kinds[] = {router::Topology::mesh, router::Topology::torus, router::Topology::h_tree};
  const unsigned dimensions = between(random, 1, 3);
  const unsigned largest[] = {0, 9, 5, 3};
  std::vector<unsigned> radices(dimensions, between(random, 2, largest[dimensions]));
  const router::Topology kind = kinds[random.below(3)];
  if (kind == router::Topology::h_tree) return {kind, radices, 1};
  for (unsigned& radix : radices) radix = between(random, 2, radix);
  return {kind, radices, between(random, 1, 2)};
}

inline router::RouterSettings random_settings(router::Random& random, const router::Lattice& lattice) {
  router::RouterSettings settings;
  settings.virtual_channels = between(random, 1, std::min(12U, router::max_router_channels / lattice.ports()));
  if (lattice.topology() == router::Topology::torus) settings.virtual_channels += settings.virtual_channels % 2;
  settings.buffer_size = between(random, 1, 9);
  settings.routing_delay = between(random, 0, 3);
  settings.switch_traversal_delay = between(random, 1, 3);
  settings.credit_delay = between(random, 0, 3);
  settings.speculative = between(random, 0, 1) == 1;
  const router::Allocator allocators[] = {router::Allocator::islip, router::Allocator::separable_input_first,
                                          router::Allocator::separable_output_first};
  settings.allocator = allocators[between(random, 0, 2)];
  settings.iterations = settings.allocator == router::Allocator::islip ? between(random, 1, 3) : 1;
  settings.link_latency = between(random, 1, 3);
  settings.credit_latency = between(random, 1, 3);
  return settings;
}

}  // namespace pimsweep::hardware::noc
