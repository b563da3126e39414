#include "commands/text_table.h"

#include <algorithm>

#include "base/csv.h"

namespace pimsweep::commands {

std::string TextTable::aligned() const {
  std::vector<std::size_t> widths;
  for (const std::string& heading : headings_) widths.push_back(heading.size());
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  const auto print = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) line += "  ";
      line += cells[i];
      line.append(widths[i] - cells[i].size(), ' ');
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

}  // namespace pimsweep::commands
