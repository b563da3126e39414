#include "systems/llm/schedule/quantum.h"

#include <cmath>

namespace pimsweep::systems::llm::schedule {

double quantum_of(double total) {
  if (!(total > 0) || !std::isfinite(total)) return 0;
  return std::ldexp(1.0, std::ilogb(total) - 47);
}

double on_grid(double seconds, double quantum) {
  return quantum > 0 ? std::nearbyint(seconds / quantum) * quantum : seconds;
}

}  // namespace pimsweep::systems::llm::schedule
