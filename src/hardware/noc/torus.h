#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/words.h"
#include "hardware/noc/exchange_network.h"

namespace pimsweep::hardware::noc {

/// Flows take the first dimension, then the second, each in the shorter direction. Where both directions around a ring
/// are equally long, `dimension_order` takes the direction of rising coordinates, and `balanced` half of each.
enum class TorusRouting : std::uint8_t { dimension_order, balanced };
inline constexpr Words<TorusRouting, 2> torus_routing_words{
    {{"dimension-order", TorusRouting::dimension_order}, {"balanced", TorusRouting::balanced}}};

/// Mapping of an accelerator's index to coordinates, from its most significant bit (level 1) down: `row_major` takes
/// the first half of the bits for the first dimension and the rest for the second; `alternating` assigns bits to the
/// two dimensions alternately, like the layout of an H-tree in the plane.
enum class TorusMapping : std::uint8_t { row_major, alternating };
inline constexpr Words<TorusMapping, 2> torus_mapping_words{
    {{"row-major", TorusMapping::row_major}, {"alternating", TorusMapping::alternating}}};

/// Coordinates of accelerators on the torus of 2^ceil(levels/2) x 2^floor(levels/2).
class TorusLayout {
 public:
  TorusLayout(std::size_t levels, TorusMapping mapping);

  /// Length of the rings in a dimension, 0 or 1.
  std::uint32_t ring(std::size_t dimension) const { return std::uint32_t{1} << bits_[dimension].size(); }
  std::uint32_t coordinate(std::uint32_t accelerator, std::size_t dimension) const;
  /// The accelerator `by` steps further up a dimension.
  std::uint32_t moved(std::uint32_t accelerator, std::size_t dimension, std::uint32_t by) const;

 private:
  /// Bits of an accelerator's index that make up its coordinates, most significant first.
  std::array<std::vector<std::size_t>, 2> bits_;
};

/// A two-dimensional torus of 2^ceil(levels/2) x 2^floor(levels/2) accelerators, each with its own router. Each
/// directed link carries `link_bandwidth` bytes per second; a ring of two has one cable, that is, one link in each
/// direction, and a ring of one has none. Throws std::invalid_argument like h_tree.
ExchangeNetwork torus(std::size_t levels, double link_bandwidth, TorusRouting routing, TorusMapping mapping);

}  // namespace pimsweep::hardware::noc
