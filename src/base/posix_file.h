#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pimsweep {

/// A file descriptor with errors as exceptions: each names the path and what the system said.
class PosixFile {
 public:
  /// Creates a file for appending, locked (flock) while it is open, so that others see that its writer lives. Throws
  /// std::system_error, also if there is something of that name.
  static PosixFile create(const std::string& path);
  /// Opens a regular file for reading. Throws std::system_error; InputError if it is not a regular file.
  static PosixFile read_from(const std::string& path);

  PosixFile(PosixFile&& other) noexcept;
  PosixFile& operator=(PosixFile&&) = delete;
  ~PosixFile();

  /// Hands all bytes to the kernel.
  void write(std::string_view bytes);
  /// The same for a signal handler: an error ends the writing, silently.
  void try_write(std::string_view bytes) noexcept;
  /// Reads up to `size` bytes at a place; fewer at the end of the file. Throws std::system_error.
  std::size_t read_at(std::uint64_t offset, char* bytes, std::size_t size) const;
  std::uint64_t size() const;
  /// Makes what was written survive the loss of the machine.
  void sync();

 private:
  PosixFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  int descriptor_;
  std::string path_;
};

/// Makes renames and new files in a folder survive the loss of the machine. Throws std::system_error.
void sync_folder(const std::string& path);

/// Makes a written file survive the loss of the machine. Throws std::system_error.
void sync_file(const std::string& path);

/// A file's whole content. Throws InputError with the reason if it cannot be read.
std::string read_file(const std::string& path);

}  // namespace pimsweep
