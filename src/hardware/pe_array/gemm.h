#pragma once

#include <cstdint>

namespace pimsweep::hardware::pe_array {

/// Z[m, n] = A[m, k] x B[k, n]: m rows of activations, n output channels, reduction over k.
struct Gemm {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  friend bool operator==(const Gemm&, const Gemm&) = default;
};

}  // namespace pimsweep::hardware::pe_array
