#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/plural.h"
#include "base/print.h"
#include "commands/commands.h"
#include "commands/output.h"
#include "commands/paper_table.h"
#include "commands/row_filter.h"
#include "commands/terminal.h"
#include "commands/text_table.h"
#include "results/overview.h"
#include "results/point_cells.h"
#include "results/stored_table.h"

namespace pimsweep::commands {

namespace {

/// The column by which rows are sorted.
struct Order {
  /// Empty: rows stay as they are.
  std::string column;
  bool descending = false;
};

Order parse_order(const std::string& text) {
  const bool descending = text.starts_with('-');
  return {text.substr(descending ? 1 : 0), descending};
}

std::string words_of(const Order& order) {
  return order.column.empty() ? "" : fmt::format(", by {}{}", order.column, order.descending ? ", largest first" : "");
}

/// The names and expressions in lists. A comma in parentheses separates arguments of a function.
std::vector<std::string> split(const std::vector<std::string>& lists) {
  std::vector<std::string> parts;
  for (const std::string& list : lists) {
    int depth = 0;
    parts.emplace_back();
    for (const char c : list) {
      depth += (c == '(') - (c == ')');
      if (c == ',' && depth == 0)
        parts.emplace_back();
      else
        parts.back() += c;
    }
  }
  return parts;
}

/// One study as a table.
class StudyTable {
 public:
  StudyTable(const std::string& file, const std::string& id, const ShowOptions& request)
      : table_(file, id), question_(request), names_(split(request.columns)), order_(parse_order(request.sort)) {
    const std::vector<std::string> metrics = results::main_metrics(file, id);
    if (names_.empty()) {
      names_ = results::varying_axes(file, id);
      names_.insert(names_.end(), metrics.begin(), metrics.end());
    }
    // It is the first column anyway, but for tables of papers.
    if (question_.markup == Markup::none) std::erase(names_, "point");
    columns_ = table_.indices(names_);
    // Of many points the best are worth a look, of few all as they stand.
    if (order_.column.empty() && table_.rows() > request.count && !metrics.empty()) order_.column = metrics.front();
    choose_rows();
  }

  /// Prints the first rows as a table for a paper, with the unit of each column in its heading.
  void print_marked_up() {
    PaperTable table;
    const std::size_t shown = std::min<std::size_t>(rows_.size(), question_.count);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      std::vector<Value> cells;
      for (std::size_t row = 0; row < shown; ++row) cells.push_back(table_.get(rows_[row], columns_[i]));
      table.add(names_[i], table_.unit(columns_[i]), cells, question_.digits);
    }
    print_to(stdout, "{}", question_.markup == Markup::latex ? table.latex() : table.markdown());
  }

  void print() {
    const std::size_t shown = std::min<std::size_t>(rows_.size(), question_.count);
    const std::size_t message = table_.indices({"message"}).front();
    // Why a point has no numbers is worth more than dashes.
    const bool explains =
        std::ranges::find(names_, "message") == names_.end() &&
        std::any_of(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(shown),
                    [&](std::uint64_t row) { return !std::get<std::string>(table_.get(row, message)).empty(); });
    std::vector<std::string> headings = headings_of();
    if (explains) headings.emplace_back("message");
    TextTable text(headings);
    for (std::size_t i = 0; i < shown; ++i) {
      std::vector<std::string> cells = line(rows_[i], question_.exact);
      if (explains) cells.push_back(to_text(table_.get(rows_[i], message)));
      text.add(std::move(cells));
    }
    const std::size_t width = terminal_columns();
    // The columns at the end go first; two stay.
    const std::vector<std::string_view> order(
        headings.rbegin(), headings.rend() - static_cast<std::ptrdiff_t>(std::min<std::size_t>(headings.size(), 2)));
    const std::vector<std::string> dropped = text.drop_to_fit(width, order);
    print_to(stdout, "{}\n{}", title(shown), text.aligned(width));
    if (!dropped.empty()) print_to(stdout, "not shown: {} (--columns chooses)\n", fmt::join(dropped, ", "));
    print_absent(shown, message, dropped);
  }

  /// The columns with numbers.
  std::vector<std::string> numbers() const {
    std::vector<std::string> numbers{"point"};
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (table_.type(columns_[i]) != ValueType::text) numbers.push_back(whole_heading(i));
    }
    return numbers;
  }

  /// All rows, with all digits.
  TextTable whole() {
    std::vector<std::string> headings{"study", "point"};
    for (std::size_t i = 0; i < names_.size(); ++i) headings.push_back(whole_heading(i));
    TextTable text(std::move(headings));
    for (const std::uint64_t row : rows_) {
      std::vector<std::string> cells = line(row, true);
      cells.insert(cells.begin(), table_.study());
      text.add(std::move(cells));
    }
    return text;
  }

 private:
  void choose_rows() {
    RowFilter filter(table_, question_.where);
    for (std::uint64_t row = 0; row < table_.rows(); ++row) {
      if (filter.keeps(row)) rows_.push_back(row);
    }
    if (!order_.column.empty()) sort_rows();
  }

