#include "driver/search_front.h"

#include <algorithm>
#include <limits>
#include <span>

#include "results/pareto.h"
#include "search/hypervolume.h"

namespace pimsweep::driver {

namespace {

/// The Pareto-optimal ones of some rows.
std::vector<std::uint64_t> front_of(const sweep::SearchSettings& search, const std::vector<std::uint64_t>& rows,
                                    const SearchLog& log) {
  if (rows.empty()) return {};
  std::vector<std::vector<double>> columns(search.objectives.size());
  for (const std::uint64_t row : rows) {
    const std::vector<double>& objectives = log.rows[row].objectives;
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i].push_back(objectives[i]);
  }
  const std::vector<std::span<const double>> spans(columns.begin(), columns.end());
  std::vector<std::uint64_t> front;
  for (const std::size_t i : results::pareto_front(spans)) front.push_back(rows[i]);
  return front;
}

/// The best and the worst value of each objective among feasible points.
struct Box {
  std::vector<double> best;
  std::vector<double> worst;
};

Box box_of(const sweep::SearchSettings& search, std::uint64_t points, const SearchLog& log) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Box box{std::vector<double>(search.objectives.size(), infinity),
          std::vector<double>(search.objectives.size(), -infinity)};
  for (std::uint64_t row = 0; row < points; ++row) {
    if (!log.rows[row].is_feasible) continue;
    const std::vector<double>& objectives = log.rows[row].objectives;
    for (std::size_t i = 0; i < objectives.size(); ++i) {
      box.best[i] = std::min(box.best[i], objectives[i]);
      box.worst[i] = std::max(box.worst[i], objectives[i]);
    }
  }
  return box;
}

/// The share of the box that points dominate. Objectives in which all points are equal do not count.
double dominated_share(const std::vector<std::uint64_t>& front, const SearchLog& log, const Box& box) {
  std::vector<std::size_t> counted;
  for (std::size_t i = 0; i < box.best.size(); ++i) {
    if (box.best[i] < box.worst[i]) counted.push_back(i);
  }
  if (front.empty() || counted.empty() || counted.size() > search::max_hypervolume_objectives)
    return std::numeric_limits<double>::quiet_NaN();
  std::vector<std::vector<double>> designs;
  for (const std::uint64_t row : front) {
    const std::vector<double>& objectives = log.rows[row].objectives;
    std::vector<double>& design = designs.emplace_back();
    for (const std::size_t i : counted) design.push_back((objectives[i] - box.best[i]) / (box.worst[i] - box.best[i]));
  }
  return search::hypervolume(std::move(designs), std::vector<double>(counted.size(), 1.0));
}

}  // namespace

void mark_front(const sweep::SearchSettings& search, std::uint64_t begin, std::uint64_t end, SearchLog& log) {
  std::vector<std::uint64_t> feasible;
  for (std::uint64_t row = begin; row < end; ++row) {
    if (log.rows[row].is_feasible) feasible.push_back(row);
  }
  for (const std::uint64_t row : front_of(search, feasible, log)) log.rows[row].is_in_front = true;
}

void count_generations(const sweep::SearchSettings& search, std::uint64_t points, SearchLog& log) {
  const Box box = box_of(search, points, log);
  std::vector<std::uint64_t> front;
  SearchLog::Generation count;
  for (std::uint64_t row = 0; row < points; ++row) {
    ++count.points;
    if (log.rows[row].is_feasible) {
      front.push_back(row);
    } else {
      ++count.infeasible;
    }
    if (row + 1 < points && log.rows[row + 1].generation == log.rows[row].generation) continue;
    front = front_of(search, front, log);
    count.front = front.size();
    count.hypervolume = dominated_share(front, log, box);
    log.generations.push_back(count);
  }
}

}  // namespace pimsweep::driver
