#include "results/stored_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "results/hdf5_read.h"
#include "results/open_results.h"
#include "results/point_column.h"
#include "sweep/expression_tokens.h"
#include "systems/system.h"

namespace pimsweep::results {

namespace {

constexpr std::string_view points_table = "points";

std::string path_of(const std::string& study, const std::string& table) {
  return table == points_table ? study : fmt::format("{}/{}", study, table);
}

}  // namespace

std::vector<std::string> table_names(const std::string& results_file, const std::string& study) {
  const Hdf5Handle file = open_results(results_file);
  const Hdf5Handle group = hdf5::open_group(file.get(), results_file, study);
  std::vector<std::string> names{std::string(points_table)};
  for (std::string& table : hdf5::members(group.get(), H5O_TYPE_GROUP)) names.push_back(std::move(table));
  return names;
}

struct StoredTable::Data {
  std::string path;
  std::string study;
  Hdf5Handle file;
  Hdf5Handle group;
  std::string system;
  std::vector<std::string> names = {};
  std::vector<std::string> units = {};
  std::vector<std::string> absent = {};
  std::vector<PointColumn> columns = {};
  /// Index of the column `status`, which detail tables lack.
  std::optional<std::size_t> status = {};

  std::uint64_t rows() const { return columns.empty() ? 0 : columns.front().rows(); }
  void add(ColumnReader column);
  void add_expression(const std::string& text, ProblemList& problems);
};

void StoredTable::Data::add(ColumnReader column) {
  if (column.role() == ColumnRole::identity) return;
  if (!columns.empty() && column.rows() != rows()) {
    throw InputError(
        fmt::format("'{}': column '{}' has {} rows, the others have {}", path, column.name(), column.rows(), rows()));
  }
  names.push_back(column.name());
  units.push_back(column.unit());
  absent.push_back(hdf5::read_text_attribute(column.dataset(), "absent"));
  columns.emplace_back(std::move(column));
}

void StoredTable::Data::add_expression(const std::string& text, ProblemList& problems) {
  systems::Schema schema;
  schema.name = system;
  for (const PointColumn& column : columns) add_name(column, schema);
  std::optional<ColumnExpression> expression = compile_expression(text, schema, problems);
  if (!expression) return;
  std::vector<ColumnReader> operands;
  operands.reserve(expression->operands.size());
  for (const std::string& operand : expression->operands) operands.emplace_back(group.get(), path, operand);
  columns.emplace_back(text, std::move(*expression), std::move(operands));
  names.push_back(text);
  units.push_back(columns.back().unit());
  absent.emplace_back("a column in it is missing, or its value is not finite");
}

StoredTable::StoredTable(const std::string& results_file, const std::string& study, const std::string& table)
    : data_(new Data{results_file, study, open_results(results_file), {}, {}}) {
  const hid_t file = data_->file.get();
  data_->system = hdf5::read_text_attribute(hdf5::open_group(file, results_file, study).get(), "system");
  data_->group = hdf5::open_group(file, results_file, path_of(study, table));
  const Hdf5Handle& group = data_->group;
  for (const std::string& name : hdf5::members(group.get(), H5O_TYPE_DATASET)) {
    data_->add(ColumnReader(group.get(), results_file, name));
  }
  const auto status = std::find(data_->names.begin(), data_->names.end(), "status");
  if (table == points_table && status != data_->names.end()) {
    data_->status = static_cast<std::size_t>(status - data_->names.begin());
  }
}

StoredTable::~StoredTable() = default;

const std::string& StoredTable::study() const { return data_->study; }
const std::string& StoredTable::system() const { return data_->system; }
std::uint64_t StoredTable::rows() const { return data_->rows(); }
const std::vector<std::string>& StoredTable::names() const { return data_->names; }
const std::string& StoredTable::unit(std::size_t column) const { return data_->units[column]; }
const std::string& StoredTable::absent(std::size_t column) const { return data_->absent[column]; }

std::vector<std::size_t> StoredTable::indices(const std::vector<std::string>& names) {
  std::vector<std::size_t> indices;
  ProblemList problems;
  for (const std::string& name : names) {
    if (std::ranges::find(data_->names, name) == data_->names.end() && !sweep::is_name(name)) {
      indices.push_back(data_->names.size());
      data_->add_expression(name, problems);
      continue;
    }
    const auto found = std::find(data_->names.begin(), data_->names.end(), name);
    indices.push_back(static_cast<std::size_t>(found - data_->names.begin()));
    if (found != data_->names.end()) continue;
    problems.add({}, fmt::format("study '{}' has no column '{}'{}; it has {}", data_->study, name,
                                 suggestion(name, data_->names), list_of_columns(data_->names)));
  }
  problems.throw_if_any();
  return indices;
}

ValueType StoredTable::type(std::size_t column) const {
  return column == data_->status ? ValueType::text : data_->columns[column].type();
}

void StoredTable::get(std::uint64_t row, std::size_t column, Value& value) {
  PointColumn& cells = data_->columns[column];
  if (column == data_->status) {
    value = std::string(systems::name_of(static_cast<systems::Status>(cells.integer(row))));
  } else {
    cells.get(row, value);
  }
}

Value StoredTable::get(std::uint64_t row, std::size_t column) {
  Value value;
  get(row, column, value);
  return value;
}

}  // namespace pimsweep::results
