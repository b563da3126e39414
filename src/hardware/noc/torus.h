#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "hardware/noc/exchange_network.h"

namespace pimsweep::noc {

/// Flows go along the first dimension, then the second, each time the shorter way. Where both ways round a ring are
/// equally long, `dimension_order` takes the one of rising coordinates and `balanced` half of each.
enum class TorusRouting : std::uint8_t { dimension_order, balanced };
inline constexpr std::array<std::string_view, 2> torus_routing_names{"dimension-order", "balanced"};

/// How an accelerator's index becomes coordinates, from its most significant bit (level 1) down: `row_major` takes the
/// first half of the bits for the first dimension and the rest for the second; `alternating` deals the bits to the two
/// dimensions in turn, as an H-tree is laid out in the plane.
enum class TorusMapping : std::uint8_t { row_major, alternating };
inline constexpr std::array<std::string_view, 2> torus_mapping_names{"row-major", "alternating"};

/// A two-dimensional torus of 2^ceil(levels/2) x 2^floor(levels/2) accelerators, each its own router. Every directed
/// link carries `link_bandwidth` bytes per second; a ring of two has one cable, i.e. one link each way, a ring of one
/// none. Throws std::invalid_argument as h_tree does.
ExchangeNetwork torus(std::size_t levels, double link_bandwidth, TorusRouting routing, TorusMapping mapping);

}  // namespace pimsweep::noc
