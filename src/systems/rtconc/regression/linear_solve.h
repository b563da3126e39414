#pragma once

#include <cstddef>
#include <vector>

namespace pimsweep::systems::rtconc::regression {

/// The Cholesky factors of a symmetric positive semidefinite matrix, to solve systems with it.
class SymmetricFactors {
 public:
  /// Takes the lower half of the matrix, row by row, of `size` rows.
  SymmetricFactors(std::vector<double> matrix, std::size_t size);
  /// Replaces the right side by the unknowns; those that the others determine are 0.
  void solve(std::vector<double>& right) const;

 private:
  double& at(std::size_t row, std::size_t column) { return matrix_[row * size_ + column]; }
  double at(std::size_t row, std::size_t column) const { return matrix_[row * size_ + column]; }

  std::vector<double> matrix_;
  std::size_t size_;
  /// Which unknowns the others determine.
  std::vector<char> open_;
};

}  // namespace pimsweep::systems::rtconc::regression
