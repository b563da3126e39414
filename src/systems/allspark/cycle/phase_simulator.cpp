#include "systems/allspark/cycle/phase_simulator.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hardware/integer_math.h"
#include "systems/allspark/cycle/weight_rings.h"

namespace pimsweep::allspark {

using hardware::ceil_div;
using hardware::SubArray;

namespace {

/// A ring of neighbours in a line: the last one hands on to the first over the whole line. Lines of different
/// sub-arrays, and of one, share no link.
RingProgram line(std::int64_t nodes, std::int64_t steps) {
  RingProgram program{
      noc::Lattice(noc::Topology::mesh, static_cast<unsigned>(std::max<std::int64_t>(2, nodes)), 1), {}, steps};
  for (std::int64_t i = 0; i < nodes; ++i) {
    program.hops.push_back(
        {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>((i + 1) % nodes), (i + nodes - 1) % nodes});
  }
  return program;
}

noc::Lattice mesh_of(const CycleSettings& settings) {
  return {noc::Topology::mesh,
          static_cast<unsigned>(std::max<std::int64_t>({2, settings.node_rows, settings.node_cols})), 2};
}

std::uint32_t node_at(const noc::Lattice& mesh, const NodePlace& place) {
  const unsigned coordinates[] = {static_cast<unsigned>(place.col), static_cast<unsigned>(place.row)};
  return mesh.node(coordinates);
}

}  // namespace

PhaseSimulator::PhaseSimulator(const CycleSettings& settings)
    : PhaseSimulator(settings, std::make_shared<NodeDram>(settings.bank, settings.banks, settings.word_bytes)) {}

PhaseSimulator::PhaseSimulator(const CycleSettings& settings, std::shared_ptr<NodeDram> dram)
    : settings_(settings), dram_(std::move(dram)), network_(settings.router, settings.format) {}

std::int64_t PhaseSimulator::product_cycles(const hardware::Gemm& gemm, const hardware::GemmMapping& mapping) {
  const auto dram = static_cast<std::int64_t>(std::ceil(dram_->product_cycles(gemm, mapping)));
  return std::max(mapping.compute_cycles, dram);
}

std::int64_t PhaseSimulator::movement_cycles(const Partition& partition, std::int64_t branches,
                                             const Movement& movement) {
  const std::int64_t chunk = ceil_div(movement.words, movement.steps);
  const double bytes = static_cast<double>(chunk) * settings_.word_bytes;
  const auto flits = static_cast<std::int64_t>(std::ceil(bytes / settings_.format.flit_bytes));
  const double network = network_cycles(partition, branches, movement.path, movement.steps, flits);
  const double dram =
      static_cast<double>(movement.steps) * (dram_->stream_cycles(chunk, false) + dram_->stream_cycles(chunk, true));
  return static_cast<std::int64_t>(std::ceil(settings_.pipelined ? std::max(network, dram) : network + dram));
}

double PhaseSimulator::network_cycles(const Partition& partition, std::int64_t branches, Path path, std::int64_t steps,
                                      std::int64_t flits) {
  // Rings in a line depend on their length alone.
  Shape shape{path, partition.head_split, partition.patch_split, partition.sharing_group, steps};
  if (path == Path::heads) shape = {path, partition.head_split, 0, 0, steps};
  if (path == Path::patches || (path == Path::weights && partition.sharing_group == 1)) {
    shape = {Path::heads, partition.patch_split, 0, 0, steps};
  }
  if (path == Path::next_branch) shape = {path, partition.head_split, partition.patch_split, branches, steps};
  const auto [pace, fresh] = paces_.try_emplace(shape);
  if (fresh) pace->second = network_.pace(program_of(partition, branches, path, steps));
  if (flits > 2 * pace->second.base) return pace->second(flits);
  const auto [cycles, first] = short_chunks_.try_emplace({shape, flits}, 0);
  if (first) {
    cycles->second = network_.cycles(program_of(partition, branches, path, steps), flits);
  }
  return cycles->second;
}

RingProgram PhaseSimulator::program_of(const Partition& partition, std::int64_t branches, Path path,
                                       std::int64_t steps) const {
  if (path == Path::heads) return line(partition.head_split, steps);
  if (path == Path::patches || (path == Path::weights && partition.sharing_group == 1)) {
    return line(partition.patch_split, steps);
  }
  RingProgram program{mesh_of(settings_), {}, steps};
  const std::vector<SubArray> places = sub_arrays_to_and_fro(
      settings_.node_rows, settings_.node_cols, partition, path == Path::weights ? partition.sharing_group : branches);
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

}  // namespace pimsweep::allspark
