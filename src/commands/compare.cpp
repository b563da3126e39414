#include "results/compare.h"

#include <fmt/format.h>

#include "commands/commands.h"
#include "commands/output.h"
#include "commands/text_table.h"

namespace pimsweep::commands {

int compare(const std::string& results, const std::vector<std::string>& studies, const OutputForm& form) {
  const auto percent = [](double share) { return fmt::format("{:+.3f} %", 100 * share); };
  const auto number = [](double share) { return fmt::format("{}", share); };
  TextTable table({"study", "metric", "points", "mean", "median |d|", "95 % |d|", "worst", "at point", "labels"});
  TextTable exact({"study", "metric", "points", "mean", "median", "percentile95", "worst", "worst_point", "labels"});
  for (const results::Comparison& c : results::compare_with_references(results, studies)) {
    const auto line = [&](const auto& text_of) {
      return std::vector<std::string>{c.study,
                                      c.metric,
                                      std::to_string(c.count),
                                      text_of(c.deviation.mean),
                                      text_of(c.deviation.median),
                                      text_of(c.deviation.percentile95),
                                      text_of(c.deviation.worst),
                                      std::to_string(c.worst_point),
                                      c.worst_labels};
    };
    table.add(line(percent));
    exact.add(line(number));
  }
  if (form.has_text()) fmt::print("deviation d = (result - reference) / |reference|\n{}", table.aligned());
  write_table(exact, form, {"points", "mean", "median", "percentile95", "worst", "worst_point"});
  return 0;
}

}  // namespace pimsweep::commands
