#include "results/machine_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.h"
#include "results/draws.h"
#include "results/hdf5_read.h"

namespace pimsweep::results {

namespace {

template <typename T>
std::vector<T> gathered(const std::vector<T>& values, const std::vector<std::size_t>& rows) {
  std::vector<T> taken;
  if (values.empty()) return taken;
  taken.reserve(rows.size());
  for (const std::size_t row : rows) taken.push_back(values[row]);
  return taken;
}

template <typename T>
bool is_constant(const std::vector<T>& values) {
  return std::ranges::all_of(values, [&](const T& value) { return value == values.front(); });
}

DataColumn cells_of(const DataColumn& column, const std::vector<std::size_t>& rows) {
  // A copy of the column would have all rows.
  return {.numbers = gathered(column.numbers, rows),
          .texts = gathered(column.texts, rows),
          .unit = column.unit,
          .role = column.role,
          .follows_hardware = column.follows_hardware,
          .is_choice = column.is_choice};
}

DataFrame rows_of_machine(const DataFrame& block, const std::vector<std::size_t>& rows) {
  DataFrame part;
  part.rows = rows.size();
  for (const auto& [name, column] : block.columns) {
    DataColumn taken = cells_of(column, rows);
    taken.follows_hardware = taken.follows_hardware || (is_constant(taken.numbers) && is_constant(taken.texts));
    part.columns.emplace(name, std::move(taken));
  }
  return part;
}

/// The machine of each point; nothing if none was drawn.
std::vector<std::uint32_t> read_machines(FrameReader& points, const std::string& path) {
  std::vector<std::uint32_t> machines;
  if (!points.has(draw_column)) return machines;
  ColumnReader& draw = points.column(draw_column);
  if (draw.type() != ValueType::integer || draw.role() != ColumnRole::axis) return machines;
  machines.reserve(points.rows());
  // Each machine has a point at least.
  const std::uint64_t limit = std::min<std::uint64_t>(points.rows(), std::numeric_limits<std::uint32_t>::max());
  for (std::uint64_t point = 0; point < points.rows(); ++point) {
    const std::int64_t machine = draw.integer(point);
    if (machine < 0 || static_cast<std::uint64_t>(machine) >= limit) {
      throw InputError(
          fmt::format("'{}': point {} is of machine {}, but there are only {} points", path, point, machine, limit));
    }
    machines.push_back(static_cast<std::uint32_t>(machine));
  }
  return machines;
}

/// The first row of each point in a table, and behind them the number of rows. `owner` has the point of each row.
std::vector<std::uint64_t> read_first_rows(ColumnReader& owner, std::uint64_t points, const std::string& path,
                                           const std::string& table) {
  if (owner.type() != ValueType::integer)
    throw InputError(fmt::format("'{}': table '{}' has rows of unknown points", path, table));
  std::vector<std::uint64_t> first_rows;
  first_rows.reserve(points + 1);
  std::int64_t before = 0;
  for (std::uint64_t row = 0; row < owner.rows(); ++row) {
    const std::int64_t point = owner.integer(row);
    if (point < 0 || static_cast<std::uint64_t>(point) >= points)
      throw InputError(fmt::format("'{}': table '{}' has rows of the unknown point {}", path, table, point));
    if (point < before)
      throw InputError(
          fmt::format("'{}': table '{}' has rows of point {} behind point {}", path, table, point, before));
    first_rows.resize(std::max(first_rows.size(), static_cast<std::size_t>(point) + 1), row);
    before = point;
  }
  first_rows.resize(points + 1, owner.rows());
  return first_rows;
}

}  // namespace

MachineReader::MachineReader(const std::string& results_file, const std::string& study, std::size_t block_bytes)
    : path_(results_file),
      study_(study),
      block_bytes_(block_bytes),
      file_(hdf5::open_results(results_file)),
      points_(file_.get(), results_file, study),
      machine_of_point_(read_machines(points_, results_file)) {
  if (is_drawn()) machines_ = std::size_t{std::ranges::max(machine_of_point_)} + 1;
}

MachineReader::Table& MachineReader::table_named(const std::string& name) {
  const auto known = tables_.find(name);
  if (known != tables_.end()) return known->second;
  FrameReader rows(file_.get(), path_, study_ + "/" + name);
  std::vector<std::uint64_t> first_rows = read_first_rows(rows.column("point"), points_.rows(), path_, name);
  return tables_.emplace(name, Table{std::move(rows), std::move(first_rows)}).first->second;
}

std::vector<RowRange> MachineReader::points_of(const MachineRange& machines) const {
  if (!is_drawn()) return {{0, points_.rows()}};
  std::vector<RowRange> ranges;
  for (std::uint64_t point = 0; point < machine_of_point_.size(); ++point) {
    if (machine_of_point_[point] < machines.first || machine_of_point_[point] >= machines.last) continue;
    if (ranges.empty() || ranges.back().last != point) ranges.push_back({point, point});
    ++ranges.back().last;
  }
  return ranges;
}

std::vector<MachineRange> MachineReader::blocks_of(const MachineRange& machines, std::uint64_t rows,
                                                   std::size_t row_bytes) const {
  const std::size_t machine_bytes = rows / machines_ * row_bytes;
  const std::size_t at_a_time = std::max<std::size_t>(block_bytes_ / std::max<std::size_t>(machine_bytes, 1), 1);
  std::vector<MachineRange> blocks;
  for (std::size_t first = machines.first; first < machines.last; first = blocks.back().last)
    blocks.push_back({first, std::min(machines.last, first + std::min(at_a_time, machines_))});
  return blocks;
}

void MachineReader::divide(const DataFrame& block, const std::vector<std::size_t>& machine_of_row,
                           const MachineRange& machines, const Use& use) const {
  if (!is_drawn()) return use(0, block);
  std::vector<std::vector<std::size_t>> rows(machines.last - machines.first);
  for (std::size_t row = 0; row < machine_of_row.size(); ++row)
    rows[machine_of_row[row] - machines.first].push_back(row);
  for (std::size_t i = 0; i < rows.size(); ++i) use(machines.first + i, rows_of_machine(block, rows[i]));
}

void MachineReader::read_points(const MachineRange& machines, const Wanted& wanted, const Use& use) {
  for (const MachineRange& block : blocks_of(machines, points_.rows(), points_.row_bytes(wanted))) {
    const std::vector<RowRange> points = points_of(block);
    std::vector<std::size_t> machine_of_row;
    if (is_drawn()) {
      for (const RowRange& range : points) {
        for (std::uint64_t point = range.first; point < range.last; ++point)
          machine_of_row.push_back(machine_of_point_[point]);
      }
    }
    divide(points_.read(points, wanted), machine_of_row, block, use);
  }
}

void MachineReader::read_table(const std::string& table, const MachineRange& machines, const Wanted& wanted,
                               const Wanted& of_points, const Use& use) {
  Table& rows = table_named(table);
  const Wanted joined = [&](const ColumnReader& column) { return !rows.rows.has(column.name()) && of_points(column); };
  const std::size_t row_bytes = rows.rows.row_bytes(wanted) + points_.row_bytes(joined);
  for (const MachineRange& block : blocks_of(machines, rows.rows.rows(), row_bytes)) {
    const std::vector<RowRange> points = points_of(block);
    std::vector<RowRange> ranges;
    std::vector<std::size_t> owners;
    std::vector<std::size_t> machine_of_row;
    std::size_t owner = 0;
    for (const RowRange& range : points) {
      ranges.push_back({rows.first_rows[range.first], rows.first_rows[range.last]});
      for (std::uint64_t point = range.first; point < range.last; ++point, ++owner) {
        const std::uint64_t count = rows.first_rows[point + 1] - rows.first_rows[point];
        owners.insert(owners.end(), count, owner);
        if (is_drawn()) machine_of_row.insert(machine_of_row.end(), count, machine_of_point_[point]);
      }
    }
    DataFrame frame = rows.rows.read(ranges, wanted);
    const DataFrame owned = points_.read(points, joined);
    for (const auto& [name, column] : owned.columns) frame.columns.emplace(name, cells_of(column, owners));
    divide(frame, machine_of_row, block, use);
  }
}

}  // namespace pimsweep::results
