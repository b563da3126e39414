#include "results/draws.h"

#include <algorithm>
#include <cstddef>
#include <map>

#include "base/error.h"

namespace pimsweep::results {

namespace {

constexpr auto draw_column = "draw";

template <typename T>
std::vector<T> gathered(const std::vector<T>& values, const std::vector<std::size_t>& rows) {
  std::vector<T> taken;
  if (values.empty()) return taken;
  taken.reserve(rows.size());
  for (const std::size_t row : rows) taken.push_back(values[row]);
  return taken;
}

template <typename T>
bool is_constant(const std::vector<T>& values) {
  return std::ranges::all_of(values, [&](const T& value) { return value == values.front(); });
}

DataFrame rows_of(const DataFrame& frame, const std::vector<std::size_t>& rows) {
  DataFrame part;
  part.rows = rows.size();
  for (const auto& [name, column] : frame.columns) {
    DataColumn taken = column;
    taken.numbers = gathered(column.numbers, rows);
    taken.texts = gathered(column.texts, rows);
    taken.follows_hardware = taken.follows_hardware || (is_constant(taken.numbers) && is_constant(taken.texts));
    part.columns.emplace(name, std::move(taken));
  }
  return part;
}

}  // namespace

std::vector<DataFrame> frames_of_draws(const DataFrame& frame) {
  const auto draw = frame.columns.find(draw_column);
  if (draw == frame.columns.end() || draw->second.is_text() || draw->second.role != "axis") return {frame};
  std::map<double, std::vector<std::size_t>> rows;
  rows[0];
  for (std::size_t row = 0; row < frame.rows; ++row) rows[draw->second.numbers[row]].push_back(row);
  std::vector<DataFrame> frames;
  frames.reserve(rows.size());
  for (const auto& [number, own] : rows) frames.push_back(rows_of(frame, own));
  return frames;
}

std::vector<MovedConstant> moved_constants(const DataFrame& usual, const DataFrame& drawn) {
  std::vector<MovedConstant> moved;
  for (const auto& [name, column] : drawn.columns) {
    const auto other = usual.columns.find(name);
    if (column.role != "axis" || name == draw_column || other == usual.columns.end()) continue;
    if (column.texts.size() != other->second.texts.size() || column.numbers.size() != other->second.numbers.size())
      continue;
    for (std::size_t row = 0; row < drawn.rows; ++row) {
      if (column.is_text()) {
        if (column.texts[row] == other->second.texts[row]) continue;
        moved.push_back({name, 0, 0, column.texts[row], column.unit});
      } else {
        if (column.numbers[row] == other->second.numbers[row]) continue;
        moved.push_back({name, other->second.numbers[row], column.numbers[row], {}, column.unit});
      }
      break;
    }
  }
  return moved;
}

}  // namespace pimsweep::results
