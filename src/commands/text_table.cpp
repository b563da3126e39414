#include "commands/text_table.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/csv.h"
#include "base/json_text.h"

namespace pimsweep::commands {

namespace {

constexpr std::size_t gap = 2;
/// Cells up to this length are never cut: numbers and words.
constexpr std::size_t max_short_cell = 18;

std::size_t line_length(const std::vector<std::size_t>& widths) {
  return std::accumulate(widths.begin(), widths.end(), gap * (widths.size() - 1));
}

bool continues_letter(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

/// Characters of UTF-8 text.
std::size_t length(const std::string& text) {
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues_letter));
}

/// The text without its middle, so that it has at most `width` bytes, unless it has no more characters than that.
std::string shortened(const std::string& text, std::size_t width) {
  if (length(text) <= width) return text;
  std::size_t front = (width - 2) / 2;
  std::size_t back = text.size() - (width - 2 - front);
  while (front > 0 && continues_letter(text[front])) --front;
  while (back < text.size() && continues_letter(text[back])) ++back;
  return text.substr(0, front) + ".." + text.substr(back);
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
    const auto column = std::find(headings_.begin(), headings_.end(), heading) - headings_.begin();
    for (auto& row : rows_) row.erase(row.begin() + column);
    headings_.erase(headings_.begin() + column);
    dropped.emplace_back(heading);
  }
  return dropped;
}

std::string TextTable::aligned(std::size_t width) const {
  const std::vector<std::size_t> columns = widths(width);
  std::string text;
  const auto print = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string cell = shortened(cells[i], columns[i]);
      if (i > 0) line.append(gap, ' ');
      line += cell;
      line.append(columns[i] - length(cell), ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  };
  print(headings_);
  for (const auto& row : rows_) print(row);
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
