#include "systems/allspark/size_text.h"

#include <fmt/format.h>

namespace pimsweep::allspark {

std::string size_text(std::int64_t bytes) {
  return fmt::format("{} B ({:.3f} MiB)", bytes, static_cast<double>(bytes) / (1 << 20));
}

}  // namespace pimsweep::allspark
