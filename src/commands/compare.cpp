#include "results/compare.h"

#include <fmt/format.h>

#include "commands/commands.h"
#include "commands/text_table.h"

namespace pimsweep::commands {

int compare(const std::string& results) {
  const auto percent = [](double share) { return fmt::format("{:+.3f} %", 100 * share); };
  TextTable table({"study", "metric", "points", "mean", "median |d|", "95 % |d|", "worst", "at point", "labels"});
  for (const results::Comparison& c : results::compare_with_references(results)) {
    table.add({c.study, c.metric, std::to_string(c.count), percent(c.deviation.mean), percent(c.deviation.median),
               percent(c.deviation.percentile95), percent(c.deviation.worst), std::to_string(c.worst_point),
               c.worst_labels});
  }
  fmt::print("deviation d = (result - reference) / |reference|\n{}", table.aligned());
  return 0;
}

}  // namespace pimsweep::commands
