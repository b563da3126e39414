#include "commands/text_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>

#include "base/csv.h"

namespace pimsweep::commands {

namespace {

/// Characters of UTF-8 text.
std::size_t length(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xc0) != 0x80; }));
}

/// The text in so many characters: filled with blanks, or cut and ended by three periods.
std::string in_width(const std::string& text, std::size_t width) {
  const std::size_t characters = length(text);
  if (characters <= width) return text + std::string(width - characters, ' ');
  constexpr std::string_view ellipsis = "...";
  std::size_t end = 0;
  for (std::size_t kept = 0; end < text.size(); ++end) {
    if ((text[end] & 0xc0) != 0x80 && kept++ == width - ellipsis.size()) break;
  }
  return text.substr(0, end).append(ellipsis);
}

}  // namespace

std::vector<std::size_t> TextTable::widths(std::size_t max_width) const {
  std::vector<std::size_t> widths;
  for (const std::string& heading : headings_) widths.push_back(length(heading));
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], std::min(max_width, length(row[i])));
  }
  return widths;
}

std::string TextTable::text(const std::vector<std::size_t>& widths) const {
  std::string text;
  const auto print = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (i > 0) line += "  ";
      line += in_width(cells[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  };
  print(headings_);
  for (const auto& row : rows_) print(row);
  return text;
}

std::string TextTable::aligned() const { return text(widths(std::numeric_limits<std::size_t>::max())); }

std::string TextTable::fitted(std::size_t characters) const {
  constexpr std::size_t max_width = 40;
  std::vector<std::size_t> all = widths(std::numeric_limits<std::size_t>::max());
  const auto line = [&] { return std::accumulate(all.begin(), all.end(), 2 * (all.size() - 1)); };
  if (line() <= characters) return text(all);
  all = widths(max_width);
  while (all.size() > 1 && line() > characters) all.pop_back();
  std::string result = text(all);
  if (all.size() < headings_.size()) {
    result += fmt::format("not shown: {}\n", fmt::join(headings_.begin() + static_cast<std::ptrdiff_t>(all.size()),
                                                       headings_.end(), ", "));
  }
  return result;
}

std::string TextTable::csv() const {
  std::string text = csv_line(headings_);
  for (const auto& row : rows_) text += csv_line(row);
  return text;
}

}  // namespace pimsweep::commands
