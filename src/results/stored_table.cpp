#include "results/stored_table.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "results/hdf5_read.h"
#include "systems/system.h"

namespace pimsweep::results {

namespace {

constexpr std::string_view points_table = "points";

}  // namespace

std::vector<std::string> table_names(const std::string& results_file, const std::string& study) {
  const Hdf5Handle file = hdf5::open_results(results_file);
  const Hdf5Handle group = hdf5::open_group(file.get(), results_file, study);
  std::vector<std::string> names{std::string(points_table)};
  for (std::string& table : hdf5::members(group.get(), H5O_TYPE_GROUP)) names.push_back(std::move(table));
  return names;
}

StoredTable::StoredTable(const std::string& results_file, const std::string& study, const std::string& table)
    : file_(hdf5::open_results(results_file)) {
  const Hdf5Handle group =
      hdf5::open_group(file_.get(), results_file, table == points_table ? study : fmt::format("{}/{}", study, table));
  for (const std::string& name : hdf5::members(group.get(), H5O_TYPE_DATASET)) {
    ColumnReader column(group.get(), results_file, name);
    if (column.role() == "identity") continue;
    units_.push_back(column.unit());
    if (table == points_table && name == "status") status_ = columns_.size();
    if (!columns_.empty() && column.rows() != rows()) {
      throw InputError(
          fmt::format("'{}': column '{}' has {} rows, the others have {}", results_file, name, column.rows(), rows()));
    }
    columns_.push_back(std::move(column));
  }
}

void StoredTable::get(std::uint64_t row, std::size_t column, Value& value) {
  columns_[column].get(row, value);
  if (column == status_)
    value = std::string(systems::name_of(static_cast<systems::Status>(std::get<std::int64_t>(value))));
}

}  // namespace pimsweep::results
