#include "systems/allspark/placement/assignment.h"

#include <limits>

namespace pimsweep::systems::allspark::placement {

std::vector<std::size_t> cheapest_assignment(std::size_t n, const std::vector<std::int64_t>& cost) {
  constexpr std::int64_t unreached = std::numeric_limits<std::int64_t>::max();
  // Rows and columns count from 1; column 0 belongs to the row that is being assigned.
  std::vector<std::int64_t> row_potential(n + 1, 0);
  std::vector<std::int64_t> column_potential(n + 1, 0);
  std::vector<std::size_t> row_of(n + 1, 0);
  std::vector<std::size_t> before(n + 1, 0);
  std::vector<std::int64_t> distance(n + 1);
  std::vector<char> visited(n + 1);
  for (std::size_t row = 1; row <= n; ++row) {
    row_of[0] = row;
    distance.assign(n + 1, unreached);
    visited.assign(n + 1, 0);
    std::size_t column = 0;
    do {
      visited[column] = 1;
      const std::size_t at = row_of[column];
      std::size_t next = 0;
      std::int64_t step = unreached;
      for (std::size_t j = 1; j <= n; ++j) {
        if (visited[j] != 0) continue;
        const std::int64_t reduced = cost[(at - 1) * n + j - 1] - row_potential[at] - column_potential[j];
        if (reduced < distance[j]) {
          distance[j] = reduced;
          before[j] = column;
        }
        if (distance[j] < step) {
          step = distance[j];
          next = j;
        }
      }
      for (std::size_t j = 0; j <= n; ++j) {
        if (visited[j] != 0) {
          row_potential[row_of[j]] += step;
          column_potential[j] -= step;
        } else if (distance[j] != unreached) {
          distance[j] -= step;
        }
      }
      column = next;
    } while (row_of[column] != 0);
    for (; column != 0; column = before[column]) row_of[column] = row_of[before[column]];
  }
  std::vector<std::size_t> column_of(n);
  for (std::size_t j = 1; j <= n; ++j) column_of[row_of[j] - 1] = j - 1;
  return column_of;
}

}  // namespace pimsweep::systems::allspark::placement
