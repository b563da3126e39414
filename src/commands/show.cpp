#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/plural.h"
#include "base/print.h"
#include "commands/commands.h"
#include "commands/output.h"
#include "commands/row_filter.h"
#include "commands/terminal.h"
#include "commands/text_table.h"
#include "results/overview.h"
#include "results/study_columns.h"

namespace pimsweep::commands {

namespace {

using results::ColumnReader;
using results::StudyColumns;

/// The columns that are shown: those that were asked for, or what varies and the main metrics.
std::vector<std::string> shown_columns(const std::string& file, const StudyColumns& study,
                                       const ShowQuestion& question) {
  if (!question.columns.empty()) {
    ProblemList problems;
    for (const std::string& name : question.columns) study.check_column(name, problems);
    problems.throw_if_any();
    return question.columns;
  }
  std::vector<std::string> names = study.varying_axes();
  for (std::string& metric : results::main_metrics(file, study.study())) names.push_back(std::move(metric));
  return names;
}

/// The rows that are shown, in their order: all that satisfy the conditions, or the first `count` of them when sorted
/// by a column.
std::vector<std::uint64_t> chosen_rows(StudyColumns& study, const ShowQuestion& question, const std::string& sort,
                                       bool descending) {
  const std::optional<RowFilter> filter = RowFilter::compile(study, question.where);
  std::vector<std::uint64_t> rows;
  for (std::uint64_t row = 0; row < study.rows(); ++row) {
    if (!filter || filter->keeps(row)) rows.push_back(row);
  }
  if (sort.empty()) return rows;
  ColumnReader column = study.column(sort);
  std::vector<std::pair<double, std::uint64_t>> keys;
  keys.reserve(rows.size());
  for (const std::uint64_t row : rows) {
    const double number = column.number(row);
    keys.emplace_back(std::isnan(number) ? HUGE_VAL : (descending ? -number : number), row);
  }
  std::sort(keys.begin(), keys.end());
  std::transform(keys.begin(), keys.end(), rows.begin(), [](const auto& key) { return key.second; });
  return rows;
}

/// One study as a table.
class StudyTable {
 public:
  StudyTable(const std::string& file, const std::string& id, const ShowQuestion& question)
      : study_(file, id), question_(question), names_(shown_columns(file, study_, question)), cells_(file, id, names_) {
    sort_ = question.sort;
    if (sort_.starts_with('-')) {
      descending_ = true;
      sort_.erase(0, 1);
    }
    if (!sort_.empty()) {
      ProblemList problems;
      study_.check_number(sort_, problems);
      problems.throw_if_any();
    }
    // Of many points the best are worth a look, of few all as they stand.
    const std::vector<std::string> metrics = results::main_metrics(file, id);
    if (sort_.empty() && study_.rows() > question.count && !metrics.empty()) sort_ = metrics.front();
    rows_ = chosen_rows(study_, question, sort_, descending_);
  }

  void print() {
    const std::size_t shown = std::min<std::size_t>(rows_.size(), question_.count);
    // Why a point has no numbers is worth more than dashes.
    const bool explains = std::any_of(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(shown),
                                      [&](std::uint64_t row) { return !study_.is_ok(row); });
    TextTable table(headings(explains));
    for (std::size_t i = 0; i < shown; ++i) table.add(line(rows_[i], explains));
    print_to(stdout, "{}\n{}", title(shown), table.fitted(terminal_columns()));
  }

  std::string csv() {
    TextTable table(headings(false));
    for (const std::uint64_t row : rows_) {
      std::vector<std::string> cells = cells_.row(row, true);
      cells.insert(cells.begin(), std::to_string(row));
      table.add(std::move(cells));
    }
    return table.csv();
  }

 private:
  std::vector<std::string> headings(bool explains) const {
    std::vector<std::string> headings{"point"};
    headings.insert(headings.end(), names_.begin(), names_.end());
    if (explains) headings.emplace_back("message");
    return headings;
  }

  std::vector<std::string> line(std::uint64_t row, bool explains) {
    std::vector<std::string> cells = question_.exact ? cells_.row(row, true) : cells_.brief(row);
    cells.insert(cells.begin(), std::to_string(row));
    if (explains) cells.push_back(study_.message(row));
    return cells;
  }

  std::string title(std::size_t shown) const {
    std::string text =
        fmt::format("study {} ({}): {}", study_.study(), study_.system(), count_of(rows_.size(), "point"));
    if (!question_.where.empty())
      text += fmt::format(" of {} where {}", study_.rows(), fmt::join(question_.where, " and "));
    if (!sort_.empty()) text += fmt::format(", by {}{}", sort_, descending_ ? ", largest first" : "");
    if (shown < rows_.size()) text += fmt::format(", the first {} (-n shows more)", shown);
    return text;
  }

  StudyColumns study_;
  const ShowQuestion& question_;
  std::vector<std::string> names_;
  results::PointCells cells_;
  std::string sort_;
  bool descending_ = false;
  std::vector<std::uint64_t> rows_;
};

/// The first main metric of most studies.
std::string common_metric(const std::string& file) {
  std::map<std::string, int> uses;
  for (const std::string& id : results::chosen_studies(file, {})) {
    const std::vector<std::string> metrics = results::main_metrics(file, id);
    if (!metrics.empty()) ++uses[metrics.front()];
  }
  if (uses.empty())
    throw InputError(
        fmt::format("'{}' does not say what its studies are compared by: name a column with --sort", file));
  return std::max_element(uses.begin(), uses.end(), [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

}  // namespace

int show(const std::string& file, const ShowQuestion& question) {
  std::string csv;
  bool first = true;
  for (const std::string& id : results::chosen_studies(file, question.study)) {
    StudyTable table(file, id, question);
    if (!question.csv.empty()) {
      csv += table.csv();
      continue;
    }
    if (!std::exchange(first, false)) print_to(stdout, "\n");
    table.print();
  }
  if (!question.csv.empty()) write_output(question.csv, csv);
  return driver::exit_all_done;
}

int show_across(const std::string& file, const ShowQuestion& question) {
  results::RankingQuestion ranking;
  ranking.study = question.study;
  const bool descending = question.sort.starts_with('-');
  const std::string metric = question.sort.empty() ? common_metric(file) : question.sort.substr(descending ? 1 : 0);
  ranking.objectives.push_back({metric, descending});
  return top(file, ranking, question.count, true, question.csv);
}

}  // namespace pimsweep::commands
