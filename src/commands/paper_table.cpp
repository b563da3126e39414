#include "commands/paper_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/quantity.h"

namespace pimsweep::commands {

namespace {

bool is_number(const Value& value) { return type_of(value) == ValueType::real || type_of(value) == ValueType::integer; }

/// "ms" for times of which the median is some milliseconds.
std::string handy_unit(const std::string& unit, const std::vector<Value>& cells) {
  std::vector<double> sizes;
  for (const Value& cell : cells) {
    const double size = std::fabs(to_real(cell));
    if (std::isfinite(size) && size > 0) sizes.push_back(size);
  }
  if (sizes.empty()) return unit;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  const std::string text = format_quantity(*middle, unit);
  return text.substr(text.find(' ') + 1);
}

std::string escaped(const std::string& text) {
  std::string escaped;
  for (const char character : text) {
    if (std::string_view("&%$#_{}").find(character) != std::string_view::npos) escaped += '\\';
    if (character == '\\')
      escaped += "\\textbackslash{}";
    else if (character == '~' || character == '^')
      escaped += fmt::format("\\{}{{}}", character);
    else
      escaped += character;
  }
  return escaped;
}

std::string cell_of_markdown(const std::string& text) {
  std::string cell;
  for (const char character : text) cell += character == '|' ? "\\|" : std::string(1, character);
  return cell;
}

}  // namespace

void PaperTable::add(const std::string& name, const std::string& unit, const std::vector<Value>& cells, int digits) {
  constexpr std::string_view prefix = "hardware.";
  Column column{name.starts_with(prefix) ? name.substr(prefix.size()) : name, {}, {}};
  std::ranges::replace(column.heading, '_', ' ');
  column.is_number = std::ranges::all_of(cells, is_number);
  double scale = 1;
  if (column.is_number && unit != "1") {
    const std::string shown = handy_unit(unit, cells);
    scale = parse_quantity("1 " + shown, unit);
    column.heading += fmt::format(" ({})", shown);
  }
  for (const Value& cell : cells) {
    const auto* real = std::get_if<double>(&cell);
    if (real != nullptr && !std::isfinite(*real))
      column.cells.emplace_back("-");
    else if (column.is_number && (real != nullptr || scale != 1))
      column.cells.push_back(fmt::format("{:.{}g}", to_real(cell) / scale, digits));
    else
      column.cells.push_back(to_text(cell));
  }
  columns_.push_back(std::move(column));
}

std::string PaperTable::latex() const {
  std::string text = "\\begin{tabular}{";
  for (const Column& column : columns_) text += column.is_number ? 'r' : 'l';
  text += "}\n\\toprule\n";
  const auto line = [&](const std::function<std::string(const Column&)>& cell) {
    for (std::size_t i = 0; i < columns_.size(); ++i) text += (i == 0 ? "" : " & ") + escaped(cell(columns_[i]));
    text += " \\\\\n";
  };
  line([](const Column& column) { return column.heading; });
  text += "\\midrule\n";
  for (std::size_t row = 0; row < columns_.front().cells.size(); ++row)
    line([row](const Column& column) { return column.cells[row]; });
  return text + "\\bottomrule\n\\end{tabular}\n";
}

std::string PaperTable::markdown() const {
  std::string text;
  const auto line = [&](const std::function<std::string(const Column&)>& cell) {
    text += "|";
    for (const Column& column : columns_) text += " " + cell(column) + " |";
    text += "\n";
  };
  line([](const Column& column) { return cell_of_markdown(column.heading); });
  line([](const Column& column) { return column.is_number ? "---:" : "---"; });
  for (std::size_t row = 0; row < columns_.front().cells.size(); ++row)
    line([row](const Column& column) { return cell_of_markdown(column.cells[row]); });
  return text;
}

}  // namespace pimsweep::commands
