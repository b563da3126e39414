#include "systems/allspark/cycle/ring_times.h"

#include <algorithm>

#include "base/memoized.h"
#include "systems/allspark/cycle/weight_rings.h"

namespace pimsweep::systems::allspark::cycle {

using hardware::node_array::SubArray;

namespace {

/// A ring of neighbors in a line: the last node sends to the first over the whole line. No two lines share a link.
RingProgram line(std::int64_t nodes, std::int64_t steps) {
  RingProgram program{hardware::noc::router::Lattice(hardware::noc::router::Topology::mesh,
                                                     static_cast<unsigned>(std::max<std::int64_t>(2, nodes)), 1),
                      {},
                      steps};
  for (std::int64_t i = 0; i < nodes; ++i) {
    program.hops.push_back(
        {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>((i + 1) % nodes), (i + nodes - 1) % nodes});
  }
  return program;
}

hardware::noc::router::Lattice mesh_of(const NodeNetwork& nodes) {
  return {hardware::noc::router::Topology::mesh,
          static_cast<unsigned>(std::max<std::int64_t>({2, nodes.node_rows, nodes.node_cols})), 2};
}

std::uint32_t node_at(const hardware::noc::router::Lattice& mesh, const NodePlace& place) {
  const unsigned coordinates[] = {static_cast<unsigned>(place.col), static_cast<unsigned>(place.row)};
  return mesh.node(coordinates);
}

}  // namespace

double RingTimes::operator()(const Partition& partition, std::int64_t branches, Path path, std::int64_t steps,
                             std::int64_t flits) {
  // Rings in a line depend on their length alone.
  Shape shape{path, partition.head_split, partition.patch_split, partition.sharing_group, steps};
  if (path == Path::heads) shape = {path, partition.head_split, 0, 0, steps};
  if (path == Path::patches || (path == Path::weights && partition.sharing_group == 1)) {
    shape = {Path::heads, partition.patch_split, 0, 0, steps};
  }
  if (path == Path::next_branch) shape = {path, partition.head_split, partition.patch_split, branches, steps};
  const auto& pace =
      memoized(paces_, shape, [&] { return network_.pace(program_of(partition, branches, path, steps)); });
  if (flits > 2 * pace.base) return pace(flits);
  return memoized(short_chunks_, {shape, flits},
                  [&] { return network_.cycles(program_of(partition, branches, path, steps), flits); });
}

RingProgram RingTimes::program_of(const Partition& partition, std::int64_t branches, Path path,
                                  std::int64_t steps) const {
  if (path == Path::heads) return line(partition.head_split, steps);
  if (path == Path::patches || (path == Path::weights && partition.sharing_group == 1)) {
    return line(partition.patch_split, steps);
  }
  RingProgram program{mesh_of(nodes_), {}, steps};
  const std::vector<SubArray> places = sub_arrays_in_snake_order(
      nodes_.node_rows, nodes_.node_cols, partition, path == Path::weights ? partition.sharing_group : branches);
  const auto hop = [&](const NodePlace& from, const NodePlace& to, std::int64_t after) {
    program.hops.push_back({node_at(program.lattice, from), node_at(program.lattice, to), after});
  };
  if (path == Path::weights) {
    for (std::int64_t head = 0; head < partition.head_split; ++head) {
      const std::vector<NodePlace> ring = weight_ring(places, partition, head);
      const std::size_t first = program.hops.size();
      for (std::size_t i = 0; i < ring.size(); ++i) {
        hop(ring[i], ring[(i + 1) % ring.size()],
            static_cast<std::int64_t>(first + (i + ring.size() - 1) % ring.size()));
      }
    }
    return program;
  }
  const auto hand_over = [&](const SubArray& from, const SubArray& to) {
    for (std::int64_t head = 0; head < partition.head_split; ++head) {
      for (std::int64_t patch = 0; patch < partition.patch_split; ++patch) {
        hop(node_of(from, partition, head, patch), node_of(to, partition, head, patch), -1);
      }
    }
  };
  for (std::size_t i = 1; i < places.size(); ++i) hand_over(places[i - 1], places[i]);
  return program;
}

}  // namespace pimsweep::systems::allspark::cycle
