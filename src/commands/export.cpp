#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>

#include "base/csv.h"
#include "base/error.h"
#include "base/json_text.h"
#include "base/message.h"
#include "base/output_file.h"
#include "base/plural.h"
#include "base/print.h"
#include "base/quantity.h"
#include "commands/commands.h"
#include "commands/output.h"
#include "results/point_cells.h"
#include "results/stored_table.h"
#include "sweep/axis_value.h"

namespace pimsweep::commands {

namespace {

using results::StoredTable;

/// A table of a study and where it goes.
struct Part {
  std::string study;
  /// "points" or the name of a detail table.
  std::string table;
  /// Empty for the standard output.
  std::string path;
};

bool is_csv(const ExportOptions& request) { return request.format != "jsonl"; }

/// True for a text that a spreadsheet would take for a formula, as a label of a table of someone else could be.
bool is_formula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos &&
         !sweep::is_plain_number(text);
}

std::vector<Part> chosen_parts(const std::string& file, const ExportOptions& request) {
  std::vector<Part> parts;
  std::vector<std::string> known;
  for (const std::string& study : results::chosen_studies(file, request.studies)) {
    for (const std::string& table : results::table_names(file, study)) {
      if (request.table.empty() || request.table == table) parts.push_back({study, table, {}});
      if (std::find(known.begin(), known.end(), table) == known.end()) known.push_back(table);
    }
  }
  if (parts.empty()) {
    throw InputError(fmt::format("'{}' has no table '{}'{}; it has {}", file, request.table,
                                 suggestion(request.table, known), fmt::join(known, ", ")));
  }
  return parts;
}

/// Takes what is written.
using Sink = std::function<void(std::string_view text)>;

/// Says where each table goes.
void place(std::vector<Part>& parts, const std::string& file, const ExportOptions& request) {
  const bool is_single = parts.size() == 1 && !request.output.empty() &&
                         (request.output == standard_output || !std::filesystem::is_directory(request.output));
  if (is_single) {
    if (request.output != standard_output) parts.front().path = request.output;
    return;
  }
  if (request.output == standard_output) {
    throw InputError(fmt::format(
        "{} tables do not go to the standard output together: choose one with --study and --table", parts.size()));
  }
  const bool names_file = request.output.ends_with(".csv") || request.output.ends_with(".jsonl");
  if (names_file && !std::filesystem::is_directory(request.output)) {
    std::vector<std::string> names;
    names.reserve(parts.size());
    for (const Part& part : parts) names.push_back(fmt::format("--study {} --table {}", part.study, part.table));
    throw InputError(fmt::format("'{}' is one file, and there are {} tables: choose one of {}; or name a folder",
                                 request.output, parts.size(), fmt::join(names, ", ")));
  }
  const std::filesystem::path folder =
      request.output.empty() ? std::filesystem::path(file).replace_extension() : std::filesystem::path(request.output);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw InputError(fmt::format("cannot make the folder '{}': {}", folder.string(), error.message()));
  for (Part& part : parts) {
    const std::string name = part.table == "points" ? part.study : fmt::format("{}.{}", part.study, part.table);
    part.path = (folder / fmt::format("{}.{}", name, is_csv(request) ? "csv" : request.format)).string();
  }
}

std::vector<std::string> header(const StoredTable& table, const std::string& units) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < table.names().size(); ++i) {
    const std::string& unit = table.unit(i);
    names.push_back(units == "names" && unit != "1" ? fmt::format("{} [{}]", table.names()[i], unit)
                                                    : table.names()[i]);
  }
  return names;
}

/// A number without loss, or a text; empty where there is none.
std::string csv_cell(const Value& value) {
  const auto* real = std::get_if<double>(&value);
  return real != nullptr && std::isnan(*real) ? std::string() : to_text(value);
}

std::string json_cell(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return json_text(*text);
  const auto* real = std::get_if<double>(&value);
  return real != nullptr && !std::isfinite(*real) ? "null" : to_text(value);
}

