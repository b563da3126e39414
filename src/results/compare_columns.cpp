#include "results/compare_columns.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/hash.h"
#include "base/statistics.h"

namespace pimsweep::results {

namespace {

/// All cells of a column, in memory so that rows can be read in any order; a column without data in the file has one
/// cell, its fill value.
class Cells {
 public:
  explicit Cells(ColumnReader& column) : type_(column.type()), is_constant_(!column.is_stored()) {
    const std::uint64_t count = is_constant_ ? std::min<std::uint64_t>(column.rows(), 1) : column.rows();
    bits_.reserve(count);
    for (std::uint64_t row = 0; row < count; ++row) bits_.push_back(bits_of(column, row));
  }
  bool has_reals() const { return type_ == ValueType::real; }
  bool has_numbers() const { return type_ == ValueType::real || type_ == ValueType::integer; }
  std::uint64_t bits(std::uint64_t row) const { return bits_[is_constant_ ? 0 : row]; }
  double number(std::uint64_t row) const {
    const std::uint64_t cell = bits(row);
    return type_ == ValueType::real ? std::bit_cast<double>(cell)
                                    : static_cast<double>(static_cast<std::int64_t>(cell));
  }

 private:
  std::uint64_t bits_of(ColumnReader& column, std::uint64_t row) const {
    if (type_ == ValueType::text) return hash128(column.text(row)).low;
    if (type_ == ValueType::real) return std::bit_cast<std::uint64_t>(column.real(row));
    return static_cast<std::uint64_t>(column.integer(row));
  }

  ValueType type_;
  bool is_constant_;
  std::vector<std::uint64_t> bits_;
};

bool are_close(double a, double b, double tolerance) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b || std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

/// Infinite numbers are as far from each other as can be.
std::optional<double> relative_change(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::nullopt;
  if (std::isfinite(a) && std::isfinite(b)) return relative_deviation(b, a);
  return b > a ? HUGE_VAL : -HUGE_VAL;
}

bool is_larger(const CellChange& x, const CellChange& y) {
  return std::abs(x.change.value_or(0)) > std::abs(y.change.value_or(0));
}

class ColumnComparison {
 public:
  ColumnComparison(ColumnReader& a, ColumnReader& b, double tolerance, std::size_t max_changes)
      : a_(a), b_(b), tolerance_(tolerance), max_changes_(max_changes) {}

  void add(std::uint64_t row_a, std::uint64_t row_b) {
    ++result_.compared;
    if (a_.bits(row_a) == b_.bits(row_b)) return;
    std::optional<double> change;
    if (a_.has_numbers()) {
      const double a = a_.number(row_a);
      const double b = b_.number(row_b);
      // Integers beyond 2^53 may differ although their doubles are equal.
      const bool hides_difference = tolerance_ == 0 && !a_.has_reals();
      if (!hides_difference && are_close(a, b, tolerance_)) return;
      change = relative_change(a, b);
    }
    ++result_.differing;
    if (change) changes_.push_back(std::abs(*change));
    keep({.row_a = row_a, .row_b = row_b, .a = {}, .b = {}, .change = change});
  }

  ColumnDifference result() && {
    if (!changes_.empty()) {
      std::sort(changes_.begin(), changes_.end());
      // The mean of two infinite numbers is not a number.
      result_.median = changes_[changes_.size() / 2];
    }
    return std::move(result_);
  }

 private:
  void keep(CellChange change) {
    std::vector<CellChange>& largest = result_.largest;
    const auto place = std::upper_bound(largest.begin(), largest.end(), change, is_larger);
    if (static_cast<std::size_t>(place - largest.begin()) >= max_changes_) return;
    largest.insert(place, std::move(change));
    if (largest.size() > max_changes_) largest.pop_back();
  }

  Cells a_;
  Cells b_;
  double tolerance_;
  std::size_t max_changes_;
  std::vector<double> changes_;
  ColumnDifference result_;
};

}  // namespace

ColumnDifference compare_columns(ColumnReader& a, ColumnReader& b, const RowMatch& match, double tolerance,
                                 std::size_t max_changes) {
  ColumnComparison comparison(a, b, tolerance, max_changes);
  for (const RowRun& run : match.both) {
    for (std::uint64_t i = 0; i < run.count; ++i) comparison.add(run.a + i, run.b + i);
  }
  ColumnDifference result = std::move(comparison).result();
  result.column = a.name();
  result.unit = a.unit();
  for (CellChange& change : result.largest) {
    change.point_a = change.row_a;
    change.point_b = change.row_b;
    a.get(change.row_a, change.a);
    b.get(change.row_b, change.b);
  }
  return result;
}

}  // namespace pimsweep::results
