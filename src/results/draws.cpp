#include "results/draws.h"

#include <cstddef>

namespace pimsweep::results {

std::vector<MovedConstant> moved_constants(const DataFrame& usual, const DataFrame& drawn) {
  std::vector<MovedConstant> moved;
  for (const auto& [name, column] : drawn.columns) {
    const auto other = usual.columns.find(name);
    if (column.role != ColumnRole::axis || name == draw_column || other == usual.columns.end()) continue;
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
