#include "results/study_sensitivity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "results/draws.h"
#include "results/study_columns.h"

namespace pimsweep::results {

namespace {

using sensitivity::Levels;

constexpr std::size_t max_levels = 255;

/// An axis of the points in use: its values in rising order (texts: as they appear), and which of them each point has.
struct AxisCells {
  std::string name;
  std::vector<std::uint32_t> of;
  std::size_t count = 0;
};

/// Numbers the values of a column; those of numbers rise with them.
AxisCells read_cells(ColumnReader column, const std::vector<std::uint64_t>& rows) {
  AxisCells cells{column.name(), {}, 0};
  cells.of.reserve(rows.size());
  if (column.type() == ValueType::text) {
    std::unordered_map<std::string, std::uint32_t> numbers;
    for (const std::uint64_t row : rows)
      cells.of.push_back(
          numbers.try_emplace(std::string(column.text(row)), static_cast<std::uint32_t>(numbers.size())).first->second);
    cells.count = numbers.size();
    return cells;
  }
  const auto number = [&](std::uint64_t row) {
    return column.type() == ValueType::real ? column.real(row) : static_cast<double>(column.integer(row));
  };
  std::vector<double> values;
  // Sorted again whenever it has doubled: few values of many points stay few.
  std::size_t limit = 1024;
  const auto tidy = [&] {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    limit = 2 * values.size() + 1024;
  };
  for (const std::uint64_t row : rows) {
    const double value = number(row);
    if (std::isnan(value)) throw InputError(fmt::format("axis '{}' has no number at point {}", column.name(), row));
    values.push_back(value);
    if (values.size() >= limit) tidy();
  }
  tidy();
  for (const std::uint64_t row : rows) {
    const auto found = std::lower_bound(values.begin(), values.end(), number(row));
    cells.of.push_back(static_cast<std::uint32_t>(found - values.begin()));
  }
  cells.count = values.size();
  return cells;
}

/// Neighboring values as bins of about equally many points.
sensitivity::Levels binned(const AxisCells& cells, std::size_t bins) {
  if (cells.count <= bins) return {{cells.of.begin(), cells.of.end()}, cells.count};
  std::vector<std::size_t> below(cells.count + 1, 0);
  for (const std::uint32_t value : cells.of) ++below[value + 1];
  for (std::size_t i = 0; i < cells.count; ++i) below[i + 1] += below[i];
  sensitivity::Levels levels{{}, bins};
  levels.of.reserve(cells.of.size());
  for (const std::uint32_t value : cells.of) {
    const std::size_t middle = (below[value] + below[value + 1]) / 2;
    levels.of.push_back(static_cast<std::uint8_t>(std::min(bins - 1, middle * bins / cells.of.size())));
  }
  return levels;
}

/// For a sample of method "saltelli" over all its axes: the axis of each place of a block after the first two. Row 2 +
/// i of a block is row 0 but for one axis, which is that of row 1. Nothing where any block is not so.
std::optional<std::vector<std::size_t>> saltelli_order(const std::vector<AxisCells>& axes, std::size_t points) {
  const std::size_t block = axes.size() + 2;
  if (points < 2 * block) return std::nullopt;
  std::vector<std::optional<std::size_t>> order(axes.size());
  for (std::size_t begin = 0; begin + block <= points; begin += block) {
    for (std::size_t place = 0; place < axes.size(); ++place) {
      const std::size_t row = begin + 2 + place;
      for (std::size_t axis = 0; axis < axes.size(); ++axis) {
        const std::vector<std::uint32_t>& of = axes[axis].of;
        if (of[row] == of[begin]) continue;
        if (order[place].value_or(axis) != axis || of[row] != of[begin + 1]) return std::nullopt;
        order[place] = axis;
      }
    }
  }
  std::vector<std::size_t> found;
  for (const std::optional<std::size_t>& axis : order) {
    if (!axis) return std::nullopt;
    found.push_back(*axis);
  }
  // Each axis once; and where rows 0 and 1 differ in it, its place must show it.
  std::vector<std::size_t> sorted = found;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) return std::nullopt;
  for (std::size_t begin = 0; begin + block <= points; begin += block) {
    for (std::size_t place = 0; place < found.size(); ++place) {
      const std::vector<std::uint32_t>& of = axes[found[place]].of;
      if (of[begin + 2 + place] != of[begin + 1]) return std::nullopt;
    }
  }
  return found;
}

/// Bins per axis that leave 16 points in each cell of a pair, on average.
std::size_t bins_for(std::size_t points) {
  return std::clamp<std::size_t>(static_cast<std::size_t>(std::sqrt(static_cast<double>(points)) / 4), 2, 32);
}

template <typename T>
std::vector<T> taken(const std::vector<T>& from, const std::vector<std::size_t>& places) {
  std::vector<T> result;
  result.reserve(places.size());
  for (const std::size_t place : places) result.push_back(from[place]);
  return result;
}

/// The points of a study and their metric, NaN where they gave none.
struct Points {
  std::vector<double> y;
  std::vector<AxisCells> axes;

