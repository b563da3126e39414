#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "results/ranking.h"
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

/// For rankings of points that fulfill conditions; every point fulfills none.
std::function<results::RowPredicate(const std::string&)> points_where(const std::string& results,
                                                                      const std::vector<std::string>& conditions);

}  // namespace pimsweep::commands
