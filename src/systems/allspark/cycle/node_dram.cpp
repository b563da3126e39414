#include "systems/allspark/cycle/node_dram.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.h"
#include "base/memoized.h"
#include "hardware/dram/controller.h"
#include "hardware/dram/simulation.h"
#include "hardware/integer_math.h"
#include "systems/allspark/cycle/tile_runs.h"

namespace pimsweep::systems::allspark::cycle {

namespace dram = hardware::dram;

namespace {

dram::Result stream(const dram::Dram& bank, std::int64_t requests, bool write, bool refresh) {
  dram::Traffic traffic;
  traffic.requests = requests;
  traffic.mapping = dram::Mapping::ch_ra_ba_ro_co;
  if (write) traffic.mix = {dram::ReadMix::Kind::writes, 0};
  dram::ControllerOptions options;
  options.refresh = refresh ? dram::Refresh::all_bank : dram::Refresh::none;
  return dram::simulate(bank, options, traffic);
}

}  // namespace

dram::Dram simulated_bank(const Machine& machine) {
  const auto power_of_two = [](double value) {
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(std::max(1.0, value))));
  };
  dram::Dram bank = machine.bank();
  const double access = machine.access_bytes();
  const double columns = machine.dram.row / access;
  if (access < 1 || access != std::floor(access) || columns != static_cast<double>(power_of_two(columns))) {
    throw PointError(
        fmt::format("fidelity cycle: an access is {} B (hardware.dram.bank_bandwidth / hardware.clock) and "
                    "hardware.dram.row holds {} of them; whole bytes and a power of two are allowed",
                    access, columns));
  }
  dram::Organization& organization = bank.organization;
  organization.access_bytes = static_cast<std::int64_t>(access);
  organization.columns = static_cast<std::int64_t>(columns);
  // The number of rows matters only to a stream that returns to rows it has left.
  organization.rows = power_of_two(machine.dram.capacity / machine.dram.row);
  return bank;
}

NodeDram::NodeDram(const dram::Dram& bank, std::int64_t banks, double word_bytes)
    : bank_(bank), words_per_access_(static_cast<double>(bank.organization.access_bytes * banks) / word_bytes) {
  // Long enough for many refreshes.
  const std::int64_t requests = Count{16} * std::max(bank.timing.nREFI, max_requests);
  constexpr std::int64_t max_simulated = 20'000'000;
  if (requests > max_simulated) {
    throw PointError(
        fmt::format("hardware.dram.tREFI is {} clocks: fidelity cycle would simulate {} requests to see "
                    "refreshes, and at most {} are allowed",
                    bank.timing.nREFI, requests, max_simulated));
  }
  refresh_factor_ = static_cast<double>(stream(bank, requests, false, true).cycles) /
                    static_cast<double>(stream(bank, requests, false, false).cycles);
}

double NodeDram::stream_cycles(std::int64_t words, bool write) {
  const std::int64_t requests = Count::of(std::ceil(static_cast<double>(words) / words_per_access_));
  const auto of = [&](std::int64_t count) {
    return memoized(streams_, {count, write},
                    [&] { return refresh_factor_ * static_cast<double>(stream(bank_, count, write, false).cycles); });
  };
  if (requests <= max_requests) return of(requests);
  const double half = of(max_requests / 2);
  const double whole = of(max_requests);
  return whole + (whole - half) / (max_requests / 2.0) * static_cast<double>(requests - max_requests);
}

double NodeDram::gemm_cycles(const hardware::pe_array::Gemm& gemm, const hardware::pe_array::GemmMapping& mapping) {
  const hardware::pe_array::Gemm& tile = mapping.tile;
  return memoized(gemms_,
                  {gemm.m, gemm.n, gemm.k, tile.m, tile.n, tile.k, static_cast<std::int64_t>(mapping.stationary)},
                  [&] { return simulated_gemm(gemm, mapping); });
}

double NodeDram::simulated_gemm(const hardware::pe_array::Gemm& gemm, const hardware::pe_array::GemmMapping& mapping) {
  const dram::Organization& organization = bank_.organization;
  const auto access_of = [&](std::int64_t word) {
    return Count::of(std::floor(static_cast<double>(word) / words_per_access_));
  };
  // Each operand starts in a new row.
  const auto rows_of = [&](std::int64_t words) {
    return hardware::ceil_div(access_of(words) + 1, organization.columns);
  };
  const std::int64_t rows_a = rows_of(Count{gemm.m} * gemm.k);
  const std::array<std::int64_t, 3> first_row{0, rows_a, rows_a + rows_of(Count{gemm.k} * gemm.n)};
  // The last access of each operand: a run that continues within it does not repeat it.
  std::array<std::int64_t, 3> last{-1, -1, -1};
  std::int64_t words = 0;
  requests_.clear();
  for_each_run(gemm, mapping, [&](const TileRun& run) {
    words += run.words;
    std::int64_t access = access_of(run.first);
    const auto end = Count::of(std::ceil(static_cast<double>(run.first + run.words) / words_per_access_)) - 1;
    if (access == last[run.operand] && run.operand != TileRun::z) ++access;
    for (; access <= end; ++access) {
      const std::int64_t row = (first_row[run.operand] + access / organization.columns) % organization.rows;
      requests_.push_back({0, row, access % organization.columns, run.write});
    }
    last[run.operand] = end;
    return static_cast<std::int64_t>(requests_.size()) < max_requests;
  });
  return cycles_of(requests_, static_cast<double>(words) / static_cast<double>(mapping.dram_words));
}

double NodeDram::cycles_of(const std::vector<dram::Request>& requests, double share) const {
  dram::ControllerOptions options;
  options.refresh = dram::Refresh::none;
  return refresh_factor_ * static_cast<double>(dram::simulate(bank_, options, requests).cycles) / share;
}

}  // namespace pimsweep::systems::allspark::cycle