  /// Rows without a number come last.
  void sort_rows() {
    const std::size_t column = table_.indices({order_.column}).front();
    if (table_.type(column) == ValueType::text) {
      throw InputError(fmt::format("column '{}' of study '{}' holds texts, by which rows are not sorted", order_.column,
                                   table_.study()));
    }
    std::vector<std::pair<double, std::uint64_t>> keys;
    keys.reserve(rows_.size());
    for (const std::uint64_t row : rows_) {
      const double number = number_of(table_.get(row, column));
      keys.emplace_back(std::isnan(number) ? HUGE_VAL : (order_.descending ? -number : number), row);
    }
    std::sort(keys.begin(), keys.end());
    std::transform(keys.begin(), keys.end(), rows_.begin(), [](const auto& key) { return key.second; });
  }

  /// Says of each column that is shown why points with a result do not have the number.
  void print_absent(std::size_t shown, std::size_t message, const std::vector<std::string>& dropped) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string& reason = table_.absent(columns_[i]);
      if (reason.empty() || table_.type(columns_[i]) != ValueType::real || std::ranges::count(dropped, names_[i]) > 0)
        continue;
      const auto missing =
          std::count_if(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(shown), [&](std::uint64_t row) {
            return std::isnan(number_of(table_.get(row, columns_[i]))) && to_text(table_.get(row, message)).empty();
          });
      if (missing > 0)
        print_to(stdout, "{} is missing in {}: {}\n", names_[i], count_of(static_cast<std::uint64_t>(missing), "point"),
                 reason);
    }
  }

  static double number_of(const Value& value) {
    const auto* boolean = std::get_if<bool>(&value);
    return boolean == nullptr ? to_real(value) : static_cast<double>(*boolean);
  }

  /// Heading of CSV and JSON.
  std::string whole_heading(std::size_t i) const {
    const std::string& unit = table_.unit(columns_[i]);
    return question_.units && unit != "1" ? fmt::format("{} [{}]", names_[i], unit) : names_[i];
  }

  std::vector<std::string> headings_of() const {
    std::vector<std::string> headings{"point"};
    headings.insert(headings.end(), names_.begin(), names_.end());
    return headings;
  }

  std::vector<std::string> line(std::uint64_t row, bool exact) {
    std::vector<std::string> cells{std::to_string(row)};
    for (const std::size_t column : columns_) {
      table_.get(row, column, cell_);
      cells.push_back(exact ? to_text(cell_) : results::brief(cell_, table_.unit(column)));
    }
    return cells;
  }

  std::string title(std::size_t shown) const {
    std::string text =
        fmt::format("study {} ({}): {}", table_.study(), table_.system(), count_of(rows_.size(), "point"));
    if (!question_.where.empty()) {
      text += fmt::format(" of {} where {}", table_.rows(), fmt::join(question_.where, " and "));
    }
    text += words_of(order_);
    if (shown < rows_.size()) text += fmt::format("; the first {} (-n shows more)", shown);
    return text;
  }

  results::StoredTable table_;
  const ShowOptions& question_;
  std::vector<std::string> names_;
  std::vector<std::size_t> columns_;
  Order order_;
  std::vector<std::uint64_t> rows_;
  Value cell_;
};

/// The first main metric of most studies.
std::string common_metric(const std::string& file) {
  std::map<std::string, int> uses;
  for (const std::string& id : results::chosen_studies(file, {})) {
    const std::vector<std::string> metrics = results::main_metrics(file, id);
    if (!metrics.empty()) ++uses[metrics.front()];
  }
  if (uses.empty()) {
    throw InputError(
        fmt::format("'{}' does not say what its studies are compared by: name a metric with --sort", file));
  }
  return std::ranges::max_element(uses, {}, [](const auto& use) { return use.second; })->first;
}

}  // namespace

int show(const std::string& file, const ShowOptions& request) {
  TableWriter writer(request.form);
  bool is_first = true;
  for (const std::string& id : results::chosen_studies(file, request.studies)) {
    StudyTable table(file, id, request);
    if (!request.form.csv.empty() || request.form.json) writer.add(table.whole(), table.numbers());
    if (!request.form.has_text()) continue;
    if (!std::exchange(is_first, false)) print_to(stdout, "\n");
    if (request.markup == Markup::none)
      table.print();
    else
      table.print_marked_up();
  }
  writer.write();
  return driver::exit_all_done;
}

int show_across(const std::string& file, const ShowOptions& request) {
  const Order order = parse_order(request.sort);
  results::RankingOptions ranking;
  ranking.studies = request.studies;
  ranking.filter = points_where(file, request.where);
  ranking.objectives.push_back({order.column.empty() ? common_metric(file) : order.column, order.descending});
  return top(file, ranking, request.count, true, request.form);
}

}  // namespace pimsweep::commands
