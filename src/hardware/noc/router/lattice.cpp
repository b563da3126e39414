#include "hardware/noc/router/lattice.h"

#include <algorithm>

namespace pimsweep::noc {

Lattice::Lattice(Topology topology, unsigned radix, unsigned dimensions)
    : topology_(topology),
      radix_(radix),
      dimensions_(dimensions),
      nodes_(1),
      lane_bits_(std::min(64 / dimensions, 32U)),
      lane_mask_(lane_bits_ == 32 ? ~0U : (1U << lane_bits_) - 1) {
  for (unsigned d = 0; d < dimensions; ++d) nodes_ *= radix;
  for (unsigned i = 0; i < 64; ++i) lane_of_bit_[i] = static_cast<std::uint8_t>(i / lane_bits_);
  packed_.reserve(nodes_);
  for (unsigned node = 0; node < nodes_; ++node) {
    std::uint64_t packed = 0;
    unsigned rest = node;
    for (unsigned d = 0; d < dimensions; ++d) {
      packed |= std::uint64_t{rest % radix} << (d * lane_bits_);
      rest /= radix;
    }
    packed_.push_back(packed);
  }
  neighbours_.reserve(std::size_t{nodes_} * 2 * dimensions);
  for (unsigned node = 0; node < nodes_; ++node) {
    unsigned stride = 1;
    for (unsigned d = 0; d < dimensions; ++d) {
      const unsigned x = coordinate(node, d);
      const unsigned round = topology == Topology::torus ? (radix - 1) * stride : 0;
      neighbours_.push_back(x + 1 < radix ? node + stride : node - round);
      neighbours_.push_back(x > 0 ? node - stride : node + round);
      stride *= radix;
    }
  }
}

unsigned Lattice::node(const unsigned* coordinates) const {
  unsigned number = 0;
  for (unsigned d = dimensions_; d-- > 0;) number = number * radix_ + coordinates[d];
  return number;
}

unsigned Lattice::hops(unsigned source, unsigned destination) const {
  unsigned hops = 1;
  for (unsigned d = 0; d < dimensions_; ++d) {
    const unsigned a = coordinate(source, d);
    const unsigned b = coordinate(destination, d);
    const unsigned straight = a > b ? a - b : b - a;
    hops += topology_ == Topology::torus ? std::min(straight, radix_ - straight) : straight;
  }
  return hops;
}

}  // namespace pimsweep::noc
