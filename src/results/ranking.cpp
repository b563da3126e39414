#include "results/ranking.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <span>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "results/pareto.h"
#include "results/point_cells.h"
#include "results/study_columns.h"

namespace pimsweep::results {

namespace {

/// The best few rows of a stream, by their first number.
class RunningBest {
 public:
  explicit RunningBest(std::size_t count) : count_(count) {}

  void add(std::uint64_t row, std::span<const double> numbers) {
    if (best_.size() == count_ && !(numbers[0] < best_.front().first)) return;
    // The worst row is at the front of the heap; of equal rows, the last one.
    if (best_.size() == count_) {
      std::pop_heap(best_.begin(), best_.end());
      best_.pop_back();
    }
    best_.emplace_back(numbers[0], row);
    std::push_heap(best_.begin(), best_.end());
  }

  std::vector<std::uint64_t> rows() const {
    std::vector<std::pair<double, std::uint64_t>> sorted = best_;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::uint64_t> rows;
    rows.reserve(sorted.size());
    for (const auto& [number, row] : sorted) rows.push_back(row);
    return rows;
  }

 private:
  std::size_t count_;
  std::vector<std::pair<double, std::uint64_t>> best_;
};

/// Numbers groups in the order in which they appear, and returns the number of each row's group.
class Grouper {
 public:
  Grouper(const StudyColumns& study, const std::vector<std::string>& axes) {
    for (const std::string& axis : axes) {
      columns_.push_back(study.column(axis));
      units_.push_back(columns_.back().unit());
    }
    cells_.resize(columns_.size());
  }

  std::size_t operator()(std::uint64_t row) {
    bool changed = numbers_.empty();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      columns_[i].get(row, cell_);
      if (cell_ == cells_[i]) continue;
      cells_[i] = cell_;
      changed = true;
    }
    if (changed) last_ = look_up();
    return last_;
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < cells_.size(); ++i) names.push_back(readable(cells_[i], units_[i]));
    return names;
  }

 private:
  std::size_t look_up() {
    std::string key;
    for (const Value& cell : cells_) key += to_text(cell) + '\x1f';
    return numbers_.try_emplace(std::move(key), numbers_.size()).first->second;
  }

  std::vector<ColumnReader> columns_;
  std::vector<std::string> units_;
  Value cell_;
  /// Cells of the previous row.
  std::vector<Value> cells_;
  std::size_t last_ = 0;
  std::unordered_map<std::string, std::size_t> numbers_;
};

ProblemList unknown_names(const StudyColumns& study, const RankingOptions& request) {
  ProblemList problems;
  for (const Objective& objective : request.objectives) study.check_metric(objective.metric, problems);
  for (const std::string& axis : request.group_by) study.check_axis(axis, problems);
  return problems;
}

RowPredicate predicate_of(const std::string& id, const RankingOptions& request) {
  return request.filter ? request.filter(id) : RowPredicate();
}

/// Adds every point of a study that `competes` (all if it is empty) to the `Running` of its group, which starts as a
/// copy of `fresh`.
template <typename Running>
void rank_study(const std::string& results_file, const std::string& id, const RankingOptions& request,
                const RowPredicate& competes, const Running& fresh, std::vector<RankedGroup>& ranked) {
  StudyColumns study(results_file, id);
  unknown_names(study, request).throw_if_any();
  std::vector<PointColumn> columns;
  for (const Objective& objective : request.objectives) columns.push_back(study.column_or_expression(objective.metric));
  Grouper group_of(study, request.group_by);
  const std::size_t first = ranked.size();
  std::vector<Running> running;
  std::vector<double> numbers(columns.size());
  for (std::uint64_t row = 0; row < study.rows(); ++row) {
    if ((competes && !competes(row)) || !(request.drawn_machines || study.is_on_file(row))) continue;
    const std::size_t group = group_of(row);
    if (group == running.size()) {
      running.push_back(fresh);
      ranked.push_back({.study = id, .group = group_of.names(), .rows = {}});
    }
    RankedGroup& result = ranked[first + group];
    if (!study.is_ok(row)) {
      ++result.without_result;
      continue;
    }
    bool whole = true;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const double number = columns[i].real(row);
      numbers[i] = request.objectives[i].maximize ? -number : number;
      whole = whole && !std::isnan(number);
    }
    if (!whole) {
      ++result.without_number;
      continue;
    }
    ++result.points;
    running[group].add(row, numbers);
  }
  for (std::size_t group = 0; group < running.size(); ++group) ranked[first + group].rows = running[group].rows();
}

template <typename Running>
std::vector<RankedGroup> rank(const std::string& results_file, const RankingOptions& request, const Running& fresh) {
  std::vector<RankedGroup> ranked;
  for (const std::string& id : chosen_studies(results_file, request.studies))
    rank_study(results_file, id, request, predicate_of(id, request), fresh, ranked);
  return ranked;
}

/// Adds the best point of each group of a study to the rankings.
void add_study(const std::string& results_file, const std::string& id, const RankingOptions& request,
               const RowPredicate& competes, std::vector<RankingAcross>& rankings) {
  std::vector<RankedGroup> groups;
  rank_study(results_file, id, request, competes, RunningBest(1), groups);
  const StudyColumns study(results_file, id);
  PointColumn column = study.column_or_expression(request.objectives.front().metric);
  for (const RankedGroup& group : groups) {
    if (group.rows.empty()) continue;
    auto ranking = std::ranges::find(rankings, group.group, &RankingAcross::group);
    if (ranking == rankings.end()) ranking = rankings.insert(ranking, {group.group, {}});
    const std::uint64_t row = group.rows.front();
    ranking->studies.push_back({id, study.system(), row, group.points, column.real(row)});
  }
}

}  // namespace

std::vector<RankingAcross> rank_studies(const std::string& results_file, const RankingOptions& request,
                                        std::vector<std::string>& left_out) {
  std::vector<RankingAcross> rankings;
  std::exception_ptr first_error;
  for (const std::string& id : chosen_studies(results_file, request.studies)) {
    RowPredicate competes;
    try {
      unknown_names(StudyColumns(results_file, id), request).throw_if_any();
      competes = predicate_of(id, request);
    } catch (const InputError& error) {
      left_out.emplace_back(error.what());
      if (!first_error) first_error = std::current_exception();
      continue;
    }
    add_study(results_file, id, request, competes, rankings);
  }
  if (rankings.empty() && first_error) std::rethrow_exception(first_error);
  const double sign = request.objectives.front().maximize ? -1 : 1;
  for (RankingAcross& ranking : rankings) {
    std::ranges::stable_sort(ranking.studies, {}, [&](const RankedStudy& study) { return sign * study.value; });
  }
  return rankings;
}

std::vector<RankedGroup> find_fronts(const std::string& results_file, const RankingOptions& request) {
  return rank(results_file, request, RunningFront(request.objectives.size()));
}

std::vector<RankedGroup> find_best(const std::string& results_file, const RankingOptions& request, std::size_t count) {
  return rank(results_file, request, RunningBest(count));
}

}  // namespace pimsweep::results
