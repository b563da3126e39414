#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace pimsweep::systems::llm::schedule {

/// Experts that take equally long, for example because equally many tokens are routed to them. A time is infinite where
/// the side cannot.
struct ExpertClass {
  double gpu_seconds = 0;
  double pim_seconds = 0;
  std::size_t count = 1;
};

struct ExpertSplit {
  /// Number of experts of each class on the GPU; the rest are on PIM.
  std::vector<std::size_t> on_gpu;
  double seconds = 0;
  /// Lower bound, from the relaxation that may divide experts between the sides.
  double lower_bound = 0;
  /// True if no other split is faster by more than 1e-10 of the time.
  bool proven = false;
};

/// Experts to the GPU or PIM so that the later side ends first: two unrelated machines (R2||Cmax), by fronts of pairs
/// of loads, pruned by the relaxation. Exact unless more than `max_pairs` pairs are kept; then `proven` is false, and
/// the best split found is returned. `gpu_base` and `pim_base` are seconds that the sides are busy anyway, such as with
/// a shared expert. Throws PointError if a time is negative or not a number.
ExpertSplit split_experts(std::span<const ExpertClass> classes, double gpu_base = 0, double pim_base = 0,
                          std::size_t max_pairs = 1'000'000);

}  // namespace pimsweep::systems::llm::schedule
