#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace pimsweep::calibrate {

/// Residual of a row under a fit without it.
struct Residual {
  /// Class of the row.
  std::size_t kind = 0;
  /// Logarithm of predicted / reference.
  double logarithm = 0;
};

/// Standard deviations of residuals: of what the rows of a class have in common, and of the rest, which averages out
/// over rows.
struct Spread {
  double common = 0;
  double by_row = 0;
};
Spread spread_of(const std::vector<Residual>& residuals);

/// The distribution of a constant that stands for the error of the model (hardware.error.gemm, for one): a log-normal
/// factor on the predictions of some rows.
struct ErrorFactor {
  std::string name;
  std::size_t values = 0;
  Spread spread;
  /// Quantiles of 5 and 95 % of measured / predicted.
  double low = 1;
  double high = 1;
};

/// The interval around the median of reference / predicted, of equal distance to both sides on a logarithmic scale,
/// that holds 90 % of further rows whatever the distribution (rank 0.9 (n + 1) of n distances: conformal prediction).
/// It contains 1, the value of the fitted model. Empty for fewer rows than determine it.
std::optional<ErrorFactor> error_factor(std::string name, const std::vector<Residual>& residuals);

}  // namespace pimsweep::calibrate
