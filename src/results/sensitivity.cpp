#include "results/sensitivity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "base/downward.h"

namespace pimsweep::results::sensitivity {

namespace {

constexpr std::size_t parts = 64;
constexpr std::size_t replicates = 400;

/// Sums of each of the parts into which points (or blocks of them) fall by chance. Statistics are functions of the sum
/// over all parts, so that a replicate of the bootstrap costs no pass over the points.
class PartSums {
 public:
  explicit PartSums(std::size_t sums) : sums_(sums), all_(parts * sums, 0) {}

  /// Where a block adds what it has. The part is a hash of its number.
  double* of_block(std::size_t block) {
    const std::uint64_t mixed = (block + 1) * 0x9e3779b97f4a7c15U;
    return &all_[sums_ * ((mixed ^ (mixed >> 32U)) * 0xbf58476d1ce4e5b9U >> 58U)];
  }

  /// What `statistic` makes of the sums: as many numbers as it returns, each with its interval.
  template <typename Statistic>
  auto estimate(const Statistic& statistic, bool exact) const {
    std::vector<double> total(sums_, 0);
    for (std::size_t part = 0; part < parts; ++part) add(part, total);
    const auto values = statistic(total);
    std::array<Share, std::tuple_size_v<std::decay_t<decltype(values)>>> shares;
    for (std::size_t i = 0; i < values.size(); ++i) shares[i] = {values[i], values[i], values[i]};
    if (exact) return shares;
    std::mt19937_64 random(parts);
    std::array<double, std::tuple_size_v<std::decay_t<decltype(values)>>> squares{};
    auto mean = squares;
    for (std::size_t n = 1; n <= replicates; ++n) {
      std::fill(total.begin(), total.end(), 0);
      for (std::size_t draw = 0; draw < parts; ++draw) add(random() % parts, total);
      const auto drawn = statistic(total);
      for (std::size_t i = 0; i < drawn.size(); ++i) {
        const double step = drawn[i] - mean[i];
        mean[i] += step / static_cast<double>(n);
        squares[i] += step * (drawn[i] - mean[i]);
      }
    }
    constexpr double deviations = 1.96;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double half = deviations * std::sqrt(squares[i] / static_cast<double>(replicates - 1));
      shares[i].low -= half;
      shares[i].high += half;
    }
    return shares;
  }

 private:
  void add(std::size_t part, std::vector<double>& total) const {
    for (std::size_t i = 0; i < sums_; ++i) total[i] += all_[sums_ * part + i];
  }

  std::size_t sums_;
  std::vector<double> all_;
};

double mean_of(std::span<const double> y) {
  return std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size());
}

/// Count and sum of a cell of a table of levels.
struct Cell {
  double count = 0;
  double sum = 0;
};

/// Share of the variance between cells, of sums over `count` points with this sum and sum of squares.
double share_between(std::span<const Cell> cells, double sum_of_squares, bool exact) {
  Cell all;
  double between = 0;
  double used = 0;
  for (const Cell& cell : cells) {
    if (cell.count == 0) continue;
    all.count += cell.count;
    all.sum += cell.sum;
    between += cell.sum * cell.sum / cell.count;
    ++used;
  }
  const double offset = all.sum * all.sum / all.count;
  const double total = sum_of_squares - offset;
  between -= offset;
  if (exact) return between / total;
  const double within = all.count > used ? (total - between) / (all.count - used) : 0;
  return (between - (used - 1) * within) / total;
}

/// Shares of a, of b, and of both beyond that.
std::array<double, 3> shares_of_table(const std::vector<double>& sums, std::size_t rows, std::size_t columns,
                                      bool exact) {
  std::vector<Cell> cells(rows * columns);
  std::vector<Cell> by_row(rows);
  std::vector<Cell> by_column(columns);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i] = {sums[1 + 2 * i], sums[2 + 2 * i]};
    for (Cell* margin : {&by_row[i / columns], &by_column[i % columns]}) {
      margin->count += cells[i].count;
      margin->sum += cells[i].sum;
    }
  }
  const double a = share_between(by_row, sums[0], exact);
  const double b = share_between(by_column, sums[0], exact);
  return {a, b, share_between(cells, sums[0], exact) - a - b};
}

