#include "hardware/noc/router/lattice.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>

#include "base/downward.h"

namespace pimsweep::hardware::noc::router {

namespace {

unsigned power(unsigned base, unsigned exponent) {
  unsigned result = 1;
  for (unsigned i = 0; i < exponent; ++i) result *= base;
  return result;
}

}  // namespace

Lattice::Lattice(Topology topology, unsigned radix, unsigned dimensions, unsigned concentration)
    : Lattice(topology, std::vector<unsigned>(dimensions, radix), concentration) {}

// One lane more than dimensions, so that all lanes can be shifted out.
Lattice::Lattice(Topology topology, const std::vector<unsigned>& radices, unsigned concentration)
    : topology_(topology),
      dimensions_(static_cast<unsigned>(radices.size())),
      concentration_(concentration),
      nodes_of_router_(topology == Topology::h_tree ? radices[0] : concentration),
      node_port_(topology == Topology::h_tree ? radices[0] : 2 * dimensions_),
      ports_(node_port_ + nodes_of_router_),
      lane_bits_(64 / (dimensions_ + 1)),
      lane_mask_((1U << std::min(lane_bits_, 31U)) - 1) {
  const bool tree = topology == Topology::h_tree;
  std::copy(radices.begin(), radices.end(), radices_.begin());
  for (unsigned i = 0; i < 64; ++i) lane_of_bit_[i] = static_cast<std::uint8_t>(i / lane_bits_);
  const unsigned places = std::accumulate(radices.begin(), radices.end(), 1U, std::multiplies<>());
  const unsigned nodes = tree ? places : places * concentration;
  routers_with_nodes_ = nodes / nodes_of_router_;
  for (unsigned node = 0; node < nodes; ++node) {
    homes_.push_back(pack(tree ? node : node / concentration, dimensions_));
    exits_.push_back(static_cast<std::uint8_t>(node_port_ + node % nodes_of_router_));
  }
  if (tree) {
    join_tree();
  } else {
    join_lattice(places);
  }
}

std::uint64_t Lattice::pack(unsigned number, unsigned digits) const {
  std::uint64_t packed = 0;
  for (unsigned d = 0; d < digits; ++d) {
    packed |= std::uint64_t{number % radices_[d]} << (d * lane_bits_);
    number /= radices_[d];
  }
  return packed;
}

void Lattice::join_lattice(unsigned routers) {
  for (unsigned router = 0; router < routers; ++router) {
    places_.push_back(pack(router, dimensions_));
    unsigned stride = 1;
    for (unsigned d = 0; d < dimensions_; ++d) {
      const unsigned x = lane(places_[router], d);
      const unsigned round = topology_ == Topology::torus ? (radices_[d] - 1) * stride : 0;
      neighbors_.push_back(x + 1 < radices_[d] ? router + stride : router - round);
      neighbors_.push_back(x > 0 ? router - stride : router + round);
      stride *= radices_[d];
    }
    neighbors_.insert(neighbors_.end(), concentration_, router);
  }
}

void Lattice::join_tree() {
  const unsigned radix = radices_[0];
  const unsigned positions = power(radix, dimensions_ - 1);
  for (unsigned level = 0; level < dimensions_; ++level) {
    for (unsigned position = 0; position < positions; ++position) {
      const unsigned router = level * positions + position;
      places_.push_back(pack(position, dimensions_ - 1));
      levels_.push_back(static_cast<std::uint8_t>(level));
      // The position there differs in one digit: that of this level upward, that of the level below downward.
      const auto join = [&](unsigned digit, bool exists, unsigned first) {
        const unsigned stride = power(radix, digit);
        const unsigned base = position - position / stride % radix * stride;
        for (unsigned i = 0; i < radix; ++i) neighbors_.push_back(exists ? first + base + i * stride : router);
      };
      join(level, level + 1 < dimensions_, (level + 1) * positions);
      join(level == 0 ? 0 : level - 1, level > 0, level == 0 ? 0 : (level - 1) * positions);
    }
  }
}

unsigned Lattice::node(const unsigned* coordinates) const {
  unsigned number = 0;
  for (const unsigned d : downward(dimensions_)) number = number * radices_[d] + coordinates[d];
  return number * (topology_ == Topology::h_tree ? 1 : concentration_);
}

unsigned Lattice::far_port(unsigned router, unsigned output) const {
  // A packet that leaves upward arrives from below.
  if (topology_ != Topology::h_tree) return output ^ 1U;
  // The port of the far router that leads back: the digit of this position that the link changes.
  const bool up = output < node_port_;
  const unsigned level = levels_[router];
  const unsigned digit = up ? level : level - 1;
  return lane(places_[router], digit) + (up ? node_port_ : 0);
}

std::vector<std::uint8_t> Lattice::route_table() const {
  std::vector<std::uint8_t> table(std::size_t{routers()} * nodes());
  for (unsigned router = 0; router < routers(); ++router) {
    // Starts with the nodes at the router's own place. Dimension d repeats the entries of the lower dimensions for each
    // of its places: the lowest differing dimension decides the route, so only the entries with the router's own lower
    // coordinates change.
    std::uint8_t* const row = &table[std::size_t{router} * nodes()];
    std::size_t block = concentration_;
    std::size_t own = 0;
    std::copy_n(exits_.begin(), block, row);
    for (unsigned d = 0; d < dimensions_; ++d) {
      const unsigned here = lane(places_[router], d);
      for (const unsigned there : downward(radices_[d])) {
        std::uint8_t* const copy = row + there * block;
        if (there != 0) std::copy_n(row, block, copy);
        if (there != here) {
          std::fill_n(copy + own, concentration_, static_cast<std::uint8_t>(2 * d + (there < here ? 1 : 0)));
        }
      }
      own += here * block;
      block *= radices_[d];
    }
  }
  return table;
}

unsigned Lattice::hops(unsigned source, unsigned destination) const {
  if (topology_ == Topology::h_tree) {
    const std::uint64_t different = homes_[source] ^ homes_[destination];
    if (different == 0) return 1;
    // Up to the level of the highest digit in which they differ, and down again.
    return 2U * lane_of_bit_[static_cast<unsigned>(std::bit_width(different) - 1)] + 1U;
  }
  unsigned hops = 1;
  std::uint64_t from = homes_[source];
  std::uint64_t to = homes_[destination];
  for (unsigned d = 0; d < dimensions_; ++d, from >>= lane_bits_, to >>= lane_bits_) {
    const unsigned a = lane(from, 0);
    const unsigned b = lane(to, 0);
    const unsigned straight = a > b ? a - b : b - a;
    hops += topology_ == Topology::torus ? std::min(straight, radices_[d] - straight) : straight;
  }
  return hops;
}

}  // namespace pimsweep::hardware::noc::router
