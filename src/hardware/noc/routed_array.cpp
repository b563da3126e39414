#include "hardware/noc/routed_array.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "hardware/noc/check_network.h"

namespace pimsweep::hardware::noc {

RoutedArray::RoutedArray(std::size_t levels, router::Lattice lattice, const router::RouterSettings& router,
                         unsigned packet_flits)
    : levels_(levels), lattice_(std::move(lattice)), router_(router), packet_flits_(packet_flits) {
  const std::vector<std::string> problems = router::problems_of(
      lattice_.topology(), lattice_.radix(), lattice_.dimensions(), router, lattice_.concentration());
  if (!problems.empty()) throw std::invalid_argument(fmt::format("{}", fmt::join(problems, "; ")));
}

RoutedArray RoutedArray::h_tree(std::size_t levels, const router::RouterSettings& router, unsigned packet_flits) {
  check_network("H-tree", levels, 1);
  RoutedArray array(
      levels, router::Lattice(router::Topology::h_tree, 2, static_cast<unsigned>(std::max<std::size_t>(levels, 1))),
      router, packet_flits);
  for (std::uint32_t accelerator = 0; accelerator < array.accelerators(); ++accelerator) {
    array.nodes_.insert(array.nodes_.end(), levels, accelerator);
  }
  return array;
}

RoutedArray RoutedArray::torus(std::size_t levels, TorusRouting routing, TorusMapping mapping,
                               const router::RouterSettings& router, unsigned packet_flits) {
  check_network("torus", levels, 1);
  const TorusLayout layout(levels, mapping);
  std::vector<unsigned> radices;
  for (std::size_t dimension = 0; dimension < 2; ++dimension) {
    if (layout.ring(dimension) > 1) radices.push_back(layout.ring(dimension));
  }
  if (radices.empty()) radices.push_back(2);
  const auto concentration = static_cast<unsigned>(std::max<std::size_t>(levels, 1));
  RoutedArray array(levels, router::Lattice(router::Topology::torus, radices, concentration), router, packet_flits);
  for (std::uint32_t accelerator = 0; accelerator < array.accelerators(); ++accelerator) {
    const unsigned coordinates[] = {layout.coordinate(accelerator, 0), layout.coordinate(accelerator, 1)};
    const unsigned first = array.lattice_.node(coordinates);
    for (std::uint32_t level = 0; level < levels; ++level) array.nodes_.push_back(first + level);
  }
  if (routing == TorusRouting::balanced) {
    array.ties_[1] = 0;
    for (unsigned d = 0; d < radices.size(); ++d) {
      if (radices[d] == 2) array.ties_[1] |= 1U << d;
    }
  }
  return array;
}

}  // namespace pimsweep::hardware::noc
