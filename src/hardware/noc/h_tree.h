#pragma once

#include <cstddef>

#include "hardware/noc/exchange_network.h"

namespace pimsweep::hardware::noc {

/// A binary fat tree over 2^levels accelerators with a switch at each parent (HyPar, Sec. 6.5.1): towards the root the
/// number of links halves and their bandwidth doubles. The link of an accelerator has `leaf_bandwidth` bytes per second
/// in each direction, the link above a subtree of 2^k accelerators 2^k times as much. An exchange of level h uses H-h+1
/// links upward and as many downward, all equally busy, and takes bytes / 2 / (2^(H-h) leaf_bandwidth). Link numbers:
/// first the links above single accelerators, then those above pairs, and so on; for each subtree the upward link, then
/// the downward one. Throws std::invalid_argument for more than max_levels levels or a bandwidth that is not positive
/// and finite.
ExchangeNetwork h_tree(std::size_t levels, double leaf_bandwidth);

}  // namespace pimsweep::hardware::noc
