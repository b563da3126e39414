#pragma once

#include <concepts>
#include <cstddef>
#include <span>

namespace pimsweep::systems::llm::schedule {

/// Rows of an operator (of a batch, sequences, heads or experts) on the GPU, the others on PIM, both at the same time.
struct Split {
  std::size_t gpu_rows = 0;
  double seconds = 0;
  /// Lower bound for any split.
  double lower_bound = 0;
};

/// The split with the least max(gpu[r], pim[n - r]) + link[n - r] over all r = 0, ..., n: exact, in n + 1 steps. Tables
/// have n + 1 times, by rows, in any order of size; an empty `link` takes no time. Of equally fast splits, the one with
/// the fewest rows on PIM. The bound is that of the mean of both sides, which is not more than their maximum.
Split best_split(std::span<const double> gpu, std::span<const double> pim, std::span<const double> link = {});

/// The split of n rows with the least max(gpu(r), pim(n - r)), exact in O(log n) calls if neither time falls with its
/// rows. The bound has two times as its certificate: splits with at most as many rows on the GPU leave at least as many
/// to PIM, and those with more have at least one more on the GPU.
template <std::invocable<std::size_t> Gpu, std::invocable<std::size_t> Pim>
Split best_monotone_split(std::size_t n, Gpu&& gpu, Pim&& pim) {
  if (gpu(0) > pim(n)) return {.gpu_rows = 0, .seconds = gpu(0), .lower_bound = gpu(0)};
  // The largest r with gpu(r) <= pim(n - r).
  std::size_t r = 0;
  for (std::size_t above = n + 1; above - r > 1;) {
    const std::size_t middle = r + (above - r) / 2;
    (gpu(middle) <= pim(n - middle) ? r : above) = middle;
  }
  const double at = pim(n - r);
  const double next = r < n ? gpu(r + 1) : at;
  if (r < n && next <= at) return {.gpu_rows = r + 1, .seconds = next, .lower_bound = next};
  return {.gpu_rows = r, .seconds = at, .lower_bound = at};
}

}  // namespace pimsweep::systems::llm::schedule
