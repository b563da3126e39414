#include "results/pareto.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>

namespace pimsweep::results {

namespace {

using Columns = std::span<const std::span<const double>>;

/// Rows in an order in which a row can be dominated only by those before it: by the first column, then the next.
class Order {
 public:
  explicit Order(Columns columns) : columns_(columns), rows_(columns.front().size()) {
    std::iota(rows_.begin(), rows_.end(), std::size_t{0});
    std::sort(rows_.begin(), rows_.end(), [&](std::size_t a, std::size_t b) { return compare(a, b) < 0; });
  }
  const std::vector<std::size_t>& rows() const { return rows_; }
  bool equal(std::size_t a, std::size_t b) const { return compare(a, b) == 0; }

 private:
  int compare(std::size_t a, std::size_t b) const {
    for (const std::span<const double> column : columns_) {
      if (column[a] != column[b]) return column[a] < column[b] ? -1 : 1;
    }
    return 0;
  }

  Columns columns_;
  std::vector<std::size_t> rows_;
};

/// The corners of the region that rows of two columns dominate: the second number falls as the first one rises.
class Staircase {
 public:
  bool covers(double first, double second) const {
    const auto above = steps_.upper_bound(first);
    return above != steps_.begin() && std::prev(above)->second <= second;
  }
  void add(double first, double second) {
    auto step = steps_.insert_or_assign(first, second).first;
    for (++step; step != steps_.end() && step->second >= second;) step = steps_.erase(step);
  }

 private:
  std::map<double, double> steps_;
};

/// Keeps the rows that are not dominated: `dominated(row)` by those that `keep(row)` has taken, where a row that
/// equals the one before it shares its fate.
template <typename Dominated, typename Keep>
std::vector<std::size_t> sweep(const Order& order, const Dominated& dominated, const Keep& keep) {
  std::vector<std::size_t> front;
  const std::vector<std::size_t>& rows = order.rows();
  bool kept = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i == 0 || !order.equal(rows[i - 1], rows[i])) {
      kept = !dominated(rows[i]);
      if (kept) keep(rows[i]);
    }
    if (kept) front.push_back(rows[i]);
  }
  std::sort(front.begin(), front.end());
  return front;
}

/// The rest of a row, columns[1] and columns[2], must lie below the stairs of the rows before it.
std::vector<std::size_t> front_by_stairs(Columns columns, const Order& order) {
  const std::span<const double> first = columns.size() > 1 ? columns[1] : columns[0];
  const std::span<const double> second = columns.size() > 2 ? columns[2] : first;
  Staircase stairs;
  return sweep(
      order, [&](std::size_t row) { return stairs.covers(first[row], second[row]); },
      [&](std::size_t row) { stairs.add(first[row], second[row]); });
}

/// A row that dominated one is likely to dominate the next: it is tried first.
std::vector<std::size_t> front_by_comparing(Columns columns, const Order& order) {
  std::vector<std::size_t> kept;
  const auto dominated = [&](std::size_t row) {
    const auto found = std::find_if(kept.begin(), kept.end(), [&](std::size_t other) {
      return std::all_of(columns.begin(), columns.end(),
                         [&](std::span<const double> column) { return column[other] <= column[row]; });
    });
    if (found == kept.end()) return false;
    std::iter_swap(found, kept.begin() + (found - kept.begin()) / 2);
    return true;
  };
  return sweep(order, dominated, [&](std::size_t row) { kept.push_back(row); });
}

}  // namespace

std::vector<std::size_t> pareto_front(Columns columns) {
  if (columns.empty()) return {};
  const Order order(columns);
  return columns.size() <= 3 ? front_by_stairs(columns, order) : front_by_comparing(columns, order);
}

void RunningFront::add(std::uint64_t row, std::span<const double> numbers) {
  rows_.push_back(row);
  for (std::size_t i = 0; i < cells_.size(); ++i) cells_[i].push_back(numbers[i]);
  if (rows_.size() >= limit_) reduce();
}

const std::vector<std::uint64_t>& RunningFront::rows() {
  reduce();
  return rows_;
}

void RunningFront::reduce() {
  constexpr std::size_t block = 1U << 16U;
  const std::vector<std::span<const double>> columns(cells_.begin(), cells_.end());
  const std::vector<std::size_t> front = pareto_front(columns);
  for (std::size_t i = 0; i < front.size(); ++i) {
    rows_[i] = rows_[front[i]];
    for (std::vector<double>& cells : cells_) cells[i] = cells[front[i]];
  }
  rows_.resize(front.size());
  for (std::vector<double>& cells : cells_) cells.resize(front.size());
  // A front larger than the block is not sorted again for each few rows.
  limit_ = std::max(block, 2 * front.size());
}

}  // namespace pimsweep::results
