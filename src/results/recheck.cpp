#include "results/recheck.h"

#include <algorithm>
#include <cmath>

#include "base/statistics.h"
#include "results/stored_search.h"
#include "results/study_columns.h"

namespace pimsweep::results {

namespace {

/// A design of the front: its point in the search and in the recheck.
struct RecheckedDesign {
  std::uint64_t search;
  std::uint64_t recheck;
};

/// True if the last point has other values of the axes of the recheck than the first one: a search that was stopped has
/// no recheck yet.
bool has_recheck(const StudyColumns& study, const std::vector<std::string>& axes) {
  return std::ranges::any_of(axes, [&](const std::string& axis) {
    ColumnReader column = study.column(axis);
    Value first;
    Value last;
    column.get(0, first);
    column.get(study.rows() - 1, last);
    return first != last;
  });
}

/// The recheck has the designs of the front in their order (docs/search.md).
std::vector<RecheckedDesign> rechecked_designs(const StudyColumns& study) {
  ColumnReader generation = study.column("generation");
  ColumnReader front = study.column("front");
  ColumnReader feasible = study.column("feasible");
  const std::int64_t last = generation.integer(study.rows() - 1);
  std::vector<RecheckedDesign> designs;
  std::uint64_t recheck = study.rows();
  while (recheck > 0 && generation.integer(recheck - 1) == last) --recheck;
  const std::uint64_t begin = recheck;
  for (std::uint64_t row = 0; row < begin && recheck < study.rows(); ++row) {
    if (front.integer(row) == 0) continue;
    if (feasible.integer(recheck) != 0) designs.push_back({row, recheck});
    ++recheck;
  }
  return designs;
}

RecheckedObjective compare_orders(const StudyColumns& study, const Objective& objective,
                                  const std::vector<RecheckedDesign>& designs) {
  const double sign = objective.maximize ? -1 : 1;
  PointColumn column = study.column_or_expression(objective.metric);
  std::vector<double> search;
  std::vector<double> recheck;
  search.reserve(designs.size());
  recheck.reserve(designs.size());
  for (const RecheckedDesign& design : designs) search.push_back(sign * column.real(design.search));
  for (const RecheckedDesign& design : designs) recheck.push_back(sign * column.real(design.recheck));
  const auto best_search = static_cast<std::size_t>(std::ranges::min_element(search) - search.begin());
  const auto best_recheck = static_cast<std::size_t>(std::ranges::min_element(recheck) - recheck.begin());
  return {objective.metric, kendall_tau(search, recheck), designs[best_search].search, designs[best_recheck].search,
          std::abs(relative_deviation(recheck[best_search], recheck[best_recheck]))};
}

}  // namespace

std::optional<Recheck> read_recheck(const std::string& results_file, const std::string& study,
                                    const std::vector<Objective>& objectives) {
  const std::vector<StoredSearch> searches = stored_searches(results_file, {study});
  if (searches.empty() || searches.front().recheck.empty()) return std::nullopt;
  const StudyColumns columns(results_file, study);
  if (columns.rows() == 0 || !has_recheck(columns, searches.front().recheck)) return std::nullopt;
  const std::vector<RecheckedDesign> designs = rechecked_designs(columns);
  if (designs.empty()) return std::nullopt;
  Recheck recheck;
  recheck.designs = designs.size();
  ColumnReader front = columns.column("front");
  for (const RecheckedDesign& design : designs) {
    if (front.integer(design.recheck) != 0) ++recheck.stay;
  }
  for (const Objective& objective : objectives)
    recheck.objectives.push_back(compare_orders(columns, objective, designs));
  return recheck;
}

}  // namespace pimsweep::results
