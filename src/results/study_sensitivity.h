#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/sensitivity.h"

namespace pimsweep::results {

/// How the indices of a study were found.
enum class SensitivityMethod : std::uint8_t { factorial, saltelli, given_data };

/// What each axis of a study does to one metric.
struct StudySensitivity {
  struct OfAxis {
    std::string axis;
    /// Values that it has, or bins of them.
    std::size_t levels = 0;
    sensitivity::Share first_order;
    /// Not from given data.
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
  /// Of these, with a result and a number, and in a whole block of the design.
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
