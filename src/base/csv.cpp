#include "base/csv.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/text_cursor.h"
#include "base/trim.h"

namespace pimsweep {

namespace {

/// Separator of the cells of the first line that has one: commas or, where there are none, semicolons or tabs, as
/// spreadsheets of many countries write them, then with a decimal comma in numbers.
char separator_of(std::string_view text) {
  bool has_tab = false;
  bool has_semicolon = false;
  bool quoted = false;
  for (const char letter : text) {
    if (letter == '"') quoted = !quoted;
    if (quoted) continue;
    if (letter == ',') return ',';
    has_tab = has_tab || letter == '\t';
    has_semicolon = has_semicolon || letter == ';';
    if (letter == '\n' && (has_tab || has_semicolon)) break;
  }
  return has_semicolon ? ';' : has_tab ? '\t' : ',';
}

/// Digits with one comma in between, and a sign.
bool has_decimal_comma(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string_view::npos) return false;
  constexpr std::string_view digits = "0123456789";
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  return comma > sign && text.size() > comma + 1 && text.find_first_not_of(digits, sign) == comma &&
         text.find_first_not_of(digits, comma + 1) == std::string_view::npos;
}

bool at_line_end(const TextCursor& cursor) { return cursor.at_end() || cursor.sees("\n") || cursor.sees("\r\n"); }

CsvCell read_cell(TextCursor& cursor, char separator, const std::string& file, ProblemList& problems) {
  CsvCell cell{{}, cursor.line(), cursor.column()};
  if (at_line_end(cursor) || cursor.peek() != '"') {
    while (!at_line_end(cursor) && cursor.peek() != separator) cell.text += cursor.take();
    cell.text = std::string(trim(cell.text));
    if (separator != ',' && has_decimal_comma(cell.text)) cell.text[cell.text.find(',')] = '.';
    return cell;
  }
  cursor.take();
  while (!cursor.at_end()) {
    const char taken = cursor.take();
    if (taken != '"') {
      cell.text += taken;
    } else if (!cursor.at_end() && cursor.peek() == '"') {
      cell.text += cursor.take();
    } else {
      if (!at_line_end(cursor) && cursor.peek() != separator) {
        problems.add({file, cursor.line(), cursor.column()},
                     "text after a closing quote; a quote within a cell is written twice");
        while (!at_line_end(cursor) && cursor.peek() != separator) cursor.take();
      }
      return cell;
    }
  }
  problems.add({file, cell.line, cell.column}, "the quote that opens here is never closed");
  return cell;
}

std::vector<CsvCell> read_line(TextCursor& cursor, char separator, const std::string& file, ProblemList& problems) {
  std::vector<CsvCell> cells{read_cell(cursor, separator, file, problems)};
  while (!at_line_end(cursor)) {
    cursor.take();  // the separator
    cells.push_back(read_cell(cursor, separator, file, problems));
  }
  cursor.skip(cursor.sees("\r") ? 2 : 1);
  return cells;
}

/// Unquoted cells are trimmed when they are read.
bool must_be_quoted(std::string_view cell) {
  return trim(cell).size() < cell.size() || cell.find_first_of(",\"\r\n") != std::string_view::npos;
}

}  // namespace

int CsvTable::column(std::string_view name) const {
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (header[i].text == name) return static_cast<int>(i);
  }
  return -1;
}

CsvTable parse_csv(std::string_view text, const std::string& file, CsvRows rows) {
  ProblemList problems;
  TextCursor cursor(text);
  const char separator = separator_of(text);
  CsvTable table;
  // A file of another kind may have a mistake in each of millions of lines.
  constexpr std::size_t max_csv_problems = 1000;
  while (!cursor.at_end() && problems.problems().size() < max_csv_problems) {
    std::vector<CsvCell> cells = read_line(cursor, separator, file, problems);
    if (cells.size() == 1 && cells[0].text.empty()) continue;
    if (table.header.empty()) {
      table.header = std::move(cells);
    } else if (rows == CsvRows::like_header && cells.size() != table.header.size()) {
      problems.add({file, cells[0].line, cells[0].column},
                   fmt::format("this row has {} cells, the header has {}", cells.size(), table.header.size()));
    } else {
      table.rows.push_back(std::move(cells));
    }
  }
  if (table.header.empty()) problems.add({file, 0, 0}, "the table is empty: a header line with column names is needed");
  problems.throw_if_any();
  return table;
}

std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += ',';
    if (!must_be_quoted(cells[i])) {
      line += cells[i];
      continue;
    }
    line += '"';
    for (const char character : cells[i]) {
      if (character == '"') line += '"';
      line += character;
    }
    line += '"';
  }
  return line + '\n';
}

}  // namespace pimsweep
