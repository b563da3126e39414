#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "results/stored_table.h"
#include "sweep/condition.h"

namespace pimsweep::commands {

/// Conditions over the columns of a table: `where` of experiment files (docs/experiment-files.md), with metrics, labels
/// and `status` as names too. A number that a row lacks fulfills nothing.
class RowFilter {
 public:
  /// Throws InputError with all problems of all conditions.
  RowFilter(results::StoredTable& table, const std::vector<std::string>& conditions);
  /// True where there is no condition.
  bool keeps(std::uint64_t row);

 private:
  results::StoredTable& table_;
  std::vector<sweep::Condition> conditions_;
  Value cell_;
};

}  // namespace pimsweep::commands
