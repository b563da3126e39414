#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/study_columns.h"
#include "sweep/condition.h"

namespace pimsweep::commands {

/// Conditions over the columns of a study: `where` of experiment files (docs/experiment-files.md), with metrics, labels
/// and "status" as names too. Metrics that a point lacks fulfill nothing.
class RowFilter {
 public:
  /// Nothing where there is no condition. Throws InputError with all problems of all conditions.
  static std::optional<RowFilter> compile(const results::StudyColumns& study,
                                          const std::vector<std::string>& conditions);
  bool keeps(std::uint64_t row);

 private:
  struct Part {
    sweep::Condition condition;
    /// One for each operand.
    std::vector<results::ColumnReader> operands = {};
  };

  std::vector<Part> parts_;
  Value cell_;
};

}  // namespace pimsweep::commands
