#include "commands/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "base/csv.h"
#include "base/json_text.h"
#include "base/text_cursor.h"

namespace pimsweep::commands {

namespace {

constexpr std::size_t gap = 2;
/// Cells up to this length are never cut: numbers and words.
constexpr std::size_t max_short_cell = 18;
/// A column of text this narrow is still read with ease.
constexpr std::size_t min_text = 30;

std::size_t line_length(const std::vector<std::size_t>& widths) {
  return std::accumulate(widths.begin(), widths.end(), gap * (widths.size() - 1));
}

/// Characters of UTF-8 text.
std::size_t length(const std::string& text) {
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_utf8_continuation));
}

/// The text without its middle, so that it has at most `width` bytes, unless it has no more characters than that.
std::string shortened(const std::string& text, std::size_t width) {
  if (length(text) <= width) return text;
  std::size_t front = (width - 2) / 2;
  std::size_t back = text.size() - (width - 2 - front);
  while (front > 0 && is_utf8_continuation(text[front])) --front;
  while (back < text.size() && is_utf8_continuation(text[back])) ++back;
  return text.substr(0, front) + ".." + text.substr(back);
}

/// Cells in columns of these widths, without blanks at the end.
std::string aligned_line(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string cell = shortened(cells[i], widths[i]);
    if (i > 0) line.append(gap, ' ');
    line += cell;
    line.append(widths[i] - length(cell), ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

/// Cuts the front part off a text that is longer than `width`.
std::string cut_front(std::string& text, std::size_t width) {
  std::size_t end = std::min(width, text.size());
  while (end > 1 && end < text.size() && is_utf8_continuation(text[end])) --end;
  std::string front = text.substr(0, end);
  text.erase(0, end);
  return front;
}

/// The text broken at blanks into lines of at most `width`, and anywhere in words that are longer.
std::vector<std::string> words_in_lines(const std::string& text, std::size_t width) {
  std::vector<std::string> lines{""};
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    while (!word.empty()) {
      const std::string piece = cut_front(word, width);
      if (lines.back().empty())
        lines.back() = piece;
      else if (length(lines.back()) + 1 + length(piece) <= width)
        lines.back() += " " + piece;
      else
        lines.push_back(piece);
    }
  }
  return lines;
}

/// A cell of a column of numbers. Some columns have texts beside them.
std::string json_number(const std::string& cell) {
  if (cell.empty() || cell == "nan" || cell == "-nan" || cell == "inf" || cell == "-inf") return "null";
  return nlohmann::json::accept(cell) ? cell : json_text(cell);
}

}  // namespace

std::vector<std::size_t> TextTable::full_widths() const {
  std::vector<std::size_t> widths;
  for (const std::string& heading : headings_) widths.push_back(length(heading));
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], length(row[i]));
  }
  return widths;
}

std::vector<std::size_t> TextTable::widths(std::size_t limit) const {
  std::vector<std::size_t> widths = full_widths();
  for (std::size_t length = line_length(widths); limit != 0 && length > limit; --length) {
    std::size_t& widest = *std::max_element(widths.begin(), widths.end());
    if (widest <= max_short_cell) break;
    --widest;
  }
  return widths;
}

std::vector<std::string> TextTable::drop_to_fit(std::size_t width, std::span<const std::string_view> order) {
  std::vector<std::string> dropped;
  for (const std::string_view heading : order) {
    if (width == 0 || line_length(widths(width)) <= width) break;
    drop(heading, dropped);
  }
  return dropped;
}

void TextTable::drop(std::string_view heading, std::vector<std::string>& dropped) {
  const auto found = std::find(headings_.begin(), headings_.end(), heading);
  if (found == headings_.end()) return;
  const auto column = found - headings_.begin();
  for (auto& row : rows_) row.erase(row.begin() + column);
  headings_.erase(headings_.begin() + column);
  dropped.emplace_back(heading);
}

