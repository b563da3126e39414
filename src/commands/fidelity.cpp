#include <fmt/format.h>

#include <cmath>

#include "commands/commands.h"
#include "commands/text_table.h"
#include "results/agreement.h"

namespace pimsweep::commands {

namespace {

std::string percent(double share) { return fmt::format("{:+.2f} %", 100 * share); }

void print(const FidelityAgreement& agreement) {
  TextTable metrics({"study", "metric", "points", "mean", "median |d|", "95 % |d|", "worst", "at point", "rank corr."});
  for (const MetricAgreement& m : agreement.metrics) {
    metrics.add({m.study, m.metric, std::to_string(m.pairs), percent(m.deviation.mean), percent(m.deviation.median),
                 percent(m.deviation.percentile95), percent(m.deviation.worst), std::to_string(m.worst_point),
                 std::isnan(m.rank_correlation) ? "-" : fmt::format("{:.4f}", m.rank_correlation)});
  }
  fmt::print("fidelities: deviation d = (coarser - finer) / |finer|\n{}", metrics.aligned());
  TextTable fronts(
      {"study", "finer", "coarser", "minimised", "designs", "in its front", "in the other's", "in both", "regret"});
  for (const FrontAgreement& f : agreement.fronts) {
    fronts.add({f.study, f.finer, f.coarser, fmt::format("{}", fmt::join(f.objectives, ", ")),
                std::to_string(f.designs), std::to_string(f.finer_front), std::to_string(f.coarser_front),
                std::to_string(f.common), percent(f.regret)});
  }
  if (!agreement.fronts.empty()) fmt::print("{}", fronts.aligned());
}

}  // namespace

bool print_fidelities(const std::string& results, const std::vector<std::string>& objectives) {
  const FidelityAgreement agreement = compare_fidelities(results, objectives);
  if (agreement.metrics.empty()) return false;
  print(agreement);
  return true;
}

int fidelity(const std::string& results, const std::vector<std::string>& objectives) {
  if (!print_fidelities(results, objectives))
    throw InputError(fmt::format("'{}' has no study with results at several fidelities (axis 'fidelity')", results));
  return 0;
}

}  // namespace pimsweep::commands
