#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/value.h"
#include "driver/search_log.h"
#include "results/study_view.h"
#include "sweep/search_settings.h"

namespace pimsweep::driver {

/// Columns of the points of a search: the generation of each, whether it is feasible, and whether it is in
/// the front.
std::vector<results::ColumnInfo> search_columns(const sweep::SearchSettings& search);

/// Attributes of the study of a search.
std::vector<std::pair<std::string, std::string>> search_attributes(const sweep::SearchSettings& search);

/// The cells of one point in these columns.
class SearchCells {
 public:
  /// Appends pointers to the cells of a row, which stay valid until the next call.
  void append(const SearchLog::Row& row, std::vector<const Value*>& cells);

 private:
  Value generation_;
  Value is_feasible_;
  Value is_in_front_;
};

/// The table of the generations of a search, and one with its rows.
systems::Table generation_table();
results::FilledTable filled_generations(const SearchLog& log);

}  // namespace pimsweep::driver
