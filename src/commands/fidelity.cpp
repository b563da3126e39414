#include <fmt/format.h>

#include <cmath>
#include <map>

#include "commands/commands.h"
#include "commands/output.h"
#include "commands/text_table.h"
#include "results/agreement.h"

namespace pimsweep::commands {

namespace {

std::string signed_percent(double share) { return fmt::format("{:+.2f} %", 100 * share); }

void print(const results::FidelityAgreement& agreement) {
  TextTable metrics({"study", "metric", "points", "mean", "median |d|", "95 % |d|", "worst", "at point", "rank corr."});
  std::map<std::string, std::string> equal;
  for (const results::MetricAgreement& m : agreement.metrics) {
    if (m.deviation.worst == 0) {
      std::string& names = equal[m.study];
      names += (names.empty() ? "" : ", ") + m.metric;
      continue;
    }
    metrics.add({m.study, m.metric, std::to_string(m.pairs), signed_percent(m.deviation.mean),
                 signed_percent(m.deviation.median), signed_percent(m.deviation.percentile95),
                 signed_percent(m.deviation.worst), std::to_string(m.worst_point),
                 std::isnan(m.rank_correlation) ? "-" : fmt::format("{:.4f}", m.rank_correlation)});
  }
  fmt::print("fidelities: deviation d = (coarser - finer) / |finer|\n{}", metrics.aligned());
  for (const auto& [study, names] : equal) fmt::print("{}: equal in every point: {}\n", study, names);
  TextTable fronts({"study", "finer", "coarser", "minimized", "groups", "designs", "finer front", "coarser front",
                    "in both", "regret", "worst"});
  for (const results::FrontAgreement& f : agreement.fronts) {
    fronts.add({f.study, f.finer, f.coarser, fmt::format("{}", fmt::join(f.objectives, ", ")), std::to_string(f.groups),
                std::to_string(f.designs), std::to_string(f.finer_front), std::to_string(f.coarser_front),
                std::to_string(f.common), signed_percent(f.regret), signed_percent(f.worst_regret)});
  }
  if (!agreement.fronts.empty()) fmt::print("{}", fronts.aligned());
}

std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : std::string(); }

void write(const results::FidelityAgreement& agreement, const OutputForm& form) {
  // Four columns of words, then numbers.
  const auto numbers = [](const std::vector<std::string>& headings) {
    return std::vector<std::string>(headings.begin() + 4, headings.end());
  };
  const std::vector<std::string> of_metrics{"study",  "finer",       "coarser",         "metric",
                                            "points", "mean",        "median",          "percentile_95",
                                            "worst",  "worst_point", "rank_correlation"};
  TextTable metrics(of_metrics);
  for (const results::MetricAgreement& m : agreement.metrics)
    metrics.add({m.study, m.finer, m.coarser, m.metric, std::to_string(m.pairs), number(m.deviation.mean),
                 number(m.deviation.median), number(m.deviation.percentile95), number(m.deviation.worst),
                 std::to_string(m.worst_point), number(m.rank_correlation)});
  const std::vector<std::string> of_fronts{"study",  "finer",   "coarser",     "minimized",
                                           "groups", "designs", "finer_front", "coarser_front",
                                           "common", "regret",  "worst_regret"};
  TextTable fronts(of_fronts);
  for (const results::FrontAgreement& f : agreement.fronts)
    fronts.add({f.study, f.finer, f.coarser, fmt::format("{}", fmt::join(f.objectives, " ")), std::to_string(f.groups),
                std::to_string(f.designs), std::to_string(f.finer_front), std::to_string(f.coarser_front),
                std::to_string(f.common), number(f.regret), number(f.worst_regret)});
  TableWriter writer(form);
  writer.add(metrics, numbers(of_metrics));
  if (fronts.size() > 0) writer.add(fronts, numbers(of_fronts));
  writer.write();
}

}  // namespace

bool print_fidelities(const std::string& results, const results::FrontQuestion& question) {
  const results::FidelityAgreement agreement = results::compare_fidelities(results, question);
  if (agreement.metrics.empty()) return false;
  print(agreement);
  return true;
}

int fidelity(const std::string& results, const results::FrontQuestion& question, const OutputForm& form) {
  const results::FidelityAgreement agreement = results::compare_fidelities(results, question);
  if (agreement.metrics.empty())
    throw InputError(fmt::format("'{}' has no study with results at several fidelities (axis 'fidelity')", results));
  if (form.has_text()) print(agreement);
  write(agreement, form);
  return 0;
}

}  // namespace pimsweep::commands
