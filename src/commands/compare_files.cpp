#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "base/plural.h"
#include "base/print.h"
#include "commands/commands.h"
#include "commands/differences_json.h"
#include "commands/output.h"
#include "commands/terminal.h"
#include "commands/text_table.h"
#include "results/difference.h"
#include "results/point_places.h"

namespace pimsweep::commands {

namespace {

using results::CellChange;
using results::ColumnDifference;
using results::FileDifference;
using results::NoteDifference;
using results::StudyDifference;

std::string change_text(const std::optional<double>& change) {
  if (!change) return "-";
  return std::isinf(*change) ? "unbounded" : fmt::format("{:+.3g} %", 100 * *change);
}

std::string name_of(const ColumnDifference& column) {
  return column.table.empty() ? column.column : fmt::format("{}/{}", column.table, column.column);
}

/// Lines of a text that another one lacks.
std::vector<std::string> lines_only_in(const std::string& text, const std::string& other) {
  std::multiset<std::string> known;
  std::istringstream others(other);
  for (std::string line; std::getline(others, line);) known.insert(line);
  std::vector<std::string> lines;
  std::istringstream own(text);
  for (std::string line; std::getline(own, line);) {
    const auto found = known.find(line);
    if (found == known.end())
      lines.push_back(line);
    else
      known.erase(found);
  }
  return lines;
}

/// Line by line where a text is long.
void print_note(const NoteDifference& note) {
  constexpr std::size_t max_lines = 10;
  if (note.a.empty() || note.b.empty()) {
    print_to(stdout, "  {}: only in {}\n", note.name, note.b.empty() ? "A" : "B");
    return;
  }
  if (note.a.find('\n') == std::string::npos && note.b.find('\n') == std::string::npos) {
    print_to(stdout, "  {}: A {}, B {}\n", note.name, note.a, note.b);
    return;
  }
  const std::vector<std::string> a = lines_only_in(note.a, note.b);
  const std::vector<std::string> b = lines_only_in(note.b, note.a);
  print_to(stdout, "  {}: {} only in A, {} only in B{}\n", note.name, count_of(a.size(), "line"),
           count_of(b.size(), "line"), a.empty() && b.empty() ? ": the same lines in another order" : "");
  for (std::size_t i = 0; i < std::min(a.size(), max_lines); ++i) print_to(stdout, "    A | {}\n", a[i]);
  for (std::size_t i = 0; i < std::min(b.size(), max_lines); ++i) print_to(stdout, "    B | {}\n", b[i]);
}

/// Prints what is different in one study.
class StudyPrinter {
 public:
  StudyPrinter(const std::string& file_a, const std::string& file_b, const StudyDifference& study)
      : study_(study), width_(terminal_columns()), places_a_(file_a, study.study), places_b_(file_b, study.study) {}

  void print() {
    print_to(stdout, "study {}: {}\n", study_.study, counts());
    for (const NoteDifference& note : study_.notes) print_note(note);
    print_lone("A", study_.only_a, places_a_);
    print_lone("B", study_.only_b, places_b_);
    if (study_.other_identities > 0) {
      print_to(stdout, "  another identity (axes, version of the system, or definition of what runs): {}\n",
               count_of(study_.other_identities, "point"));
    }
    print_columns("A", study_.columns_only_a);
    print_columns("B", study_.columns_only_b);
    print_inputs();
    print_outputs();
    print_largest();
  }

 private:
  std::string counts() const {
    std::string text = fmt::format("{} in both files", count_of(study_.in_both, "point"));
    if (study_.only_a.count > 0) text += fmt::format(", {} only in A", study_.only_a.count);
    if (study_.only_b.count > 0) text += fmt::format(", {} only in B", study_.only_b.count);
    return text + (study_.is_equal() ? ": equal" : "");
  }

  static void print_lone(const char* file, const results::LonePoints& points, results::PointPlaces& places) {
    for (const std::uint64_t point : points.first) {
      print_to(stdout, "  only in {}: point {} ({})\n", file, point, places.text(point));
    }
    if (points.count > points.first.size()) {
      print_to(stdout, "  only in {}: {} more\n", file, points.count - points.first.size());
    }
  }

  static void print_columns(const char* file, const std::vector<std::string>& columns) {
    if (!columns.empty()) print_to(stdout, "  columns only in {}: {}\n", file, fmt::join(columns, ", "));
  }