std::array<Share, 3> tabulate(std::span<const double> y, const Levels& a, const Levels& b, bool exact,
                              std::size_t block) {
  PartSums sums(1 + 2 * a.count * b.count);
  const double mean = mean_of(y);
  for (std::size_t i = 0; i < y.size(); ++i) {
    double* part = sums.of_block(i / block);
    const double centered = y[i] - mean;
    const std::size_t cell = 1 + 2 * (a.of[i] * b.count + b.of[i]);
    part[0] += centered * centered;
    part[cell] += 1;
    part[cell + 1] += centered;
  }
  return sums.estimate(
      [&](const std::vector<double>& total) { return shares_of_table(total, a.count, b.count, exact); }, exact);
}

/// The number of each point in the order of all combinations, the last axis fastest; `stride` is that of `axis`.
struct Places {
  std::vector<std::size_t> of;
  std::size_t combinations = 1;
  std::vector<std::size_t> strides;
};

Places places_of(std::span<const Levels> axes) {
  Places places;
  const std::size_t points = axes.empty() ? 1 : axes.front().of.size();
  places.strides.resize(axes.size());
  for (const std::size_t i : downward(axes.size())) {
    places.strides[i] = places.combinations;
    // More combinations than points: not factorial, and the product must not overflow.
    if (places.combinations <= points) places.combinations *= axes[i].count;
  }
  if (places.combinations != points) return places;
  places.of.assign(points, 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    for (std::size_t point = 0; point < points; ++point) places.of[point] += places.strides[i] * axes[i].of[point];
  }
  return places;
}

}  // namespace

bool is_factorial(std::span<const Levels> axes) {
  const Places places = places_of(axes);
  std::vector<bool> seen(places.of.size(), false);
  for (const std::size_t place : places.of) {
    if (seen[place]) return false;
    seen[place] = true;
  }
  return !places.of.empty();
}

Share first_order(std::span<const double> y, const Levels& axis, bool exact, std::size_t block) {
  const Levels one{std::vector<std::uint8_t>(y.size(), 0), 1};
  return tabulate(y, axis, one, exact, block)[0];
}

Share interaction(std::span<const double> y, const Levels& a, const Levels& b, bool exact, std::size_t block) {
  return tabulate(y, a, b, exact, block)[2];
}

double factorial_total(std::span<const double> y, std::span<const Levels> axes, std::size_t axis) {
  const Places places = places_of(axes);
  const double mean = mean_of(y);
  std::vector<double> ordered(y.size());
  double total = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    ordered[places.of[i]] = y[i] - mean;
    total += (y[i] - mean) * (y[i] - mean);
  }
  const std::size_t stride = places.strides[axis];
  const std::size_t count = axes[axis].count;
  double within = 0;
  for (std::size_t begin = 0; begin < ordered.size(); ++begin) {
    if (begin / stride % count != 0) continue;
    double sum = 0;
    for (std::size_t level = 0; level < count; ++level) sum += ordered[begin + level * stride];
    for (std::size_t level = 0; level < count; ++level) {
      const double rest = ordered[begin + level * stride] - sum / static_cast<double>(count);
      within += rest * rest;
    }
  }
  return within / total;
}

std::vector<SaltelliShares> saltelli(std::span<const double> y, std::size_t axes) {
  const std::size_t block = axes + 2;
  const double mean = mean_of(y);
  std::vector<SaltelliShares> result;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    // Blocks; sum and sum of squares of A and B; products for the axis; squared differences.
    PartSums sums(5);
    for (std::size_t n = 0; n < y.size() / block; ++n) {
      double* part = sums.of_block(n);
      const double a = y[n * block] - mean;
      const double b = y[n * block + 1] - mean;
      const double ab = y[n * block + 2 + axis] - mean;
      part[0] += 1;
      part[1] += a + b;
      part[2] += a * a + b * b;
      part[3] += b * (ab - a);
      part[4] += (a - ab) * (a - ab);
    }
    const auto shares = sums.estimate(
        [](const std::vector<double>& s) {
          const double center = s[1] / (2 * s[0]);
          const double variance = s[2] / (2 * s[0]) - center * center;
          return std::array{s[3] / s[0] / variance, s[4] / (2 * s[0]) / variance};
        },
        false);
    result.push_back({shares[0], shares[1]});
  }
  return result;
}

}  // namespace pimsweep::results::sensitivity
