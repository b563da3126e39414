#include "systems/rtconc/regression/linear_solve.h"

#include <cmath>

#include "base/downward.h"

namespace pimsweep::systems::rtconc::regression {

void solve_symmetric(std::vector<double>& matrix, std::vector<double>& right, std::size_t size) {
  // Of a pivot that has lost all but the last digits nothing is left.
  constexpr double lost = 1e-10;
  const auto at = [&](std::size_t row, std::size_t column) -> double& { return matrix[row * size + column]; };
  std::vector<char> open(size, 0);
  for (std::size_t j = 0; j < size; ++j) {
    const double before = at(j, j);
    double pivot = before;
    for (std::size_t k = 0; k < j; ++k) pivot -= at(j, k) * at(j, k);
    open[j] = !(pivot > lost * before) ? 1 : 0;
    at(j, j) = open[j] ? 1 : std::sqrt(pivot);
    for (std::size_t i = j + 1; i < size; ++i) {
      if (open[j]) {
        at(i, j) = 0;
        continue;
      }
      double sum = at(i, j);
      for (std::size_t k = 0; k < j; ++k) sum -= at(i, k) * at(j, k);
      at(i, j) = sum / at(j, j);
    }
    if (open[j]) {
      for (std::size_t k = 0; k < j; ++k) at(j, k) = 0;
    }
  }
  for (std::size_t j = 0; j < size; ++j) {
    for (std::size_t k = 0; k < j; ++k) right[j] -= at(j, k) * right[k];
    right[j] = open[j] ? 0 : right[j] / at(j, j);
  }
  for (const std::size_t j : downward(size)) {
    for (std::size_t i = j + 1; i < size; ++i) right[j] -= at(i, j) * right[i];
    right[j] = open[j] ? 0 : right[j] / at(j, j);
  }
}

}  // namespace pimsweep::systems::rtconc::regression