  void print_inputs() const {
    if (study_.inputs.empty()) return;
    TextTable table({"  axis", "differs at", "first in A", "first in B"});
    for (const ColumnDifference& input : study_.inputs) {
      const CellChange& first = input.largest.front();
      table.add({"  " + name_of(input), count_of(input.differing, "point"), results::brief(first.a, input.unit),
                 results::brief(first.b, input.unit)});
    }
    print_to(stdout, "{}", table.aligned(width_));
  }

  void print_outputs() const {
    if (study_.outputs.empty()) return;
    TextTable table({"  column", "differs", "of", "median change", "largest"});
    for (const ColumnDifference& column : study_.outputs) {
      const std::optional<double> largest = column.largest.front().change;
      table.add({"  " + name_of(column), std::to_string(column.differing), std::to_string(column.compared),
                 column.median ? change_text(column.median).substr(1) : "-", change_text(largest)});
    }
    print_to(stdout, "{}", table.aligned(width_));
  }

  /// The largest changes of all columns.
  void print_largest() {
    constexpr std::size_t max_changes = 5;
    std::vector<std::pair<const ColumnDifference*, const CellChange*>> changes;
    for (const ColumnDifference& column : study_.outputs) {
      for (const CellChange& change : column.largest) changes.emplace_back(&column, &change);
    }
    if (changes.empty()) return;
    std::stable_sort(changes.begin(), changes.end(), [](const auto& x, const auto& y) {
      return std::abs(x.second->change.value_or(0)) > std::abs(y.second->change.value_or(0));
    });
    changes.resize(std::min(changes.size(), max_changes));
    TextTable table({"  largest changes", "A", "B", "change", "point in A", "in B", "at"});
    for (const auto& [column, change] : changes) {
      table.add({"  " + name_of(*column), results::brief(change->a, column->unit),
                 results::brief(change->b, column->unit), change_text(change->change), std::to_string(change->point_a),
                 std::to_string(change->point_b), places_a_.text(change->point_a)});
    }
    print_to(stdout, "{}", table.aligned(width_));
  }

  const StudyDifference& study_;
  std::size_t width_;
  results::PointPlaces places_a_;
  results::PointPlaces places_b_;
};

void print_differences(const std::string& file_a, const std::string& file_b, const FileDifference& difference) {
  print_to(stdout, "A: {}\nB: {}\n", file_a, file_b);
  if (!difference.origins.empty()) print_to(stdout, "origin\n");
  for (const NoteDifference& note : difference.origins) print_note(note);
  if (!difference.studies_only_a.empty()) {
    print_to(stdout, "studies only in A: {}\n", fmt::join(difference.studies_only_a, ", "));
  }
  if (!difference.studies_only_b.empty()) {
    print_to(stdout, "studies only in B: {}\n", fmt::join(difference.studies_only_b, ", "));
  }
  for (const StudyDifference& study : difference.studies) StudyPrinter(file_a, file_b, study).print();
  print_to(stdout, "the results are {}\n", difference.is_equal() ? "equal" : "different");
}

/// A line for each column that differs, with its largest change.
TextTable table_of(const FileDifference& difference) {
  const auto text_of = [](const std::optional<double>& number) { return number ? fmt::format("{}", *number) : ""; };
  TextTable table({"study", "table", "column", "unit", "compared", "differing", "median_change", "largest_change",
                   "point_a", "point_b", "value_a", "value_b"});
  for (const StudyDifference& study : difference.studies) {
    for (const auto* columns : {&study.inputs, &study.outputs}) {
      for (const ColumnDifference& column : *columns) {
        const CellChange& worst = column.largest.front();
        table.add({study.study, column.table, column.column, column.unit, std::to_string(column.compared),
                   std::to_string(column.differing), text_of(column.median), text_of(worst.change),
                   std::to_string(worst.point_a), std::to_string(worst.point_b), to_text(worst.a), to_text(worst.b)});
      }
    }
  }
  return table;
}

}  // namespace

int compare_files(const std::string& file_a, const std::string& file_b, const results::DifferenceOptions& options,
                  const OutputForm& form) {
  const FileDifference difference = results::find_differences(file_a, file_b, options);
  if (form.has_text()) print_differences(file_a, file_b, difference);
  if (form.json) write_output(std::string(standard_output), differences_json(file_a, file_b, difference), form.force);
  if (!form.csv.empty()) write_output(form.csv, table_of(difference).csv(), form.force);
  return difference.is_equal() ? 0 : 1;
}

}  // namespace pimsweep::commands
