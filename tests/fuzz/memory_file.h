#pragma once

#include <string>
#include <string_view>

namespace pimsweep::fuzz {

/// A regular file in memory, which readers open by its path.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace pimsweep::fuzz
