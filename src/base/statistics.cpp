#include "base/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace pimsweep {

namespace {

/// Counts numbers by their place among all.
class PlaceCounts {
 public:
  explicit PlaceCounts(std::size_t places) : tree_(places + 1, 0) {}
  void add(std::size_t place) {
    for (std::size_t i = place + 1; i < tree_.size(); i += i & (~i + 1)) ++tree_[i];
  }
  /// Number of added values whose place is below `place`.
  std::uint64_t below(std::size_t place) const {
    std::uint64_t count = 0;
    for (std::size_t i = place; i > 0; i -= i & (~i + 1)) count += tree_[i];
    return count;
  }

 private:
  std::vector<std::uint64_t> tree_;
};

}  // namespace

double quantile(std::span<const double> sorted, double share) {
  const double position = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double relative_deviation(double ours, double reference) {
  if (ours == reference) return 0;
  return (ours - reference) / std::abs(reference);
}

double kendall_tau(std::span<const double> a, std::span<const double> b) {
  std::vector<std::size_t> order(a.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return a[i]; });
  std::vector<double> sorted(b.begin(), b.end());
  std::ranges::sort(sorted);
  // Pairs are counted as the numbers of `a` rise; equal ones make no pair of different numbers of `a`.
  PlaceCounts seen(sorted.size());
  std::uint64_t all = 0;
  double concordant = 0;
  double discordant = 0;
  double tied_b_only = 0;
  double tied_a_only = 0;
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    std::vector<double> group;
    while (end < order.size() && a[order[end]] == a[order[begin]]) group.push_back(b[order[end++]]);
    for (const double number : group) {
      const auto [low, high] = std::equal_range(sorted.begin(), sorted.end(), number);
      const std::uint64_t smaller = seen.below(static_cast<std::size_t>(low - sorted.begin()));
      const std::uint64_t up_to = seen.below(static_cast<std::size_t>(high - sorted.begin()));
      concordant += static_cast<double>(smaller);
      tied_b_only += static_cast<double>(up_to - smaller);
      discordant += static_cast<double>(all - up_to);
    }
    std::ranges::sort(group);
    const auto pairs = [](std::size_t count) {
      return 0.5 * static_cast<double>(count) * (static_cast<double>(count) - 1);
    };
    tied_a_only += pairs(group.size());
    for (std::size_t i = 0; i < group.size();) {
      const std::size_t first = i;
      while (i < group.size() && group[i] == group[first]) ++i;
      tied_a_only -= pairs(i - first);
    }
    for (const double number : group)
      seen.add(static_cast<std::size_t>(std::ranges::lower_bound(sorted, number) - sorted.begin()));
    all += group.size();
    begin = end;
  }
  const double untied = concordant + discordant;
  return (concordant - discordant) / std::sqrt((untied + tied_a_only) * (untied + tied_b_only));
}

DeviationSummary summarize(std::span<const double> deviations) {
  DeviationSummary summary;
  if (deviations.empty()) return summary;
  std::vector<double> absolute;
  for (std::size_t i = 0; i < deviations.size(); ++i) {
    summary.mean += deviations[i] / static_cast<double>(deviations.size());
    absolute.push_back(std::abs(deviations[i]));
    if (i == 0 || absolute[i] > std::abs(summary.worst)) {
      summary.worst = deviations[i];
      summary.worst_index = i;
    }
  }
  std::sort(absolute.begin(), absolute.end());
  summary.median = quantile(absolute, 0.5);
  summary.percentile95 = quantile(absolute, 0.95);
  return summary;
}

}  // namespace pimsweep