void TextTable::move_behind(std::string_view heading) {
  const auto found = std::find(headings_.begin(), headings_.end(), heading);
  if (found == headings_.end()) return;
  const auto column = static_cast<std::size_t>(found - headings_.begin());
  for (auto& row : rows_) {
    if (!row[column].empty()) row.back() += fmt::format(" ({}: {})", heading, row[column]);
  }
  std::vector<std::string> moved;
  drop(heading, moved);
}

std::string TextTable::aligned(std::size_t width) const {
  const std::vector<std::size_t> columns = widths(width);
  std::string text = aligned_line(headings_, columns) + '\n';
  for (const auto& row : rows_) text += aligned_line(row, columns) + '\n';
  return text;
}

std::string TextTable::wrapped(std::size_t width) const {
  std::vector<std::size_t> columns = full_widths();
  const std::size_t full = line_length(columns);
  if (width == 0 || full <= width) return aligned();
  std::size_t& last = columns.back();
  last -= std::min(full - width, last - std::min(last, min_text));
  for (std::size_t length = line_length(columns); length > width; --length) {
    std::size_t& widest = *std::max_element(columns.begin(), columns.end() - 1);
    if (widest <= max_short_cell) break;
    --widest;
  }
  const std::string indent(line_length(columns) - last, ' ');
  std::string text;
  const auto print = [&](const std::vector<std::string>& cells) {
    const std::vector<std::string> lines = words_in_lines(cells.back(), last);
    std::vector<std::string> front = cells;
    front.back() = lines.front();
    text += aligned_line(front, columns) + '\n';
    for (std::size_t i = 1; i < lines.size(); ++i) text += indent + lines[i] + '\n';
  };
  print(headings_);
  for (const auto& row : rows_) print(row);
  return text;
}

std::string TextTable::described(std::size_t width, std::span<const std::string_view> order,
                                 std::span<const std::string_view> movable, std::vector<std::string>& dropped) const {
  constexpr std::size_t indent = 4;
  if (width <= min_text) return aligned();
  TextTable table = *this;
  const auto length = [&](std::size_t last) {
    std::vector<std::size_t> columns = table.full_widths();
    columns.back() = std::min(columns.back(), last);
    return line_length(columns);
  };
  for (auto heading = order.begin(); heading != order.end() && length(min_text) > width; ++heading)
    table.drop(*heading, dropped);
  if (length(min_text) <= width) return table.wrapped(width);
  for (auto heading = movable.begin(); heading != movable.end() && length(0) > width + gap; ++heading)
    table.move_behind(*heading);

  std::vector<std::string> descriptions;
  for (auto& row : table.rows_) {
    descriptions.push_back(std::move(row.back()));
    row.pop_back();
  }
  const std::string title = table.headings_.back();
  table.headings_.pop_back();
  const std::vector<std::size_t> columns = table.widths(width);
  std::string text = fmt::format("{}\n{:{}}{}\n", aligned_line(table.headings_, columns), "", indent, title);
  for (std::size_t i = 0; i < table.rows_.size(); ++i) {
    text += aligned_line(table.rows_[i], columns) + '\n';
    for (const std::string& line : words_in_lines(descriptions[i], width - indent))
      text += fmt::format("{:{}}{}\n", "", indent, line);
  }
  return text;
}

std::string TextTable::csv() const {
  std::string text = csv_line(headings_);
  for (const auto& row : rows_) text += csv_line(row);
  return text;
}

std::vector<std::string> TextTable::json(const std::vector<std::string>& numbers) const {
  std::vector<std::string> objects;
  objects.reserve(rows_.size());
  for (const auto& row : rows_) {
    std::string& object = objects.emplace_back("{");
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool is_number = std::find(numbers.begin(), numbers.end(), headings_[i]) != numbers.end();
      object += i == 0 ? "" : ", ";
      object += json_text(headings_[i]) + ": " + (is_number ? json_number(row[i]) : json_text(row[i]));
    }
    object += '}';
  }
  return objects;
}

}  // namespace pimsweep::commands
