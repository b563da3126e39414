#pragma once

#include <cstddef>
#include <vector>

namespace pimsweep::systems::rtconc::regression {

/// Solves the symmetric positive semidefinite system (row by row, `size` unknowns) in place by Cholesky's method;
/// unknowns that the others determine are set to 0.
void solve_symmetric(std::vector<double>& matrix, std::vector<double>& right, std::size_t size);

}  // namespace pimsweep::systems::rtconc::regression