  void keep(const std::vector<std::size_t>& places) {
    y = taken(y, places);
    for (AxisCells& axis : axes) axis.of = taken(axis.of, places);
  }
};

Points read_points(const std::string& results_file, const std::string& id, const std::string& metric) {
  StudyColumns study(results_file, id);
  ProblemList problems;
  study.check_metric(metric, problems);
  problems.throw_if_any();
  Points points;
  ColumnReader column = study.column(metric);
  std::vector<std::uint64_t> rows;
  for (std::uint64_t row = 0; row < study.rows(); ++row) {
    if (!study.is_on_file(row)) continue;
    rows.push_back(row);
    const double number = study.is_ok(row) ? column.real(row) : std::nan("");
    points.y.push_back(std::isfinite(number) ? number : std::nan(""));
  }
  for (const std::string& axis : study.varying_axes()) {
    if (axis != draw_column) points.axes.push_back(read_cells(study.column(axis), rows));
  }
  if (points.axes.empty()) throw InputError(fmt::format("study '{}' varies no axis", id));
  return points;
}

/// Whether the level of one axis tells that of the other.
bool determines(const AxisCells& axis, const AxisCells& other) {
  constexpr std::uint32_t unknown = UINT32_MAX;
  std::vector<std::uint32_t> level_of(axis.count, unknown);
  for (std::size_t point = 0; point < axis.of.size(); ++point) {
    std::uint32_t& level = level_of[axis.of[point]];
    if (level == unknown) level = other.of[point];
    if (level != other.of[point]) return false;
  }
  return true;
}

/// Axes that advance together are one factor: what each of them does cannot be told apart. Nearly every axis of a
/// sample has another value at each point and would tell those of all others, which says nothing.
void join_zipped_axes(std::vector<AxisCells>& axes, std::size_t points) {
  constexpr std::size_t min_uses = 2;
  constexpr std::size_t max_points_of_list = 16;
  std::stable_sort(axes.begin(), axes.end(), [](const auto& a, const auto& b) { return a.count > b.count; });
  std::vector<AxisCells> factors;
  for (AxisCells& axis : axes) {
    const auto found = std::ranges::find_if(factors, [&](const AxisCells& factor) {
      const bool has_few_levels = min_uses * factor.count <= points || points < max_points_of_list;
      return has_few_levels && determines(factor, axis);
    });
    if (found == factors.end())
      factors.push_back(std::move(axis));
    else
      found->name += " + " + axis.name;
  }
  axes = std::move(factors);
}

/// Leaves out blocks of which a point gave nothing, and points after the last whole block.
void keep_whole_blocks(Points& points, std::size_t block) {
  std::vector<std::size_t> places;
  for (std::size_t begin = 0; begin + block <= points.y.size(); begin += block) {
    const auto first = points.y.begin() + static_cast<std::ptrdiff_t>(begin);
    if (std::any_of(first, first + static_cast<std::ptrdiff_t>(block), [](double y) { return std::isnan(y); }))
      continue;
    for (std::size_t i = 0; i < block; ++i) places.push_back(begin + i);
  }
  points.keep(places);
}

/// The first two points of each block. The others repeat their values, so that they say less about pairs of axes than
/// as many independent points.
void keep_independent(Points& points, std::size_t block) {
  std::vector<std::size_t> places;
  for (std::size_t begin = 0; begin < points.y.size(); begin += block) {
    places.push_back(begin);
    places.push_back(begin + 1);
  }
  points.keep(places);
}

void add_moments(const std::vector<double>& y, const std::string& metric, StudySensitivity& result) {
  for (const double number : y) result.mean += number / static_cast<double>(y.size());
  double squares = 0;
  for (const double number : y) squares += (number - result.mean) * (number - result.mean);
  result.standard_deviation = std::sqrt(squares / static_cast<double>(y.size()));
  const auto [least, most] = std::minmax_element(y.begin(), y.end());
  if (y.empty() || *least == *most) {
    throw InputError(fmt::format("study '{}': {} of its {} points have a number for '{}', and these do not vary",
                                 result.study, y.size(), result.points, metric));
  }
}

/// Levels of a grid: all values of each axis. Nothing if the points are no whole grid.
std::optional<std::vector<sensitivity::Levels>> factorial_levels(const std::vector<AxisCells>& axes) {
  if (std::ranges::any_of(axes, [](const AxisCells& axis) { return axis.count > max_levels; })) return std::nullopt;
  std::vector<sensitivity::Levels> levels(axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) levels[i] = binned(axes[i], max_levels);
  if (!sensitivity::is_factorial(levels)) return std::nullopt;
  return levels;
}

/// First-order indices and interactions by analysis of variance between levels; of a whole grid, total indices too.
void add_indices_of_levels(const Points& points, const std::vector<sensitivity::Levels>& levels, std::size_t block,
                           StudySensitivity& result) {
  const bool exact = result.method == SensitivityMethod::factorial;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    StudySensitivity::OfAxis& axis = result.axes.emplace_back();
    axis.axis = points.axes[i].name;
    axis.levels = points.axes[i].count;
    axis.bins = levels[i].count;
    // The estimators of a Saltelli design are better.
    if (result.method != SensitivityMethod::saltelli)
      axis.first_order = sensitivity::first_order(points.y, levels[i], exact, block);
    if (exact) {
      const double total = sensitivity::factorial_total(points.y, levels, i);
      axis.total = sensitivity::Share{total, total, total};
    }
    for (std::size_t j = 0; j < i; ++j) {
      result.pairs.push_back({points.axes[j].name, points.axes[i].name,
                              sensitivity::interaction(points.y, levels[j], levels[i], exact, block)});
    }
  }
}

