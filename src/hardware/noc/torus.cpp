#include "hardware/noc/torus.h"

#include <algorithm>
#include <array>
#include <vector>

#include "hardware/noc/check_network.h"

namespace pimsweep::hardware::noc {

namespace {

constexpr std::uint32_t no_link = UINT32_MAX;

/// Neighbors and link numbers of the torus.
class Geometry {
 public:
  Geometry(std::size_t levels, TorusMapping mapping) : layout_(levels, mapping), levels_(levels) {
    for (std::uint32_t node = 0; node < nodes(); ++node) {
      for (std::size_t dimension = 0; dimension < 2; ++dimension) {
        const std::uint32_t length = layout_.ring(dimension);
        for (const bool up : {true, false}) {
          const bool exists = up ? length > 1 : length > 2;
          out_.push_back(exists ? static_cast<std::uint32_t>(link_ends.size()) : no_link);
          if (exists) link_ends.push_back(layout_.moved(node, dimension, up ? 1 : length - 1));
        }
      }
    }
  }

  const TorusLayout& layout() const { return layout_; }
  std::uint32_t nodes() const { return std::uint32_t{1} << levels_; }
  /// The link that leaves `node` upward or downward; in a ring of two both are the same link.
  std::uint32_t link(std::uint32_t node, std::size_t dimension, bool up) const {
    return out_[std::size_t{4} * node + 2 * dimension + (up || layout_.ring(dimension) == 2 ? 0 : 1)];
  }

  /// Destination of each link.
  std::vector<std::uint32_t> link_ends;

 private:
  TorusLayout layout_;
  std::size_t levels_;
  std::vector<std::uint32_t> out_;
};

/// Adds `share` to every link between `from` and `to`.
void walk(const Geometry& torus, std::uint32_t from, std::uint32_t to, TorusRouting routing, double share,
          std::vector<double>& loads) {
  for (std::size_t dimension = 0; dimension < 2; ++dimension) {
    const std::uint32_t length = torus.layout().ring(dimension);
    const std::uint32_t up =
        (torus.layout().coordinate(to, dimension) + length - torus.layout().coordinate(from, dimension)) % length;
    if (up == 0) continue;
    const auto go = [&](bool upwards, std::uint32_t hops, double part) {
      std::uint32_t node = from;
      for (std::uint32_t hop = 0; hop < hops; ++hop) {
        const std::uint32_t link = torus.link(node, dimension, upwards);
        loads[link] += part;
        node = torus.link_ends[link];
      }
      return node;
    };
    if (routing == TorusRouting::balanced && 2 * up == length) {
      go(true, up, share / 2);
      from = go(false, up, share / 2);
    } else {
      const bool upwards = 2 * up <= length;
      from = go(upwards, upwards ? up : length - up, share);
    }
  }
}

}  // namespace

TorusLayout::TorusLayout(std::size_t levels, TorusMapping mapping) {
  const std::size_t first_half = (levels + 1) / 2;
  for (std::size_t level = 1; level <= levels; ++level) {
    const std::size_t dimension = mapping == TorusMapping::row_major ? level > first_half : (level - 1) % 2;
    bits_[dimension].push_back(levels - level);
  }
}

std::uint32_t TorusLayout::coordinate(std::uint32_t accelerator, std::size_t dimension) const {
  std::uint32_t result = 0;
  for (const std::size_t bit : bits_[dimension]) result = result << 1 | (accelerator >> bit & 1);
  return result;
}

std::uint32_t TorusLayout::moved(std::uint32_t accelerator, std::size_t dimension, std::uint32_t by) const {
  std::uint32_t left = (coordinate(accelerator, dimension) + by) % ring(dimension);
  for (auto bit = bits_[dimension].rbegin(); bit != bits_[dimension].rend(); ++bit, left >>= 1) {
    accelerator = (accelerator & ~(std::uint32_t{1} << *bit)) | (left & 1) << *bit;
  }
  return accelerator;
}

ExchangeNetwork torus(std::size_t levels, double link_bandwidth, TorusRouting routing, TorusMapping mapping) {
  check_network("torus", levels, link_bandwidth);
  const Geometry geometry(levels, mapping);
  ExchangeNetwork network;
  network.bandwidth.assign(geometry.link_ends.size(), link_bandwidth);
  network.exchanges.resize(levels);
  std::vector<double> loads(geometry.link_ends.size());
  for (std::size_t level = 1; level <= levels; ++level) {
    std::ranges::fill(loads, 0.0);
    const std::uint32_t counterpart = std::uint32_t{1} << (levels - level);
    for (std::uint32_t node = 0; node < geometry.nodes(); ++node) {
      walk(geometry, node, node ^ counterpart, routing, network.flow_share(level), loads);
    }
    for (std::uint32_t link = 0; link < loads.size(); ++link) {
      if (loads[link] > 0) network.exchanges[level - 1].push_back({link, loads[link]});
    }
  }
  return network;
}

}  // namespace pimsweep::hardware::noc
