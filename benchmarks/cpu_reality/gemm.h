#pragma once

#include <string_view>

/// c[rows, columns] = a[rows, depth] b[depth, columns], row-major. The longer side of c is split between the threads,
/// each of which uses OpenBLAS if it is installed, otherwise our own blocked GEMM.
void multiply(int threads, int rows, int columns, int depth, const float* a, const float* b, float* c);

std::string_view gemm_library();
