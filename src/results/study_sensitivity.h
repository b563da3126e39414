#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/sensitivity.h"

namespace pimsweep::results {

/// Method that gave the indices of a study.
enum class SensitivityMethod : std::uint8_t { factorial, saltelli, given_data };

/// Influence of each axis of a study on one metric.
struct StudySensitivity {
  struct OfAxis {
    /// An axis, or "a + b" for axes that advance together.
    std::string axis;
    /// Number of values of the axis, and of bins of values where there are fewer.
    std::size_t levels = 0;
    std::size_t bins = 0;
    sensitivity::Share first_order;
    /// Unknown for given data.
    std::optional<sensitivity::Share> total;
  };
  struct OfPair {
    std::string a;
    std::string b;
    sensitivity::Share interaction;
  };
  std::string study;
  SensitivityMethod method = SensitivityMethod::given_data;
  std::uint64_t points = 0;
  /// Points with a result and a number, in a complete block of the design.
  std::uint64_t used = 0;
  double mean = 0;
  double standard_deviation = 0;
  /// By first-order index, the largest first.
  std::vector<OfAxis> axes;
  /// By interaction, the largest first.
  std::vector<OfPair> pairs;
};

/// The indices of a metric that is a number: exact where the study is a whole grid, by the design's estimators where it
/// is a sample of method "saltelli", else from the points as given (docs/explore.md). Throws InputError for a name that
/// the study lacks, and where there is nothing to explain: no axis varies, or the metric does not.
StudySensitivity find_sensitivity(const std::string& results_file, const std::string& study, const std::string& metric);

}  // namespace pimsweep::results
