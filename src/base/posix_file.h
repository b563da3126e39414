#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pimsweep {

/// A file descriptor whose errors are exceptions with the path and the reason of the system.
class PosixFile {
 public:
  /// Creates a file for appending. It is locked (flock) while it is open, which tells other processes that its writer
  /// is alive. Throws std::system_error, also if the name exists.
  static PosixFile create(const std::string& path);
  /// Opens a regular file for reading. Throws std::system_error; InputError if it is not a regular file.
  static PosixFile read_from(const std::string& path);

  PosixFile(PosixFile&& other) noexcept;
  PosixFile& operator=(PosixFile&&) = delete;
  ~PosixFile();

  /// Hands all bytes to the kernel.
  void write(std::string_view bytes);
  /// Like write(), for signal handlers: an error stops the write silently.
  void try_write(std::string_view bytes) noexcept;
  /// Reads up to `size` bytes at an offset; fewer at the end of the file. Throws std::system_error.
  std::size_t read_at(std::uint64_t offset, char* bytes, std::size_t size) const;
  std::uint64_t size() const;
  /// Flushes written data to stable storage (fsync).
  void sync();

 private:
  PosixFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  int descriptor_;
  std::string path_;
};

/// Flushes renames and new files of a folder to stable storage. Throws std::system_error.
void sync_folder(const std::string& path);

/// Flushes a written file to stable storage. Throws std::system_error.
void sync_file(const std::string& path);

/// A file's whole content. Throws InputError with the reason if it cannot be read.
std::string read_file(const std::string& path);

}  // namespace pimsweep
