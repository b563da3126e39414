#include "systems/rtconc/regression/linear_solve.h"

#include <cmath>
#include <utility>

#include "base/downward.h"

namespace pimsweep::systems::rtconc::regression {

SymmetricFactors::SymmetricFactors(std::vector<double> matrix, std::size_t size)
    : matrix_(std::move(matrix)), size_(size), open_(size, 0) {
  // Of a pivot that has lost all but the last digits nothing is left.
  constexpr double lost = 1e-10;
  for (std::size_t j = 0; j < size_; ++j) {
    const double before = at(j, j);
    double pivot = before;
    for (std::size_t k = 0; k < j; ++k) pivot -= at(j, k) * at(j, k);
    open_[j] = !(pivot > lost * before) ? 1 : 0;
    at(j, j) = open_[j] ? 1 : std::sqrt(pivot);
    for (std::size_t i = j + 1; i < size_; ++i) {
      if (open_[j]) {
        at(i, j) = 0;
        continue;
      }
      double sum = at(i, j);
      for (std::size_t k = 0; k < j; ++k) sum -= at(i, k) * at(j, k);
      at(i, j) = sum / at(j, j);
    }
    if (open_[j]) {
      for (std::size_t k = 0; k < j; ++k) at(j, k) = 0;
    }
  }
}

void SymmetricFactors::solve(std::vector<double>& right) const {
  for (std::size_t j = 0; j < size_; ++j) {
    for (std::size_t k = 0; k < j; ++k) right[j] -= at(j, k) * right[k];
    right[j] = open_[j] ? 0 : right[j] / at(j, j);
  }
  for (const std::size_t j : downward(size_)) {
    for (std::size_t i = j + 1; i < size_; ++i) right[j] -= at(i, j) * right[i];
    right[j] = open_[j] ? 0 : right[j] / at(j, j);
  }
}

}  // namespace pimsweep::systems::rtconc::regression
