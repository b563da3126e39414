#include "systems/llm/schedule/split.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "systems/llm/schedule/resources.h"

namespace pimsweep::systems::llm::schedule {

Split best_split(std::span<const double> gpu, std::span<const double> pim, std::span<const double> link) {
  if (gpu.empty() || pim.size() != gpu.size() || (!link.empty() && link.size() != gpu.size())) {
    throw PointError(
        fmt::format("times of {} numbers of rows on the GPU, {} on PIM and {} on the link; a split needs as "
                    "many of each",
                    gpu.size(), pim.size(), link.size()));
  }
  const std::size_t n = gpu.size() - 1;
  Split best{.seconds = infinite, .lower_bound = infinite};
  for (std::size_t r = 0; r <= n; ++r) {
    const double moved = link.empty() ? 0 : link[n - r];
    const double seconds = std::max(gpu[r], pim[n - r]) + moved;
    if (seconds <= best.seconds) {
      best.gpu_rows = r;
      best.seconds = seconds;
    }
    best.lower_bound = std::min(best.lower_bound, (gpu[r] + pim[n - r]) / 2 + moved);
  }
  return best;
}

}  // namespace pimsweep::systems::llm::schedule
