#include "gemm.h"

#ifdef PIMSWEEP_OPENBLAS

#include <cblas.h>

void multiply(int threads, int rows, int columns, int depth, const float* a, const float* b, float* c) {
  openblas_set_num_threads(threads);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, depth, 1, a, depth, b, columns, 0, c, columns);
}

std::string_view gemm_library() { return "OpenBLAS"; }

#else

#include <algorithm>
#include <cstddef>

void multiply(int threads, int rows, int columns, int depth, const float* a, const float* b, float* c) {
  constexpr int block = 64;
  const auto at = [](int row, int width, int column) {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(width) + static_cast<std::size_t>(column);
  };
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int row = 0; row < rows; ++row) {
    std::fill_n(c + at(row, columns, 0), columns, 0.0F);
    for (int k0 = 0; k0 < depth; k0 += block) {
      for (int k = k0; k < std::min(depth, k0 + block); ++k) {
        const float factor = a[at(row, depth, k)];
        for (int column = 0; column < columns; ++column)
          c[at(row, columns, column)] += factor * b[at(k, columns, column)];
      }
    }
  }
}

std::string_view gemm_library() { return "our own product"; }

#endif
