#include "memory_file.h"

#include <unistd.h>

#include <cstdlib>

#include "expect.h"

namespace pimsweep::fuzz {

// HDF5 needs a path that realpath() resolves, which one of memfd_create() is not.
MemoryFile::MemoryFile(std::string_view bytes) : path_("/dev/shm/pimsweep-fuzz-XXXXXX") {
  const int descriptor = ::mkstemp(path_.data());
  require(::write(descriptor, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "a file in memory");
  ::close(descriptor);
}

MemoryFile::~MemoryFile() { ::unlink(path_.c_str()); }

}  // namespace pimsweep::fuzz
