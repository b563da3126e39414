#pragma once

#include <cstdint>

namespace pimsweep::hardware::pe_array {

/// Z[m, n] = A[m, k] x B[k, n]: m rows of activations, n output channels, reduction over k.
struct Gemm {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  /// Words of A in DRAM, at most m k: those of the map in whose windows the rows of a convolution lie. 0: m k.
  std::int64_t stored_a = 0;
  /// Words of B in DRAM, fewer than k n if its numbers have fewer bits there. 0: k n.
  std::int64_t stored_b = 0;

  std::int64_t a_words() const { return stored_a > 0 ? stored_a : m * k; }
  std::int64_t b_words() const { return stored_b > 0 ? stored_b : k * n; }
  friend bool operator==(const Gemm&, const Gemm&) = default;
};

}  // namespace pimsweep::hardware::pe_array