std::vector<sensitivity::Levels> bins_of(const Points& points) {
  std::vector<sensitivity::Levels> levels(points.axes.size());
  for (std::size_t i = 0; i < levels.size(); ++i) levels[i] = binned(points.axes[i], bins_for(points.y.size()));
  return levels;
}

void sort_by_share(StudySensitivity& result) {
  std::stable_sort(result.axes.begin(), result.axes.end(),
                   [](const auto& a, const auto& b) { return a.first_order.value > b.first_order.value; });
  std::stable_sort(result.pairs.begin(), result.pairs.end(),
                   [](const auto& a, const auto& b) { return a.interaction.value > b.interaction.value; });
}

}  // namespace

StudySensitivity find_sensitivity(const std::string& results_file, const std::string& study,
                                  const std::string& metric) {
  Points points = read_points(results_file, study, metric);
  StudySensitivity result;
  result.study = study;
  result.points = points.y.size();
  const std::optional<std::vector<std::size_t>> order = saltelli_order(points.axes, points.y.size());
  if (!order) join_zipped_axes(points.axes, points.y.size());
  const std::size_t block = order ? points.axes.size() + 2 : 1;
  keep_whole_blocks(points, block);
  result.used = points.y.size();
  add_moments(points.y, metric, result);
  if (const std::optional<std::vector<sensitivity::Levels>> levels = factorial_levels(points.axes)) {
    result.method = SensitivityMethod::factorial;
    add_indices_of_levels(points, *levels, 1, result);
  } else if (order) {
    result.method = SensitivityMethod::saltelli;
    const std::vector<sensitivity::SaltelliShares> shares = sensitivity::saltelli(points.y, points.axes.size());
    keep_independent(points, block);
    add_indices_of_levels(points, bins_of(points), 2, result);
    for (std::size_t place = 0; place < shares.size(); ++place) {
      StudySensitivity::OfAxis& axis = result.axes[(*order)[place]];
      axis.first_order = shares[place].first_order;
      axis.total = shares[place].total;
    }
  } else {
    add_indices_of_levels(points, bins_of(points), 1, result);
  }
  sort_by_share(result);
  return result;
}

}  // namespace pimsweep::results
