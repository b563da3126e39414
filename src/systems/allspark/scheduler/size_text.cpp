#include "systems/allspark/scheduler/size_text.h"

#include <fmt/format.h>

namespace pimsweep::systems::allspark::scheduler {

std::string size_text(std::int64_t bytes) {
  return fmt::format("{} B ({:.3f} MiB)", bytes, static_cast<double>(bytes) / (1 << 20));
}

}  // namespace pimsweep::systems::allspark::scheduler
