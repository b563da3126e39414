#pragma once

#include <string>

namespace pimsweep {

/// Throws InputError if `path` exists and is not a regular file: opening a FIFO blocks until its other end is opened,
/// and reading a device may never end. A missing file passes; opening it reports the reason.
void require_regular_file(const std::string& path);

/// Opens a regular file with the flags of open(2) without blocking. A new file gets mode 0644, less the umask. Returns
/// the descriptor. Throws std::system_error, and InputError if the file is not regular or, with O_NOFOLLOW, if it is a
/// symbolic link.
int open_regular_file(const std::string& path, int flags);

/// " (did you mean 'x.toml'?)" for a file that does not exist, from the files of its folder with the same extension;
/// empty if none has a similar name.
std::string suggest_file(const std::string& path);

}  // namespace pimsweep
