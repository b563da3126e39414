#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "calibrate/error_factor.h"
#include "calibrate/fit_plan.h"

namespace pimsweep::calibrate {

/// Loss and constants of one task, in SI units; NaN for constants that were not fitted.
struct TaskResult {
  double loss = 0;
  std::vector<double> constants;
};

/// Errors of predictions: relative ones, or differences where the error is absolute.
struct ErrorSummary {
  std::size_t values = 0;
  /// Quantiles of the absolute errors.
  double median = 0;
  double percentile90 = 0;
  /// Median of the signed errors.
  double bias = 0;
  /// Kendall's tau of predictions and references; NaN where it is not defined.
  double rank = 0;
  /// Share of the values with an error of at most 10 and 25 %.
  double within10 = 0;
  double within25 = 0;
};

/// Errors with the constants of the file, with the fitted ones, and with those of the file and one common factor that
/// was fitted to the same rows.
struct Comparison {
  std::string name;
  ErrorSummary before;
  ErrorSummary after;
  ErrorSummary factor;
};

struct ConstantReport {
  std::string name;
  std::string unit;
  double before = 0;
  double after = 0;
  /// False if the screening left it out.
  bool is_fitted = false;
  /// Root mean square of the change of the rows over its range, in the measure of the error.
  double influence = 0;
  bool moves_rows = false;
  /// The range in which it was fitted.
  double range_low = 0;
  double range_high = 0;
  /// Range of confidence of 95 %: of the profile and the jackknife, and the wider of both; NaN if it was not asked for.
  /// An end may be that of the range in which the constant was fitted.
  std::pair<double, double> profile{systems::no_number, systems::no_number};
  std::pair<double, double> jackknife{systems::no_number, systems::no_number};
  std::pair<double, double> confidence{systems::no_number, systems::no_number};
};

/// Two constants whose fits depend on each other.
struct PairReport {
  std::size_t first = 0;
  std::size_t second = 0;
  double correlation = 0;
  /// The rows determine one combination of both only.
  bool act_together = false;
};

/// A value of a row: NaN where there is none.
struct RowReport {
  std::size_t row = 0;
  std::size_t observation = 0;
  double reference = 0;
  double before = 0;
  double after = 0;
  /// Prediction of a fit without the row, with the number of its split.
  double held_out = 0;
  std::size_t split = 0;
  /// False if no fitted constant changes the prediction: it says nothing about them.
  bool is_moved = false;
};

/// Result of a calibration.
struct Report {
  std::vector<ConstantReport> constants;
  std::vector<PairReport> pairs;
  /// Rows that are used, rows without a result and the reason of the last one.
  std::size_t rows = 0;
  std::size_t groups = 0;
  std::size_t excluded = 0;
  std::string reason;
  /// All rows with the fit to all of them.
  Comparison fitted;
  /// Rows that were held out, of all splits, by class and by split.
  Comparison held_out;
  std::vector<Comparison> classes;
  std::vector<Comparison> splits;
  /// Fitted constants of each split.
  std::vector<std::vector<double>> split_constants;
  /// Mean and standard deviation over the splits of what the fit takes off the median error.
  double improvement = 0;
  double improvement_spread = 0;
  bool keep_old = false;
  /// Residuals of held-out rows, and of those that each error factor of the hardware file covers.
  Spread spread;
  std::vector<ErrorFactor> error_factors;
  std::vector<RowReport> values;
  /// Digest of rows, constants and settings.
  std::string content;
  /// The error that the calibration measures.
  sweep::FitError error = sweep::FitError::log;
};

/// Judges the fits of a study of fit_plan(), whose tasks had these results in their order.
Report analyze(const sweep::Study& fits, const std::vector<TaskResult>& results, const ConfigFolders& configs);

/// "12.3 %", or the number itself where errors are absolute.
std::string error_text(const Report& report, double error);

/// The value of the fit, in a sentence.
std::string verdict(const Report& report);

}  // namespace pimsweep::calibrate
