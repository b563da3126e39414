#include <fmt/ranges.h>

#include "commands/commands.h"
#include "commands/ranking_table.h"

namespace pimsweep::commands {

int pareto(const std::string& results, const results::RankingQuestion& question, const OutputForm& form) {
  if (question.objectives.empty()) throw InputError("pareto needs a metric: --min METRIC or --max METRIC");
  constexpr std::size_t max_printed = 40;
  print_ranking(results, question, results::find_fronts(results, question), max_printed, form);
  return 0;
}

int top(const std::string& results, const results::RankingQuestion& question, std::size_t count, bool across,
        const OutputForm& form) {
  if (question.objectives.size() != 1) throw InputError("top needs one metric: --min METRIC or --max METRIC");
  if (across) {
    std::vector<std::string> left_out;
    print_studies(results, question, results::rank_studies(results, question, left_out), count, form);
    if (!left_out.empty() && form.has_text()) {
      fmt::print("left out because they lack the metric or an axis: {}\n", fmt::join(left_out, ", "));
    }
    return 0;
  }
  print_ranking(results, question, results::find_best(results, question, count), 0, form);
  return 0;
}

}  // namespace pimsweep::commands
