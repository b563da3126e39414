#include "systems/allspark/cycle/sustained_phases.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/memoized.h"
#include "hardware/dram/analytic.h"
#include "hardware/integer_math.h"
#include "hardware/noc/router/traffic_estimate.h"
#include "systems/allspark/cycle/weight_rings.h"

namespace pimsweep::systems::allspark::cycle {

namespace dram = hardware::dram;

namespace {

/// Clock cycles of a stream by the bank's analytic model.
double stream_clocks(const dram::Dram& bank, std::int64_t accesses, bool write, bool refresh) {
  dram::Traffic traffic;
  traffic.requests = accesses;
  traffic.mapping = dram::Mapping::ch_ra_ba_ro_co;
  if (write) traffic.mix = {dram::ReadMix::Kind::writes, 0};
  dram::ControllerOptions options;
  options.refresh = refresh ? dram::Refresh::all_bank : dram::Refresh::none;
  return static_cast<double>(dram::estimate(bank, options, traffic).cycles);
}

/// Number of transfers over each link of a mesh with dimension-order routes, along a row first.
class LinkCounts {
 public:
  LinkCounts(std::int64_t rows, std::int64_t cols) : cols_(cols), counts_(static_cast<std::size_t>(4 * rows * cols)) {}

  void add(NodePlace from, const NodePlace& to) {
    for (; from.col != to.col; from.col += to.col > from.col ? 1 : -1) ++at(from, to.col > from.col ? 0 : 1);
    for (; from.row != to.row; from.row += to.row > from.row ? 1 : -1) ++at(from, to.row > from.row ? 2 : 3);
  }
  std::int64_t max() const { return *std::max_element(counts_.begin(), counts_.end()); }

 private:
  std::int64_t& at(const NodePlace& place, std::int64_t direction) {
    return counts_[static_cast<std::size_t>(4 * (place.row * cols_ + place.col) + direction)];
  }

  std::int64_t cols_;
  std::vector<std::int64_t> counts_;
};

std::int64_t links_between(const NodePlace& a, const NodePlace& b) {
  return std::abs(a.row - b.row) + std::abs(a.col - b.col);
}

}  // namespace

dram::Dram sustained_bank(const Machine& machine) {
  dram::Dram bank = machine.bank();
  bank.organization.columns = Count::of(std::max(1.0, std::round(machine.dram.row / machine.access_bytes())));
  return bank;
}

StreamTime::StreamTime(const dram::Dram& bank, bool write) : row_accesses_(bank.organization.columns) {
  first_ = stream_clocks(bank, 1, write, false);
  const double row = stream_clocks(bank, row_accesses_, write, false);
  access_ = row_accesses_ > 1 ? (row - first_) / static_cast<double>(row_accesses_ - 1) : 0;
  row_ = stream_clocks(bank, Count{2} * row_accesses_, write, false) - row;
  // Long enough for many refreshes.
  const std::int64_t many = Count{64} * std::max(bank.timing.nREFI, row_accesses_);
  refresh_ = stream_clocks(bank, many, write, true) / stream_clocks(bank, many, write, false);
}

double StreamTime::operator()(std::int64_t accesses) const {
  const std::int64_t rows = (accesses - 1) / row_accesses_;
  return refresh_ * (first_ + static_cast<double>(rows) * row_ +
                     static_cast<double>(accesses - 1 - rows * row_accesses_) * access_);
}

SustainedPhases::SustainedPhases(const Machine& machine)
    : machine_(machine),
      router_(machine.router()),
      access_bytes_(machine.access_bytes() * static_cast<double>(machine.dram.banks)),
      read_(sustained_bank(machine), false),
      write_(sustained_bank(machine), true) {}

std::int64_t SustainedPhases::gemm_cycles(const hardware::pe_array::Gemm& /*gemm*/,
                                          const hardware::pe_array::GemmMapping& mapping) {
  // Reads of operands are by far the most accesses, so that their rate counts.
  const double accesses = static_cast<double>(mapping.dram_words) * machine_.word_bytes / access_bytes_;
  return std::max<std::int64_t>(mapping.compute_cycles, Count::of(std::ceil(accesses / read_.rate())));
}

std::int64_t SustainedPhases::movement_cycles(const Partition& partition, std::int64_t branches,
                                              const Movement& movement) {
  const double bytes = static_cast<double>(hardware::ceil_div(movement.words, movement.steps)) * machine_.word_bytes;
  const std::int64_t flits = Count::of(std::ceil(bytes / machine_.flit_bytes()));
  const std::int64_t accesses = Count::of(std::ceil(bytes / access_bytes_));
  const auto steps = static_cast<double>(movement.steps);
  const Load found = load(partition, branches, movement.path);
  const double network = (steps - 1) * unloaded_cycles(found.links, flits) + unloaded_cycles(found.longest, flits) +
                         steps * static_cast<double>(Count{found.sharing - 1} * flits);
  const double dram = steps * (read_(accesses) + write_(accesses));
  return Count::of(std::ceil(machine_.mesh.transfer == Transfer::pipelined ? std::max(network, dram) : network + dram));
}

double SustainedPhases::unloaded_cycles(std::int64_t links, std::int64_t flits) const {
  const std::int64_t packet = std::min<std::int64_t>(flits, machine_.mesh.packet_flits);
  return hardware::noc::router::zero_load_latency(router_, static_cast<double>(links + 1),
                                                  static_cast<unsigned>(packet)) +
         static_cast<double>(flits - packet);
}

SustainedPhases::Load SustainedPhases::load(const Partition& partition, std::int64_t branches, Path path) {
  // A ring in a line: the last node sends to the first over the whole line.
  const auto line = [](std::int64_t nodes) { return Load{1, std::max<std::int64_t>(1, nodes - 1), 1}; };
  switch (path) {
    case Path::heads:
      return line(partition.head_split);
    case Path::patches:
      return line(partition.patch_split);
    case Path::weights: {
      if (partition.sharing_group == 1) return line(partition.patch_split);
      return memoized(ring_loads_, partition, [&] { return load_of_rings(partition); });
    }
    case Path::next_branch: {
      // Every node sends to its counterpart a side of the sub-array away: as many transfers pass each boundary's
      // link as the side is long.
      const auto places = sub_arrays_in_snake_order(machine_.node_rows, machine_.node_cols, partition, branches);
      std::int64_t side = 1;
      for (std::size_t i = 1; i < places.size(); ++i) {
        side = std::max(side, places[i].row == places[i - 1].row ? places[i].width : places[i].height);
      }
      return {side, side, side};
    }
  }
  return {};
}

SustainedPhases::Load SustainedPhases::load_of_rings(const Partition& partition) const {
  const auto places =
      sub_arrays_in_snake_order(machine_.node_rows, machine_.node_cols, partition, partition.sharing_group);
  LinkCounts counts(machine_.node_rows, machine_.node_cols);
  Load load;
  for (std::int64_t head = 0; head < partition.head_split; ++head) {
    const std::vector<NodePlace> ring = weight_ring(places, partition, head);
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const NodePlace& next = ring[(i + 1) % ring.size()];
      counts.add(ring[i], next);
      load.longest = std::max(load.longest, links_between(ring[i], next));
    }
  }
  load.sharing = counts.max();
  return load;
}

}  // namespace pimsweep::systems::allspark::cycle