/// Returns the number of texts that a spreadsheet would execute; with format spreadsheet an apostrophe keeps it from
/// that.
std::uint64_t write_csv(StoredTable& table, const ExportOptions& request, const Sink& put) {
  const std::string& units = request.units;
  const bool is_protected = request.format == "spreadsheet";
  put(csv_line(header(table, units)));
  std::vector<std::string> cells(table.names().size());
  if (units == "row") {
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = table.unit(i) == "1" ? "" : table.unit(i);
    put(csv_line(cells));
  }
  Value value;
  std::uint64_t formulas = 0;
  for (std::uint64_t row = 0; row < table.rows(); ++row) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
      table.get(row, i, value);
      cells[i] = csv_cell(value);
      if (type_of(value) != ValueType::text || !is_formula(cells[i])) continue;
      ++formulas;
      if (is_protected) cells[i].insert(0, 1, '\'');
    }
    put(csv_line(cells));
  }
  return formulas;
}

/// Start of each JSON line of a study.
std::string line_start(const Part& part) { return fmt::format("{{\"study\": {}", json_text(part.study)); }

/// Gives an object for each row, which begins with `start`.
void write_json_rows(StoredTable& table, const std::string& start,
                     const std::function<void(const std::string& row)>& put) {
  std::vector<std::string> keys;
  for (const std::string& name : table.names()) keys.push_back(json_text(name));
  Value value;
  std::string line;
  for (std::uint64_t row = 0; row < table.rows(); ++row) {
    line = start;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      table.get(row, i, value);
      line += fmt::format(", {}: {}", keys[i], json_cell(value));
    }
    put(line += "}");
  }
}

/// Start of a file of this table (base/output_file.h).
std::string mark_of(const StoredTable& table, const Part& part, const ExportOptions& request) {
  return is_csv(request) ? csv_line(header(table, request.units)) : line_start(part);
}

/// Before any table is written: with one that may not be, none is.
void require_writable(const std::string& file, const std::vector<Part>& parts, const ExportOptions& request) {
  for (const Part& part : parts) {
    if (part.path.empty() || !std::filesystem::exists(part.path)) continue;
    OutputFile::require_writable(part.path, mark_of(StoredTable(file, part.study, part.table), part, request),
                                 request.force);
  }
}

void write(const std::string& file, const Part& part, const ExportOptions& request) {
  StoredTable table(file, part.study, part.table);
  std::optional<OutputFile> target;
  if (!part.path.empty()) target.emplace(part.path, mark_of(table, part, request), request.force);
  const Sink put = [&target](std::string_view text) {
    if (target)
      target->write(text);
    else
      std::fwrite(text.data(), 1, text.size(), stdout);
  };
  const std::uint64_t formulas = is_csv(request) ? write_csv(table, request, put) : 0;
  if (!is_csv(request)) {
    write_json_rows(table, line_start(part), [&put](const std::string& row) { put(row + "\n"); });
  }
  if (formulas > 0 && request.format == "csv") {
    print_note(
        "{} of {} begin with =, +, - or @, so that a spreadsheet executes them: --format spreadsheet prevents it",
        count_of(formulas, "text"), part.study);
  }
  if (!target) return;
  target->close();
  print_to(stdout, "{}: {}\n", part.path, count_of(table.rows(), "row"));
}

/// One list of the rows of all tables, which name their study and table.
void print_json(const std::string& file, const std::vector<Part>& parts) {
  print_to(stdout, "[");
  const char* separator = "\n ";
  for (const Part& part : parts) {
    StoredTable table(file, part.study, part.table);
    const std::string start = fmt::format("{}, \"table\": {}", line_start(part), json_text(part.table));
    write_json_rows(table, start, [&separator](const std::string& row) {
      print_to(stdout, "{}{}", separator, row);
      separator = ",\n ";
    });
  }
  print_to(stdout, "\n]\n");
}

}  // namespace

int export_results(const std::string& file, const ExportOptions& request) {
  std::vector<Part> parts = chosen_parts(file, request);
  if (request.json) {
    print_json(file, parts);
    return driver::exit_all_done;
  }
  place(parts, file, request);
  require_writable(file, parts, request);
  for (const Part& part : parts) write(file, part, request);
  return driver::exit_all_done;
}

}  // namespace pimsweep::commands
