#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <optional>

#include "commands/commands.h"
#include "commands/python_package.h"
#include "commands/ranking_table.h"
#include "commands/text_table.h"
#include "results/point_cells.h"
#include "results/recheck.h"
#include "results/results_reader.h"
#include "results/seal.h"
#include "results/stored_search.h"

namespace pimsweep::commands {

namespace {

/// Draws the points by two metrics, and the fronts.
[[noreturn]] void draw_fronts(const std::string& results, const results::RankingOptions& request,
                              const std::string& plot, bool force) {
  ModuleArguments arguments;
  for (const results::Objective& objective : request.objectives) {
    if (objective.maximize) arguments.add("--max", objective.metric);
  }
  arguments.add("--group-by", request.group_by);
  arguments.add("--study", request.studies);
  arguments.add("--output", plot);
  arguments.add("--force", force);
  arguments.run("pimsweep.plot.pareto_plot", {results, request.objectives[0].metric, request.objectives[1].metric});
}

/// Throws InputError with everything that is wrong with a plot of so many metrics.
void check_plot(const std::string& plot, std::size_t metrics) {
  constexpr std::array endings{".png", ".pdf", ".svg"};
  ProblemList problems;
  if (metrics != 2) {
    problems.add({}, fmt::format("--plot needs two metrics, got {}: give --min or --max for each", metrics));
  }
  if (std::ranges::none_of(endings, [&](const char* ending) { return plot.ends_with(ending); }))
    problems.add({}, fmt::format("--plot {}: expected a file that ends in {}", plot, fmt::join(endings, ", ")));
  problems.throw_if_any();
}

/// The request that a search has asked: its objectives among the points that meet its constraints; those of the
/// recheck compete with each other.
results::RankingOptions question_of_search(const std::string& results, results::RankingOptions request) {
  const std::vector<results::StoredSearch> searches = results::stored_searches(results, request.studies);
  if (searches.empty()) throw InputError("pareto needs a metric: --min METRIC or --max METRIC");
  if (searches.size() > 1) {
    std::vector<std::string> ids;
    ids.reserve(searches.size());
    for (const results::StoredSearch& search : searches) ids.push_back(search.study);
    throw InputError(fmt::format("the file has several searches: choose one with --study, of {}, or give metrics",
                                 fmt::join(ids, ", ")));
  }
  const results::StoredSearch& search = searches.front();
  request.studies = {search.study};
  request.objectives = search.objectives;
  request.group_by.insert(request.group_by.end(), search.recheck.begin(), search.recheck.end());
  if (!search.has_constraints) return request;
  request.filter = [results, given = request.filter](const std::string& study) -> results::RowPredicate {
    const results::RowPredicate keeps = given ? given(study) : results::RowPredicate();
    return [keeps, is_feasible = results::feasible_points(results, study)](std::uint64_t row) {
      return is_feasible(row) && (!keeps || keeps(row));
    };
  };
  return request;
}

/// Change of the order of the front's designs by the recheck.
void print_recheck(const std::string& results, const results::RankingOptions& request) {
  const std::optional<results::Recheck> recheck =
      results::read_recheck(results, request.studies.front(), request.objectives);
  if (!recheck) return;
  fmt::print("recheck: {} of {} designs stay in the front\n", recheck->stay, recheck->designs);
  TextTable table({"objective", "Kendall's tau", "best of the search", "best of the recheck", "regret"});
  for (const results::RecheckedObjective& objective : recheck->objectives) {
    table.add({objective.metric, std::isnan(objective.tau) ? "-" : fmt::format("{:.3f}", objective.tau),
               fmt::format("point {}", objective.best_of_search), fmt::format("point {}", objective.best_of_recheck),
               fmt::format("{:.2f} %", 100 * objective.regret)});
  }
  fmt::print("{}", table.aligned());
}

}  // namespace

int pareto(const std::string& results, const results::RankingOptions& asked, const OutputForm& form,
           const std::string& plot) {
  const results::RankingOptions request = asked.objectives.empty() ? question_of_search(results, asked) : asked;
  if (!plot.empty()) check_plot(plot, request.objectives.size());
  if (!plot.empty() && request.filter)
    throw InputError("--plot shows all points: it does not go with --where or the constraints of a search");
  constexpr std::size_t max_printed = 40;
  print_ranking(results, request, results::find_fronts(results, request), max_printed, form);
  if (asked.objectives.empty() && form.has_text()) print_recheck(results, request);
  if (!plot.empty()) draw_fronts(results, request, plot, form.force);
  return 0;
}

int top(const std::string& results, const results::RankingOptions& request, std::size_t count, bool across,
        const OutputForm& form) {
  if (request.objectives.size() != 1) {
    const std::string study = results::chosen_studies(results, request.studies).front();
    std::vector<std::string> names;
    for (const systems::Metric& metric : results::stored_schema(results, study).metrics) {
      if (metric.type == ValueType::real) names.push_back(metric.name);
    }
    throw InputError(fmt::format("top needs one metric: --min METRIC or --max METRIC; study '{}' has {}", study,
                                 fmt::join(names, ", ")));
  }
  if (across) {
    std::vector<std::string> left_out;
    print_studies(results, request, results::rank_studies(results, request, left_out), count, form);
    for (const std::string& reason : left_out) {
      if (form.has_text()) fmt::print("left out: {}\n", reason.substr(0, reason.find("; it has ")));
    }
    return 0;
  }
  print_ranking(results, request, results::find_best(results, request, count), 0, form);
  return 0;
}

}  // namespace pimsweep::commands
