#include <fmt/format.h>

#include <cmath>
#include <map>

#include "commands/commands.h"
#include "commands/text_table.h"
#include "results/agreement.h"

namespace pimsweep::commands {

namespace {

std::string percent(double share) { return fmt::format("{:+.2f} %", 100 * share); }

void print(const results::FidelityAgreement& agreement) {
  TextTable metrics({"study", "metric", "points", "mean", "median |d|", "95 % |d|", "worst", "at point", "rank corr."});
  std::map<std::string, std::string> equal;
  for (const results::MetricAgreement& m : agreement.metrics) {
    if (m.deviation.worst == 0) {
      std::string& names = equal[m.study];
      names += (names.empty() ? "" : ", ") + m.metric;
      continue;
    }
    metrics.add({m.study, m.metric, std::to_string(m.pairs), percent(m.deviation.mean), percent(m.deviation.median),
                 percent(m.deviation.percentile95), percent(m.deviation.worst), std::to_string(m.worst_point),
                 std::isnan(m.rank_correlation) ? "-" : fmt::format("{:.4f}", m.rank_correlation)});
  }
  fmt::print("fidelities: deviation d = (coarser - finer) / |finer|\n{}", metrics.aligned());
  for (const auto& [study, names] : equal) fmt::print("{}: equal in every point: {}\n", study, names);
  TextTable fronts({"study", "finer", "coarser", "minimized", "groups", "designs", "finer front", "coarser front",
                    "in both", "regret", "worst"});
  for (const results::FrontAgreement& f : agreement.fronts) {
    fronts.add({f.study, f.finer, f.coarser, fmt::format("{}", fmt::join(f.objectives, ", ")), std::to_string(f.groups),
                std::to_string(f.designs), std::to_string(f.finer_front), std::to_string(f.coarser_front),
                std::to_string(f.common), percent(f.regret), percent(f.worst_regret)});
  }
  if (!agreement.fronts.empty()) fmt::print("{}", fronts.aligned());
}

}  // namespace

bool print_fidelities(const std::string& results, const results::FrontQuestion& question) {
  const results::FidelityAgreement agreement = results::compare_fidelities(results, question);
  if (agreement.metrics.empty()) return false;
  print(agreement);
  return true;
}

int fidelity(const std::string& results, const results::FrontQuestion& question) {
  if (!print_fidelities(results, question))
    throw InputError(fmt::format("'{}' has no study with results at several fidelities (axis 'fidelity')", results));
  return 0;
}

}  // namespace pimsweep::commands
