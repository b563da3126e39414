#pragma once

#include <string_view>

/// c[rows, columns] = a[rows, depth] b[depth, columns], row-major. The longer side of c is split between so many
/// threads, each of which multiplies by OpenBLAS where it is installed, else by a blocked product of our own.
void multiply(int threads, int rows, int columns, int depth, const float* a, const float* b, float* c);

std::string_view gemm_library();
