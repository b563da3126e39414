#include "gemm.h"

#include <algorithm>
#include <cstddef>

#ifdef PIMSWEEP_OPENBLAS
#include <cblas.h>
#endif

namespace {

/// Part of a GEMM with one thread; `stride` is the number of columns of b and c in memory.
void multiply_part(int rows, int columns, int depth, int stride, const float* a, const float* b, float* c) {
#ifdef PIMSWEEP_OPENBLAS
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, depth, 1, a, depth, b, stride, 0, c, stride);
#else
  constexpr int block = 64;
  for (int k0 = 0; k0 < depth; k0 += block) {
    for (int row = 0; row < rows; ++row) {
      float* sums = c + static_cast<std::ptrdiff_t>(row) * stride;
      if (k0 == 0) std::fill_n(sums, columns, 0.0F);
      for (int k = k0; k < std::min(depth, k0 + block); ++k) {
        const float factor = a[static_cast<std::ptrdiff_t>(row) * depth + k];
        const float* values = b + static_cast<std::ptrdiff_t>(k) * stride;
        for (int column = 0; column < columns; ++column) sums[column] += factor * values[column];
      }
    }
  }
#endif
}

}  // namespace

void multiply(int threads, int rows, int columns, int depth, const float* a, const float* b, float* c) {
#ifdef PIMSWEEP_OPENBLAS
  openblas_set_num_threads(1);
#endif
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int part = 0; part < threads; ++part) {
    const auto share = [&](int all, int index) { return static_cast<int>(static_cast<long>(all) * index / threads); };
    if (rows >= columns) {
      const int first = share(rows, part);
      const auto offset = static_cast<std::ptrdiff_t>(first);
      multiply_part(share(rows, part + 1) - first, columns, depth, columns, a + offset * depth, b,
                    c + offset * columns);
    } else {
      const int first = share(columns, part);
      multiply_part(rows, share(columns, part + 1) - first, depth, columns, a, b + first, c + first);
    }
  }
}

std::string_view gemm_library() {
#ifdef PIMSWEEP_OPENBLAS
  return "OpenBLAS";
#else
  return "our own loops";
#endif
}
