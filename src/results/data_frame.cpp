#include "results/data_frame.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/error.h"
#include "results/column_reader.h"
#include "results/hdf5_read.h"

namespace pimsweep::results {

namespace {

bool exact_as_double(std::int64_t number) {
  constexpr std::int64_t limit = std::int64_t{1} << 53;
  return -limit <= number && number <= limit;
}

void read_integers(ColumnReader& reader, DataColumn& column) {
  bool exact = true;
  for (std::uint64_t row = 0; row < reader.rows(); ++row) {
    column.numbers.push_back(static_cast<double>(reader.integer(row)));
    exact = exact && exact_as_double(reader.integer(row));
  }
  if (exact) return;
  column.numbers.clear();
  for (std::uint64_t row = 0; row < reader.rows(); ++row)
    column.texts.push_back(fmt::format("{}", reader.integer(row)));
}

DataColumn read_column(ColumnReader& reader) {
  DataColumn column;
  column.unit = reader.unit();
  column.role = reader.role();
  column.follows_hardware = reader.follows_hardware();
  column.is_choice = reader.is_choice();
  switch (reader.type()) {
    case ValueType::integer:
    case ValueType::boolean:
      read_integers(reader, column);
      break;
    case ValueType::real:
      for (std::uint64_t row = 0; row < reader.rows(); ++row) column.numbers.push_back(reader.real(row));
      break;
    case ValueType::text:
      for (std::uint64_t row = 0; row < reader.rows(); ++row) column.texts.emplace_back(reader.text(row));
      break;
  }
  return column;
}

DataFrame read_group(hid_t group, const std::string& path) {
  DataFrame frame;
  bool first = true;
  for (const std::string& name : hdf5::members(group, H5O_TYPE_DATASET)) {
    ColumnReader reader(group, path, name);
    if (!std::exchange(first, false) && reader.rows() != frame.rows) {
      throw InputError(
          fmt::format("'{}': column '{}' has {} rows, the others have {}", path, name, reader.rows(), frame.rows));
    }
    frame.rows = reader.rows();
    if (reader.role() != "identity") frame.columns.emplace(name, read_column(reader));
  }
  return frame;
}

const DataColumn& column_named(const DataFrame& frame, const std::string& name, const std::string& path) {
  const auto found = frame.columns.find(name);
  if (found == frame.columns.end()) throw InputError(fmt::format("'{}' has no column '{}'", path, name));
  return found->second;
}

}  // namespace

DataFrame read_study(const std::string& results_file, const std::string& study) {
  const Hdf5Handle file = hdf5::open_results(results_file);
  return read_group(hdf5::open_group(file.get(), results_file, study).get(), results_file);
}

DataFrame read_detail(const std::string& results_file, const std::string& study, const std::string& table,
                      const DataFrame& points, const Wanted& wanted) {
  DataFrame detail;
  {
    const Hdf5Handle file = hdf5::open_results(results_file);
    detail = read_group(hdf5::open_group(file.get(), results_file, study + "/" + table).get(), results_file);
  }
  const DataColumn owner = column_named(detail, "point", results_file);
  if (owner.is_text())
    throw InputError(fmt::format("'{}': table '{}' has rows of unknown points", results_file, table));
  for (const double point : owner.numbers) {
    if (!(point >= 0 && point < static_cast<double>(points.rows)))
      throw InputError(fmt::format("'{}': table '{}' has rows of the unknown point {}", results_file, table, point));
  }
  for (const auto& [name, column] : points.columns) {
    if (detail.columns.contains(name) || !wanted(name)) continue;
    DataColumn joined;
    joined.unit = column.unit;
    joined.role = column.role;
    joined.follows_hardware = column.follows_hardware;
    for (const double point : owner.numbers) {
      const auto row = static_cast<std::size_t>(point);
      if (column.is_text())
        joined.texts.push_back(column.texts[row]);
      else
        joined.numbers.push_back(column.numbers[row]);
    }
    detail.columns.emplace(name, std::move(joined));
  }
  return detail;
}

void append_cell(const DataColumn& column, std::size_t row, std::string& key) {
  if (column.is_text()) {
    key += column.texts[row];
  } else {
    key.append(reinterpret_cast<const char*>(&column.numbers[row]), sizeof(double));
  }
  key += '\x1f';
}

}  // namespace pimsweep::results
