#pragma once

#include <string>

namespace pimsweep {

/// Throws InputError if `path` exists and is no regular file: opening a FIFO waits for its other end, and a device may
/// never end. A missing file passes: whoever opens it gives the reason.
void require_regular_file(const std::string& path);

/// Opens a regular file with the flags of open(2), without waiting for anything. A file that is made gets mode 0644,
/// less the umask. Returns the descriptor. Throws std::system_error, and InputError if the file is not a regular one
/// or, with O_NOFOLLOW, if it is a symbolic link.
int open_regular_file(const std::string& path, int flags);

}  // namespace pimsweep
