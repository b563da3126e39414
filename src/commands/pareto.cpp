#include <fmt/ranges.h>

#include "commands/commands.h"
#include "commands/python_package.h"
#include "commands/ranking_table.h"

namespace pimsweep::commands {

namespace {

/// Draws the points by two metrics, and the fronts.
[[noreturn]] void draw_fronts(const std::string& results, const results::RankingQuestion& question,
                              const std::string& plot) {
  std::vector<std::string> arguments{results, question.objectives[0].metric, question.objectives[1].metric};
  for (const results::Objective& objective : question.objectives) {
    if (objective.maximize) arguments.insert(arguments.end(), {"--max", objective.metric});
  }
  for (const std::string& axis : question.group_by) arguments.insert(arguments.end(), {"--group-by", axis});
  if (!question.study.empty()) arguments.insert(arguments.end(), {"--study", question.study});
  arguments.insert(arguments.end(), {"--output", plot});
  run_python_module("pimsweep.plot.pareto_plot", arguments);
}

}  // namespace

int pareto(const std::string& results, const results::RankingQuestion& question, const OutputForm& form,
           const std::string& plot) {
  if (!plot.empty() && question.objectives.size() != 2)
    throw InputError(fmt::format("a plot has two metrics, not {}", question.objectives.size()));
  if (!plot.empty() && question.filter) throw InputError("--plot shows all points: it does not go with --where");
  if (question.objectives.empty()) throw InputError("pareto needs a metric: --min METRIC or --max METRIC");
  constexpr std::size_t max_printed = 40;
  print_ranking(results, question, results::find_fronts(results, question), max_printed, form);
  if (!plot.empty()) draw_fronts(results, question, plot);
  return 0;
}

int top(const std::string& results, const results::RankingQuestion& question, std::size_t count, bool across,
        const OutputForm& form) {
  if (question.objectives.size() != 1) throw InputError("top needs one metric: --min METRIC or --max METRIC");
  if (across) {
    std::vector<std::string> left_out;
    print_studies(results, question, results::rank_studies(results, question, left_out), count, form);
    if (!left_out.empty() && form.has_text()) {
      fmt::print("left out because they lack the metric, an axis or a name of a condition: {}\n",
                 fmt::join(left_out, ", "));
    }
    return 0;
  }
  print_ranking(results, question, results::find_best(results, question, count), 0, form);
  return 0;
}

}  // namespace pimsweep::commands
