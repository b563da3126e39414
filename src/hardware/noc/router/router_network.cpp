#include "hardware/noc/router/router_network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory_resource>
#include <stdexcept>

#include "base/huge_pages.h"
#include "hardware/noc/router/tile.h"
#include "hardware/noc/router/tile_channels.h"
#include "hardware/noc/router/tile_links.h"
#include "hardware/noc/router/tile_routes.h"
#include "hardware/noc/router/tile_setup.h"
#include "hardware/noc/router/tile_switch.h"
#include "hardware/noc/router/tile_traversal.h"

namespace pimsweep::hardware::noc::router {

namespace {

/// Maximum size of a routing table that shares a second-level cache with the state of its routers.
constexpr std::size_t max_route_table = std::size_t{1} << 16;

/// The routing table of a small mesh; otherwise empty.
std::vector<std::uint8_t> small_route_table(const Lattice& lattice) {
  const bool small = std::size_t{lattice.routers()} * lattice.nodes() <= max_route_table;
  return small && lattice.topology() == Topology::mesh ? lattice.route_table() : std::vector<std::uint8_t>();
}

template <typename Capacity>
class RouterNetworkOf final : public RouterNetwork {
 public:
  RouterNetworkOf(const Lattice& lattice, const RouterSettings& settings, unsigned tiles)
      : lookahead_(link_lookahead(settings)), first_routers_(tiles + 1), routes_(small_route_table(lattice)) {
    for (unsigned i = 0; i <= tiles; ++i) {
      first_routers_[i] = static_cast<std::uint32_t>(std::uint64_t{lattice.routers()} * i / tiles);
      first_nodes_.push_back(lattice.first_node(first_routers_[i]));
    }
    for (unsigned i = 0; i < tiles; ++i) {
      tiles_.push_back(
          std::make_unique<Tile<Capacity>>(lattice, settings, routes_, first_routers_, i, tiles_, memory_));
      states_.push_back(tiles_.back().get());
    }
    for (const auto& tile : tiles_) tile->connect();
  }

  void begin_cycle(unsigned tile) override { tiles_[tile]->begin_cycle(); }
  void send(unsigned tile, const Packet& packet) override { tiles_[tile]->send(packet); }
  void finish_cycle(unsigned tile) override { tiles_[tile]->finish_cycle(); }
  void copy_tile(unsigned tile, const RouterNetwork& from) override {
    tiles_[tile]->assign(*static_cast<const RouterNetworkOf&>(from).tiles_[tile]);
  }
  unsigned lookahead() const override { return lookahead_; }

 private:
  unsigned lookahead_;
  /// The first router of each tile, followed by the number of routers.
  std::vector<std::uint32_t> first_routers_;
  std::vector<std::uint8_t> routes_;
  HugePages huge_pages_;
  /// Holds the state of all tiles, one after another.
  std::pmr::monotonic_buffer_resource memory_{&huge_pages_};
  std::vector<std::unique_ptr<Tile<Capacity>>> tiles_;
};

template <typename Capacity>
bool fits(unsigned ports, unsigned virtual_channels) {
  if (Capacity::exact) return ports == Capacity::ports && virtual_channels == Capacity::virtual_channels;
  return ports <= Capacity::ports && virtual_channels <= Capacity::virtual_channels &&
         std::size_t{ports} * virtual_channels <= 8 * sizeof(typename Capacity::Set);
}

/// A network with the first of several capacities that fits; the last one always fits.
template <typename First, typename... Others>
std::unique_ptr<RouterNetwork> make_in_first_fit(const Lattice& lattice, const RouterSettings& settings,
                                                 unsigned tiles) {
  if constexpr (sizeof...(Others) != 0) {
    if (!fits<First>(lattice.ports(), settings.virtual_channels)) {
      return make_in_first_fit<Others...>(lattice, settings, tiles);
    }
  }
  return std::make_unique<RouterNetworkOf<First>>(lattice, settings, tiles);
}

}  // namespace

std::unique_ptr<RouterNetwork> make_router_network(const Lattice& lattice, const RouterSettings& settings,
                                                   unsigned tiles) {
  const std::vector<std::string> problems =
      problems_of(lattice.topology(), lattice.radix(), lattice.dimensions(), settings, lattice.concentration());
  if (!problems.empty()) throw std::invalid_argument(fmt::format("{}", fmt::join(problems, "; ")));
  return make_in_first_fit<TwoChannelPlane, FourChannelPlane, EightChannelPlane, SixteenChannelPlane, SmallCapacity,
                           LargeCapacity>(lattice, settings,
                                          std::clamp(tiles, 1U, std::min(lattice.routers(), max_tiles)));
}

}  // namespace pimsweep::hardware::noc::router
