#pragma once

#include <cstdint>
#include <string>

namespace pimsweep::systems::allspark::scheduler {

/// A memory size for messages, exact and readable: "8388608 B (8.000 MiB)".
std::string size_text(std::int64_t bytes);

}  // namespace pimsweep::systems::allspark::scheduler
