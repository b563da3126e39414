#include "driver/longest_first.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

namespace pimsweep::driver {

Expectation longest_first(const PointSet& done, Evaluator& evaluator, int evaluators, double share_for_asking) {
  using Clock = std::chrono::steady_clock;
  constexpr double min_share = 0.01;
  constexpr std::uint64_t clock_interval = 1024;
  const std::size_t max_candidates = 100 * static_cast<std::size_t>(evaluators);
  const auto start = Clock::now();
  double total = 0;
  std::uint64_t asked = 0;
  // Heap of the longest points so far, with the shortest of them at its front; ties in the plan's order.
  using Candidate = std::pair<double, std::uint64_t>;
  const auto longer = [](const Candidate& a, const Candidate& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  };
  std::vector<Candidate> heap;
  for (std::uint64_t point = done.next_absent(0); point < done.size(); point = done.next_absent(point + 1)) {
    const double seconds = evaluator.expected_seconds(point).value_or(0.0);
    total += seconds;
    if (seconds > 0 && (heap.size() < max_candidates || longer({seconds, point}, heap.front()))) {
      if (heap.size() == max_candidates) {
        std::pop_heap(heap.begin(), heap.end(), longer);
        heap.pop_back();
      }
      heap.emplace_back(seconds, point);
      std::push_heap(heap.begin(), heap.end(), longer);
    }
    if (++asked % clock_interval != 0) continue;
    const double spent = std::chrono::duration<double>(Clock::now() - start).count();
    if (spent > share_for_asking * total / evaluators) break;
  }
  std::sort(heap.begin(), heap.end(), longer);
  const double threshold = min_share * total / evaluators;
  Expectation expectation{{}, total};
  for (const auto& [seconds, point] : heap) {
    if (seconds >= threshold) expectation.longest.push_back({point, seconds});
  }
  return expectation;
}

}  // namespace pimsweep::driver
