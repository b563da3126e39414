#include "systems/allspark/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/checked.h"
#include "base/error.h"
#include "hardware/dram/rules.h"
#include "hardware/noc/router/router_settings.h"

namespace pimsweep::systems::allspark {

namespace {

hardware::dram::Timing timing_of(const Constants& constants) {
  // Seconds in whole clock cycles; the tolerance keeps 20 ns of a file at 8 cycles of 2.5 ns.
  constexpr double rounding = 1e-9;
  const auto cycles = [&](double seconds) -> std::int64_t {
    return Count::of(std::ceil(seconds * constants.clock - rounding));
  };
  hardware::dram::Timing timing;
  timing.nBL = timing.nCCDS = timing.nCCDL = 1;
  timing.nRCDRD = timing.nRCDWR = cycles(constants.tRCD);
  timing.nRP = cycles(constants.tRP);
  timing.nRAS = cycles(constants.tRAS);
  timing.nRC = timing.nRAS + timing.nRP;
  timing.nRFC = cycles(constants.tRFC);
  timing.nREFI = Count::of(std::floor(constants.tREFI * constants.clock + rounding));
  timing.nCL = cycles(constants.tCL);
  timing.nCWL = cycles(constants.tCWL);
  timing.nWR = cycles(constants.tWR);
  timing.nRTP = cycles(constants.tRTP);
  timing.nWTRS = timing.nWTRL = cycles(constants.tWTR);
  return timing;
}

/// One bank, without its organization. Throws PointError where refreshes leave no time.
hardware::dram::Dram bank_of(const Constants& constants) {
  hardware::dram::Dram bank;
  bank.standard = hardware::dram::Standard::ddr4;
  bank.tCK = 1 / constants.clock;
  bank.timing = timing_of(constants);
  if (const std::int64_t blocked = hardware::dram::Rules(bank).refresh_blocks(); bank.timing.nREFI <= blocked) {
    throw PointError(
        fmt::format("hardware.dram.tREFI is {} clocks, a refresh blocks the bank for {} "
                    "(rates = \"peak\" with fidelity = \"analytic\" has no refresh)",
                    bank.timing.nREFI, blocked));
  }
  return bank;
}

hardware::noc::router::RouterSettings router_of(const Constants& constants) {
  hardware::noc::router::RouterSettings router;
  router.virtual_channels = constants.virtual_channels;
  router.buffer_size = constants.router_buffer;
  return router;
}

cycle::SustainedSettings sustained_settings_of(const Constants& constants) {
  const double access = constants.bank_bandwidth / constants.clock;
  cycle::SustainedSettings settings;
  settings.bank = bank_of(constants);
  settings.bank.organization.columns = Count::of(std::max(1.0, std::round(constants.row_bytes / access)));
  settings.access_bytes = access * static_cast<double>(constants.banks);
  settings.word_bytes = constants.word_bytes;
  settings.flit_bytes = constants.link_bandwidth / constants.clock;
  settings.packet_flits = constants.packet_flits;
  settings.router = router_of(constants);
  settings.node_rows = constants.node_rows;
  settings.node_cols = constants.node_cols;
  settings.pipelined = constants.transfer == Transfer::pipelined;
  return settings;
}

hardware::pe_array::PeArray pe_array_of(const Constants& constants, double dram_bytes_per_cycle) {
  hardware::pe_array::PeArray array;
  array.rows = constants.pe_rows;
  array.cols = constants.pe_cols;
  array.buffer_words = Count::of(std::floor(constants.buffer_bytes / constants.word_bytes));
  array.dram_words_per_cycle = dram_bytes_per_cycle / constants.word_bytes;
  return array;
}

}  // namespace

Machine machine_of(const Settings& settings) {
  const Constants& constants = settings.constants;
  const auto banks = static_cast<double>(constants.banks);
  const double dram_bytes_per_cycle = banks * constants.bank_bandwidth / constants.clock;
  const double link_bytes_per_cycle = constants.link_bandwidth / constants.clock;
  Machine machine;
  machine.node_rows = constants.node_rows;
  machine.node_cols = constants.node_cols;
  machine.clock = constants.clock;
  machine.word_bytes = constants.word_bytes;
  machine.accumulator_rows = constants.accumulators;
  machine.pe_array = pe_array_of(constants, dram_bytes_per_cycle);
  machine.node_bytes = Count::of(std::floor(banks * constants.bank_bytes));
  // A chunk is read from the sender's DRAM, crosses a link and is written to the receiver's DRAM.
  const double on_link = 1 / link_bytes_per_cycle;
  const double in_dram = 2 / dram_bytes_per_cycle;
  machine.transfer_cycles_per_byte =
      constants.transfer == Transfer::pipelined ? std::max(on_link, in_dram) : on_link + in_dram;
  if (settings.rates == Rates::sustained) machine.sustained = sustained_settings_of(constants);
  machine.acu_lanes = constants.acu_lanes;
  machine.softmax_passes = constants.softmax_passes;
  machine.layernorm_passes = constants.layernorm_passes;
  machine.gelu_passes = constants.gelu_passes;
  machine.min_patch_chunk = constants.min_patch_chunk;
  if (machine.pe_array.buffer_words < machine.pe_array.min_buffer_words()) {
    throw PointError(fmt::format("hardware.sram.buffer holds {} words; a {} x {} PE array needs at least {}",
                                 machine.pe_array.buffer_words, machine.pe_array.rows, machine.pe_array.cols,
                                 machine.pe_array.min_buffer_words()));
  }
  return machine;
}

PlacementOptions placement_options_of(const Settings& settings) {
  const Constants& constants = settings.constants;
  PlacementOptions options;
  options.method = settings.placement;
  options.seed = settings.placement_seed;
  options.route = settings.interaction_route;
  options.simulate = settings.fidelity == Fidelity::cycle;
  options.max_flit_hops = settings.interaction_flit_hops;
  if (options.method == nullptr && !options.simulate) return options;
  // The network of routers is square (docs/noc.md).
  constexpr std::int64_t max_side = 128;
  static_assert(max_side * max_side == hardware::noc::router::max_nodes);
  if (const std::int64_t side = std::max(constants.node_rows, constants.node_cols); side > max_side) {
    throw PointError(
        fmt::format("the node array has {} rows or columns; on the routers at most {} are allowed", side, max_side));
  }
  const double flit = constants.link_bandwidth / constants.clock;
  if (flit < 1 || flit > 65536) {
    throw PointError(fmt::format("a link carries {} bytes in a cycle; on the routers 1 to 65536 are allowed", flit));
  }
  options.format.flit_bytes = static_cast<std::uint32_t>(flit);
  options.format.max_flits = constants.packet_flits;
  // All partners of a branch wait for its data. If a node served them one after another, many nodes would send to the
  // same partner at a time.
  options.format.in_turn = true;
  options.router = router_of(constants);
  return options;
}

cycle::CycleSettings cycle_settings_of(const Settings& settings) {
  const Constants& constants = settings.constants;
  const PlacementOptions network = placement_options_of(settings);
  cycle::CycleSettings simulation;
  simulation.banks = constants.banks;
  simulation.word_bytes = constants.word_bytes;
  simulation.nodes = {constants.node_rows, constants.node_cols, network.router, network.format};
  // Chunks of a ring follow one another.
  simulation.nodes.format.in_turn = false;
  simulation.pipelined = constants.transfer == Transfer::pipelined;
  simulation.bank = bank_of(constants);
  const auto power_of_two = [](double value) {
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(std::max(1.0, value))));
  };
  const double access = constants.bank_bandwidth / constants.clock;
  const double columns = constants.row_bytes / access;
  if (access < 1 || access != std::floor(access) || columns != static_cast<double>(power_of_two(columns))) {
    throw PointError(
        fmt::format("fidelity cycle: an access is {} B (hardware.dram.bank_bandwidth / hardware.clock) and "
                    "hardware.dram.row holds {} of them; whole bytes and a power of two are allowed",
                    access, columns));
  }
  hardware::dram::Organization& organization = simulation.bank.organization;
  organization.access_bytes = static_cast<std::int64_t>(access);
  organization.columns = static_cast<std::int64_t>(columns);
  // The number of rows matters only to a stream that returns to rows it has left.
  organization.rows = power_of_two(constants.bank_bytes / constants.row_bytes);
  return simulation;
}

hardware::silicon::Parts parts_of(const Constants& constants) {
  const auto nodes = static_cast<double>(constants.node_rows) * static_cast<double>(constants.node_cols);
  hardware::silicon::Parts parts;
  parts.units = nodes * static_cast<double>(constants.pe_rows) * static_cast<double>(constants.pe_cols);
  parts.lanes = nodes * static_cast<double>(constants.acu_lanes);
  parts.sram_bytes = nodes * constants.buffer_bytes;
  parts.link_bytes = nodes * constants.link_bandwidth / constants.clock;
  parts.dram_bytes = nodes * static_cast<double>(constants.banks) * constants.bank_bytes;
  return parts;
}

}  // namespace pimsweep::systems::allspark
