#include "search/fitness.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace pimsweep::search {

bool dominates(const Fitness& a, const Fitness& b) {
  if (a.violation != b.violation) return a.violation < b.violation;
  if (!a.is_feasible()) return false;
  bool better = false;
  for (std::size_t i = 0; i < a.objectives.size(); ++i) {
    if (a.objectives[i] > b.objectives[i]) return false;
    better = better || a.objectives[i] < b.objectives[i];
  }
  return better;
}

std::vector<std::size_t> front_numbers(const std::vector<Fitness>& designs) {
  const std::size_t count = designs.size();
  std::vector<std::size_t> fronts(count, 0);
  std::vector<std::size_t> dominators(count, 0);
  std::vector<std::vector<std::size_t>> dominated(count);
  std::vector<std::size_t> current;
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = 0; b < count; ++b) {
      if (dominates(designs[a], designs[b])) dominated[a].push_back(b);
      if (dominates(designs[b], designs[a])) ++dominators[a];
    }
    if (dominators[a] == 0) current.push_back(a);
  }
  for (std::size_t front = 0; !current.empty(); ++front) {
    std::vector<std::size_t> next;
    for (const std::size_t a : current) {
      fronts[a] = front;
      for (const std::size_t b : dominated[a]) {
        if (--dominators[b] == 0) next.push_back(b);
      }
    }
    current = std::move(next);
  }
  return fronts;
}

std::vector<double> crowding_distances(const std::vector<const Fitness*>& front) {
  std::vector<double> distances(front.size(), 0);
  if (front.empty() || !front.front()->is_feasible()) return distances;
  std::vector<std::size_t> order(front.size());
  for (std::size_t objective = 0; objective < front.front()->objectives.size(); ++objective) {
    const auto value = [&](std::size_t i) { return front[i]->objectives[objective]; };
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return value(a) < value(b); });
    distances[order.front()] = distances[order.back()] = std::numeric_limits<double>::infinity();
    const double range = value(order.back()) - value(order.front());
    if (range <= 0) continue;
    for (std::size_t i = 1; i + 1 < order.size(); ++i)
      distances[order[i]] += (value(order[i + 1]) - value(order[i - 1])) / range;
  }
  return distances;
}

}  // namespace pimsweep::search
