#include "results/report.h"

#include <fmt/format.h>

#include <set>

#include "commands/commands.h"
#include "commands/output.h"
#include "commands/text_table.h"
#include "results/role_tally.h"

namespace pimsweep::commands {

namespace {

/// How many values are near, by role.
void print_summary(const std::vector<results::Finding>& findings) {
  std::set<std::string> values;
  for (const results::Finding& finding : findings) values.insert(finding.published.id);
  fmt::print("{} published values{}\n", values.size(), findings.empty() ? ": none belongs to these results" : "");
  if (findings.empty()) return;
  TextTable table(
      {"role", "values", "compared", "exact", "within 10 %", "within 25 %", "as ratios: within 10 %", "within 25 %"});
  for (const results::RoleTally& tally : results::tally_by_role(findings)) {
    std::vector<std::string> row{tally.role.empty() ? "not recomputed" : tally.role};
    for (const int count : {tally.values, tally.compared, tally.exact, tally.within_10_percent, tally.within_25_percent,
                            tally.ratio_within_10_percent, tally.ratio_within_25_percent}) {
      row.push_back(std::to_string(count));
    }
    table.add(row);
  }
  fmt::print("{}", table.aligned());
}

}  // namespace

int report(const std::vector<std::string>& results, const std::vector<std::string>& papers, const OutputForm& form,
           const std::string& published_dir) {
  const std::vector<results::Finding> findings =
      results::make_report(results, results::read_published(published_dir), papers);
  write_table(TextTable::from_csv(results::report_csv(findings)), form,
              {"published", "published_hi", "reproduced", "deviation", "ratio_deviation"});
  if (!form.has_text()) return 0;
  TextTable table({"id", "published", "unit", "reproduced", "deviation", "verdict", "role"});
  for (const results::Finding& finding : findings) {
    const results::PublishedValue& published = finding.published;
    table.add({published.id, published.text(), published.unit, finding.reproduced,
               finding.deviation ? fmt::format("{:+.1f} %", 100 * *finding.deviation) : "",
               std::string(results::name_of(finding.verdict)),
               finding.role + (finding.reading.empty() ? "" : ": " + finding.reading)});
  }
  fmt::print("{}", table.aligned());
  print_summary(findings);
  for (const std::string& file : results) print_fidelities(file, {});
  return 0;
}

}  // namespace pimsweep::commands
