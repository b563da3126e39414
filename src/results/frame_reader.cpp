#include "results/frame_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "results/hdf5_read.h"

namespace pimsweep::results {

namespace {

bool exact_as_double(std::int64_t number) {
  constexpr std::int64_t limit = std::int64_t{1} << 53;
  return -limit <= number && number <= limit;
}

std::uint64_t count_rows(const std::vector<RowRange>& ranges) {
  std::uint64_t count = 0;
  for (const RowRange& range : ranges) count += range.last - range.first;
  return count;
}

/// The cells of some rows, each made by `cell(row)`.
template <typename Cell>
auto cells_of(const std::vector<RowRange>& ranges, const Cell& cell) {
  std::vector<decltype(cell(std::uint64_t{0}))> cells;
  cells.reserve(count_rows(ranges));
  for (const RowRange& range : ranges) {
    for (std::uint64_t row = range.first; row < range.last; ++row) cells.push_back(cell(row));
  }
  return cells;
}

}  // namespace

FrameReader::FrameReader(hid_t file, const std::string& path, const std::string& group)
    : path_(path), group_(hdf5::open_group(file, path, group)) {
  bool first = true;
  for (const std::string& name : hdf5::members(group_.get(), H5O_TYPE_DATASET)) {
    ColumnReader reader(group_.get(), path, name);
    if (!std::exchange(first, false) && reader.rows() != rows_) {
      throw InputError(
          fmt::format("'{}': column '{}' has {} rows, the others have {}", path, name, reader.rows(), rows_));
    }
    rows_ = reader.rows();
    if (reader.role() != ColumnRole::identity) columns_.push_back({std::move(reader)});
  }
}

bool FrameReader::has(const std::string& column) const {
  return std::ranges::any_of(columns_, [&](const Column& one) { return one.reader.name() == column; });
}

ColumnReader& FrameReader::column(const std::string& name) {
  const auto found = std::ranges::find_if(columns_, [&](const Column& one) { return one.reader.name() == name; });
  if (found == columns_.end()) throw InputError(fmt::format("'{}' has no column '{}'", path_, name));
  return found->reader;
}

std::size_t FrameReader::row_bytes(const Wanted& wanted) const {
  std::size_t bytes = 0;
  for (const Column& column : columns_) {
    if (wanted(column.reader)) bytes += column.reader.type() == ValueType::text ? sizeof(std::string) : sizeof(double);
  }
  return bytes;
}

DataFrame FrameReader::read(const std::vector<RowRange>& rows, const Wanted& wanted) {
  DataFrame frame;
  frame.rows = count_rows(rows);
  for (Column& column : columns_) {
    if (wanted(column.reader)) frame.columns.emplace(column.reader.name(), read(column, rows));
  }
  return frame;
}

bool FrameReader::is_exact(Column& column) {
  if (!column.is_exact) {
    bool exact = true;
    for (std::uint64_t row = 0; exact && row < column.reader.rows(); ++row)
      exact = exact_as_double(column.reader.integer(row));
    column.is_exact = exact;
  }
  return *column.is_exact;
}

DataColumn FrameReader::read(Column& column, const std::vector<RowRange>& rows) {
  ColumnReader& reader = column.reader;
  DataColumn read;
  read.unit = reader.unit();
  read.role = reader.role();
  read.follows_hardware = reader.follows_hardware();
  read.is_choice = reader.is_choice();
  switch (reader.type()) {
    case ValueType::integer:
    case ValueType::boolean:
      if (is_exact(column))
        read.numbers = cells_of(rows, [&](std::uint64_t row) { return static_cast<double>(reader.integer(row)); });
      else
        read.texts = cells_of(rows, [&](std::uint64_t row) { return fmt::format("{}", reader.integer(row)); });
      break;
    case ValueType::real:
      read.numbers = cells_of(rows, [&](std::uint64_t row) { return reader.real(row); });
      break;
    case ValueType::text:
      read.texts = cells_of(rows, [&](std::uint64_t row) { return std::string(reader.text(row)); });
      break;
  }
  return read;
}

}  // namespace pimsweep::results
