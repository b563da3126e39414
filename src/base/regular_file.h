#pragma once

#include <string>

namespace pimsweep {

/// Throws InputError if `path` exists and is no regular file: opening a FIFO waits for its other end, and a device may
/// never end. A missing file passes: whoever opens it gives the reason.
void require_regular_file(const std::string& path);

}  // namespace pimsweep
