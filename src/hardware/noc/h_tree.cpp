#include "hardware/noc/h_tree.h"

#include <cmath>
#include <cstdint>

#include "hardware/noc/check_network.h"

namespace pimsweep::hardware::noc {

ExchangeNetwork h_tree(std::size_t levels, double leaf_bandwidth) {
  check_network("H-tree", levels, leaf_bandwidth);
  ExchangeNetwork network;
  network.exchanges.resize(levels);
  for (std::size_t height = 0; height < levels; ++height) {
    const std::size_t subtrees = std::size_t{1} << (levels - height);
    const auto first = static_cast<std::uint32_t>(network.bandwidth.size());
    network.bandwidth.resize(first + 2 * subtrees, std::ldexp(leaf_bandwidth, static_cast<int>(height)));
    // Exchanges between larger groups than this subtree cross its upper link, with the bytes of all its accelerators.
    for (std::size_t level = 1; level <= levels - height; ++level) {
      const double share = std::ldexp(network.flow_share(level), static_cast<int>(height));
      for (std::uint32_t link = first; link < network.bandwidth.size(); ++link) {
        network.exchanges[level - 1].push_back({link, share});
      }
    }
  }
  return network;
}

}  // namespace pimsweep::hardware::noc
