#pragma once

#include <cstddef>
#include <cstdint>
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

/// The distribution of a constant that stands for the error of the model: a log-normal factor on the predictions of
/// some rows.
struct ErrorFactor {
  /// Errors of rows that it describes: all, or the part that those of a class have in common, or the rest, which
  /// differs from shape to shape (hardware.error.gemm, hardware.error.gemm_by_shape).
  enum class Part : std::uint8_t { all, common, by_shape };
  std::string name;
  Part part = Part::all;
  std::size_t values = 0;
  /// Quantiles of 5 and 95 % of measured / predicted.
  double low = 1;
  double high = 1;
};

/// The factors of a constant; empty for fewer rows than determine them. With `has_shapes`, the model has one for what
/// rows of a class have in common and one by shape, otherwise one for both.
///
/// All errors, and those by shape, lie in the interval around their median, of equal distance to both sides on a
/// logarithmic scale, that holds 90 % of further rows whatever the distribution (rank 0.9 (n + 1) of n distances:
/// conformal prediction). The common factor has the spread of the medians of the classes, and the sampling error of
/// the median of all. Each interval contains 1, the value of the fitted model.
std::vector<ErrorFactor> error_factors(const std::string& name, bool has_shapes,
                                       const std::vector<Residual>& residuals);

}  // namespace pimsweep::calibrate
