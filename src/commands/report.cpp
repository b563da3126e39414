#include "results/report.h"

#include <fmt/format.h>

#include <map>

#include "base/csv.h"
#include "commands/commands.h"
#include "commands/output.h"
#include "commands/text_table.h"

namespace pimsweep::commands {

namespace {

TextTable table_of(const std::string& csv) {
  const CsvTable parsed = parse_csv(csv, "report");
  const auto texts_of = [](const std::vector<CsvCell>& cells) {
    std::vector<std::string> texts;
    texts.reserve(cells.size());
    for (const CsvCell& cell : cells) texts.push_back(cell.text);
    return texts;
  };
  TextTable table(texts_of(parsed.header));
  for (const std::vector<CsvCell>& row : parsed.rows) table.add(texts_of(row));
  return table;
}

}  // namespace

int report(const std::vector<std::string>& results, const OutputForm& form, const std::string& published_dir) {
  const std::vector<results::Finding> findings = results::make_report(results, results::read_published(published_dir));
  write_table(table_of(results::report_csv(findings)), form, {"published", "published_hi", "reproduced", "deviation"});
  if (!form.has_text()) return 0;
  TextTable table({"id", "published", "unit", "reproduced", "deviation", "verdict"});
  std::map<results::Verdict, int> counts;
  for (const results::Finding& finding : findings) {
    ++counts[finding.verdict];
    const results::PublishedValue& published = finding.published;
    table.add({published.id, published.value + (published.value_hi.empty() ? "" : " .. " + published.value_hi),
               published.unit, finding.reproduced,
               finding.deviation ? fmt::format("{:+.1f} %", 100 * *finding.deviation) : "",
               std::string(results::name_of(finding.verdict))});
  }
  fmt::print("{}", table.aligned());
  std::string summary;
  for (const auto& [verdict, count] : counts)
    summary += fmt::format("{}{} {}", summary.empty() ? "" : ", ", count, results::name_of(verdict));
  fmt::print("{} published values: {}\n", findings.size(), summary.empty() ? "none belongs to these results" : summary);
  for (const std::string& file : results) print_fidelities(file, {});
  return 0;
}

}  // namespace pimsweep::commands
