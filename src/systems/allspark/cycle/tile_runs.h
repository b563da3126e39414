#pragma once

#include <algorithm>
#include <cstdint>

#include "hardware/pe_array/gemm_mapper.h"

namespace pimsweep::systems::allspark::cycle {

/// A run of adjacent words of one operand of a GEMM.
struct TileRun {
  enum Operand : std::uint8_t { a, b, z };
  Operand operand = a;
  /// Position in the operand, whose tiles are stored consecutively.
  std::int64_t first = 0;
  std::int64_t words = 0;
  bool write = false;
};

/// The reads and writes of a GEMM's tiles, in the order of its mapping's loops. Every function returns
/// false once the visitor does, which ends the walk.
template <class Visit>
class TileWalk {
 public:
  TileWalk(const hardware::pe_array::Gemm& gemm, const hardware::pe_array::Gemm& tile, Visit& visit)
      : gemm_(gemm), tile_(tile), visit_(visit) {}

  bool keep_everything() { return read_a(0, 0) && read_b(0, 0) && write_z(0, 0); }

  /// Sums stay in the buffer until they are complete.
  bool keep_z() {
    return over_m([&](std::int64_t m) {
      return over_n([&](std::int64_t n) {
        return over_k([&](std::int64_t k) { return read_a(m, k) && read_b(k, n); }) && write_z(m, n);
      });
    });
  }
  bool keep_a() {
    return over_m([&](std::int64_t m) {
      return over_k([&](std::int64_t k) {
        return read_a(m, k) && over_n([&](std::int64_t n) { return read_b(k, n) && add_to_z(m, n, k); });
      });
    });
  }
  bool keep_b() {
    return over_n([&](std::int64_t n) {
      return over_k([&](std::int64_t k) {
        return read_b(k, n) && over_m([&](std::int64_t m) { return read_a(m, k) && add_to_z(m, n, k); });
      });
    });
  }

 private:
  template <class Body>
  static bool over(std::int64_t whole, std::int64_t tile, const Body& body) {
    for (std::int64_t at = 0; at < whole; at += tile) {
      if (!body(at)) return false;
    }
    return true;
  }
  template <class Body>
  bool over_m(const Body& body) {
    return over(gemm_.m, tile_.m, body);
  }
  template <class Body>
  bool over_n(const Body& body) {
    return over(gemm_.n, tile_.n, body);
  }
  template <class Body>
  bool over_k(const Body& body) {
    return over(gemm_.k, tile_.k, body);
  }

  bool read_a(std::int64_t m, std::int64_t k) {
    const std::int64_t rows = rows_at(m);
    return visit_(TileRun{TileRun::a, m * gemm_.k + rows * k, rows * depth_at(k), false});
  }
  bool read_b(std::int64_t k, std::int64_t n) {
    const std::int64_t cols = cols_at(n);
    return visit_(TileRun{TileRun::b, n * gemm_.k + cols * k, cols * depth_at(k), false});
  }
  bool read_z(std::int64_t m, std::int64_t n) { return visit_z(m, n, false); }
  bool write_z(std::int64_t m, std::int64_t n) { return visit_z(m, n, true); }
  bool visit_z(std::int64_t m, std::int64_t n, bool write) {
    const std::int64_t rows = rows_at(m);
    return visit_(TileRun{TileRun::z, m * gemm_.n + rows * n, rows * cols_at(n), write});
  }
  /// Partial sums come back from DRAM in all steps over K but the first.
  bool add_to_z(std::int64_t m, std::int64_t n, std::int64_t k) { return (k == 0 || read_z(m, n)) && write_z(m, n); }

  std::int64_t rows_at(std::int64_t m) const { return std::min(tile_.m, gemm_.m - m); }
  std::int64_t cols_at(std::int64_t n) const { return std::min(tile_.n, gemm_.n - n); }
  std::int64_t depth_at(std::int64_t k) const { return std::min(tile_.k, gemm_.k - k); }

  const hardware::pe_array::Gemm& gemm_;
  const hardware::pe_array::Gemm& tile_;
  Visit& visit_;
};

/// Calls visit(TileRun) for every run of a mapping in order, until it returns false. All runs together have the words
/// of the mapping.
template <class Visit>
void for_each_run(const hardware::pe_array::Gemm& gemm, const hardware::pe_array::GemmMapping& mapping, Visit visit) {
  TileWalk walk(gemm, mapping.tile, visit);
  using hardware::pe_array::Stationary;
  switch (mapping.stationary) {
    case Stationary::everything:
      walk.keep_everything();
      return;
    case Stationary::z:
      walk.keep_z();
      return;
    case Stationary::a:
      walk.keep_a();
      return;
    case Stationary::b:
      walk.keep_b();
      return;
  }
}

}  // namespace pimsweep::systems::allspark::cycle
