#include "results/draws.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "base/error.h"

namespace pimsweep::results {

namespace {

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
    // A copy of the column would have all rows.
    DataColumn taken{.numbers = gathered(column.numbers, rows),
                     .texts = gathered(column.texts, rows),
                     .unit = column.unit,
                     .role = column.role,
                     .follows_hardware = column.follows_hardware,
                     .is_choice = column.is_choice};
    taken.follows_hardware = taken.follows_hardware || (is_constant(taken.numbers) && is_constant(taken.texts));
    part.columns.emplace(name, std::move(taken));
  }
  return part;
}

/// The machine of each row; nullptr if none was drawn.
const DataColumn* draws_of(const DataFrame& frame) {
  const auto draw = frame.columns.find(draw_column);
  const bool drawn = draw != frame.columns.end() && !draw->second.is_text() && draw->second.role == "axis";
  return drawn ? &draw->second : nullptr;
}

}  // namespace

std::size_t machine_count(const DataFrame& points) {
  const DataColumn* draw = draws_of(points);
  if (draw == nullptr || draw->numbers.empty()) return 1;
  // Each machine has a point at least.
  const auto [least, most] = std::ranges::minmax(draw->numbers);
  if (!(least >= 0 && most < static_cast<double>(points.rows)))
    throw InputError(fmt::format("a results file has machines {} to {}, but only {} points", least, most, points.rows));
  return static_cast<std::size_t>(most) + 1;
}

std::vector<DataFrame> frames_of_draws(const DataFrame& frame, std::size_t machines) {
  const DataColumn* draw = draws_of(frame);
  if (draw == nullptr) return {frame};
  std::vector<std::vector<std::size_t>> rows(machines);
  for (std::size_t row = 0; row < frame.rows; ++row) {
    const double machine = draw->numbers[row];
    if (!(machine >= 0 && machine < static_cast<double>(machines)))
      throw InputError(fmt::format("a results file has a row of machine {}, but {} machines", machine, machines));
    rows[static_cast<std::size_t>(machine)].push_back(row);
  }
  std::vector<DataFrame> frames;
  frames.reserve(machines);
  for (const std::vector<std::size_t>& own : rows) frames.push_back(rows_of(frame, own));
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
        moved.push_back({name, 0, 0, column.texts[row], column.unit, column.is_choice});
      } else {
        if (column.numbers[row] == other->second.numbers[row]) continue;
        moved.push_back({name, other->second.numbers[row], column.numbers[row], {}, column.unit, column.is_choice});
      }
      break;
    }
  }
  return moved;
}

}  // namespace pimsweep::results
