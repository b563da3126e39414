#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "hardware/dram/dram.h"
#include "hardware/dram/request.h"
#include "hardware/pe_array/gemm_mapper.h"

namespace pimsweep::systems::allspark::cycle {

/// The DRAM banks of a node, cycle by cycle. Each bank is a channel of its own, and data is spread evenly over them, so
/// that one is simulated. Its clock is that of the logic die. Refresh is spread evenly over time: its share is measured
/// once. Series of more than `most_requests` requests are continued at the pace of the first ones.
class NodeDram {
 public:
  static constexpr std::int64_t max_requests = 4096;

  /// `bank`: one bank; `banks` of them work in parallel.
  NodeDram(const hardware::dram::Dram& bank, std::int64_t banks, double word_bytes);

  /// Cycles to read or to write adjacent words.
  double stream_cycles(std::int64_t words, bool write);
  /// Cycles of all reads and writes of a matrix product, tile by tile in the order of its mapping; each tile lies in
  /// one piece. Loads run ahead of the computation as far as the controller's queues allow.
  double product_cycles(const hardware::pe_array::Gemm& gemm, const hardware::pe_array::GemmMapping& mapping);

 private:
  /// Of a series of requests that begins so, `share` of it; without refresh.
  double cycles_of(const std::vector<hardware::dram::Request>& requests, double share) const;

  hardware::dram::Dram bank_;
  double words_per_access_;
  double refresh_factor_ = 1;
  std::map<std::pair<std::int64_t, bool>, double> streams_;
  std::map<std::array<std::int64_t, 7>, double> products_;
  std::vector<hardware::dram::Request> requests_;
};

/// A run of adjacent words of one operand of a matrix product.
struct TileRun {
  enum Operand : std::uint8_t { a, b, z };
  Operand operand = a;
  /// In the operand, tiles one after another.
  std::int64_t first = 0;
  std::int64_t words = 0;
  bool write = false;
};

/// Calls visit(TileRun) for every run of a mapping in order, until it returns false. All runs together have the words
/// that the mapping says.
template <class Visit>
void for_each_run(const hardware::pe_array::Gemm& gemm, const hardware::pe_array::GemmMapping& mapping, Visit visit) {
  const hardware::pe_array::Gemm& tile = mapping.tile;
  const auto size = [](std::int64_t whole, std::int64_t part, std::int64_t at) { return std::min(part, whole - at); };
  const auto run_a = [&](std::int64_t m, std::int64_t k) {
    const std::int64_t rows = size(gemm.m, tile.m, m);
    return visit(TileRun{TileRun::a, m * gemm.k + rows * k, rows * size(gemm.k, tile.k, k), false});
  };
  const auto run_b = [&](std::int64_t k, std::int64_t n) {
    const std::int64_t cols = size(gemm.n, tile.n, n);
    return visit(TileRun{TileRun::b, n * gemm.k + cols * k, cols * size(gemm.k, tile.k, k), false});
  };
  const auto run_z = [&](std::int64_t m, std::int64_t n, bool write) {
    const std::int64_t rows = size(gemm.m, tile.m, m);
    return visit(TileRun{TileRun::z, m * gemm.n + rows * n, rows * size(gemm.n, tile.n, n), write});
  };
  const auto partial_sums = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
    return (k == 0 || run_z(m, n, false)) && run_z(m, n, true);
  };
  using hardware::pe_array::Stationary;
  switch (mapping.stationary) {
    case Stationary::everything:
      static_cast<void>(run_a(0, 0) && run_b(0, 0) && run_z(0, 0, true));
      return;
    case Stationary::z:
      for (std::int64_t m = 0; m < gemm.m; m += tile.m) {
        for (std::int64_t n = 0; n < gemm.n; n += tile.n) {
          for (std::int64_t k = 0; k < gemm.k; k += tile.k) {
            if (!run_a(m, k) || !run_b(k, n)) return;
          }
          if (!run_z(m, n, true)) return;
        }
      }
      return;
    case Stationary::a:
      for (std::int64_t m = 0; m < gemm.m; m += tile.m) {
        for (std::int64_t k = 0; k < gemm.k; k += tile.k) {
          if (!run_a(m, k)) return;
          for (std::int64_t n = 0; n < gemm.n; n += tile.n) {
            if (!run_b(k, n) || !partial_sums(m, n, k)) return;
          }
        }
      }
      return;
    case Stationary::b:
      for (std::int64_t n = 0; n < gemm.n; n += tile.n) {
        for (std::int64_t k = 0; k < gemm.k; k += tile.k) {
          if (!run_b(k, n)) return;
          for (std::int64_t m = 0; m < gemm.m; m += tile.m) {
            if (!run_a(m, k) || !partial_sums(m, n, k)) return;
          }
        }
      }
      return;
  }
}

}  // namespace pimsweep::systems::allspark::cycle
