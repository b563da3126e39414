#include "results/match_rows.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>

#include "base/bytes.h"
#include "base/hash.h"

namespace pimsweep::results {

namespace {

struct KeyedRow {
  Hash128 key;
  std::uint64_t row = 0;
  friend auto operator<=>(const KeyedRow&, const KeyedRow&) = default;
};

/// Appends a cell so that equal values give equal bytes, whatever their types.
void append_cell(ColumnReader& column, std::uint64_t row, std::string& bytes) {
  if (column.type() == ValueType::text) {
    bytes += column.text(row);
    return;
  }
  if (column.type() == ValueType::real) {
    // Zero has two signs.
    append_number(bytes, column.real(row) + 0.0);
    return;
  }
  const std::int64_t integer = column.integer(row);
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  if (integer >= -exact && integer <= exact)
    append_number(bytes, static_cast<double>(integer));
  else
    append_number(bytes, integer);
}

/// Rows by their keys.
std::vector<KeyedRow> keyed_rows(std::uint64_t rows, std::vector<ColumnReader>& keys) {
  std::vector<KeyedRow> keyed(rows);
  for (std::uint64_t row = 0; row < rows; ++row) keyed[row].row = row;
  std::string bytes;
  for (ColumnReader& column : keys) {
    for (KeyedRow& row : keyed) {
      bytes.clear();
      append_number(bytes, row.key.high);
      append_number(bytes, row.key.low);
      append_cell(column, row.row, bytes);
      row.key = hash128(bytes);
    }
  }
  std::sort(keyed.begin(), keyed.end());
  return keyed;
}

/// The first row of each point, with the number of rows behind the last one.
std::vector<std::uint64_t> starts_of(ColumnReader& owner, std::uint64_t points) {
  std::vector<std::uint64_t> starts;
  starts.reserve(points + 1);
  std::uint64_t row = 0;
  for (std::uint64_t point = 0; point <= points; ++point) {
    while (row < owner.rows() && owner.integer(row) < static_cast<std::int64_t>(point)) ++row;
    starts.push_back(row);
  }
  return starts;
}

std::uint64_t end_of(const RowMatch& points, std::uint64_t RowRun::*side) {
  std::uint64_t end = 0;
  for (const RowRun& run : points.both) end = std::max(end, run.*side + run.count);
  return end;
}

}  // namespace

void RowMatch::add(std::uint64_t a, std::uint64_t b, std::uint64_t count) {
  if (!both.empty() && both.back().a + both.back().count == a && both.back().b + both.back().count == b) {
    both.back().count += count;
  } else if (count > 0) {
    both.push_back({a, b, count});
  }
}

std::uint64_t RowMatch::size() const {
  std::uint64_t size = 0;
  for (const RowRun& run : both) size += run.count;
  return size;
}

RowMatch match_points(std::uint64_t rows_a, std::vector<ColumnReader>& keys_a, std::uint64_t rows_b,
                      std::vector<ColumnReader>& keys_b) {
  const std::vector<KeyedRow> a = keyed_rows(rows_a, keys_a);
  const std::vector<KeyedRow> b = keyed_rows(rows_b, keys_b);
  RowMatch match;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
  pairs.reserve(std::min(a.size(), b.size()));
  auto right = b.begin();
  for (const KeyedRow& left : a) {
    for (; right != b.end() && right->key < left.key; ++right) match.only_b.push_back(right->row);
    if (right != b.end() && right->key == left.key)
      pairs.emplace_back(left.row, (right++)->row);
    else
      match.only_a.push_back(left.row);
  }
  for (; right != b.end(); ++right) match.only_b.push_back(right->row);
  std::sort(pairs.begin(), pairs.end());
  std::sort(match.only_a.begin(), match.only_a.end());
  std::sort(match.only_b.begin(), match.only_b.end());
  for (const auto& [row_a, row_b] : pairs) match.add(row_a, row_b, 1);
  return match;
}

RowMatch match_details(const RowMatch& points, ColumnReader& owner_a, ColumnReader& owner_b,
                       std::uint64_t& other_sizes) {
  const std::vector<std::uint64_t> a = starts_of(owner_a, end_of(points, &RowRun::a));
  const std::vector<std::uint64_t> b = starts_of(owner_b, end_of(points, &RowRun::b));
  RowMatch match;
  other_sizes = 0;
  for (const RowRun& run : points.both) {
    for (std::uint64_t i = 0; i < run.count; ++i) {
      const std::uint64_t count = a[run.a + i + 1] - a[run.a + i];
      if (count == b[run.b + i + 1] - b[run.b + i])
        match.add(a[run.a + i], b[run.b + i], count);
      else
        ++other_sizes;
    }
  }
  return match;
}

}  // namespace pimsweep::results
