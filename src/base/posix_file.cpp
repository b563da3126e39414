#include "base/posix_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/output_file.h"
#include "base/regular_file.h"

namespace pimsweep {

namespace {

[[noreturn]] void fail(const char* doing, const std::string& path) {
  throw std::system_error(errno, std::generic_category(), fmt::format("cannot {} '{}'", doing, path));
}

void sync_path(const std::string& path, int flags) {
  const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
  if (descriptor < 0) fail("open", path);
  const int result = ::fsync(descriptor);
  const int error = errno;
  ::close(descriptor);
  // A file system without fsync on folders says EINVAL; there is nothing more to do there.
  if (result != 0 && error != EINVAL) {
    errno = error;
    fail("sync", path);
  }
}

}  // namespace

PosixFile PosixFile::create(const std::string& path) {
  // O_EXCL: neither an existing file nor a link that someone has placed there is written to.
  PosixFile file{open_regular_file(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND), path};
  ::flock(file.descriptor_, LOCK_EX | LOCK_NB);  // where the file system has no locks, nothing depends on them
  return file;
}

PosixFile PosixFile::read_from(const std::string& path) {
  note_input(path);
  return {open_regular_file(path, O_RDONLY), path};
}

PosixFile::PosixFile(PosixFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), path_(std::move(other.path_)) {}

PosixFile::~PosixFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void PosixFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write to", path_);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void PosixFile::try_write(std::string_view bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::size_t PosixFile::read_at(std::uint64_t offset, char* bytes, std::size_t size) const {
  std::size_t total = 0;
  while (total < size) {
    const ssize_t count = ::pread(descriptor_, bytes + total, size - total, static_cast<off_t>(offset + total));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("read", path_);
    if (count == 0) break;
    total += static_cast<std::size_t>(count);
  }
  return total;
}

std::uint64_t PosixFile::size() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail("look at", path_);
  return static_cast<std::uint64_t>(status.st_size);
}

void PosixFile::sync() {
  if (::fdatasync(descriptor_) != 0) fail("sync", path_);
}

void sync_folder(const std::string& path) { sync_path(path, O_RDONLY | O_DIRECTORY); }

void sync_file(const std::string& path) { sync_path(path, O_RDONLY); }

std::string read_file(const std::string& path) {
  require_regular_file(path);
  note_input(path);
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (stream) {
    std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (!stream.bad()) return text;
  }
  const int error = errno;
  throw InputError(fmt::format("cannot read '{}': {}{}", path,
                               error == 0 ? "input error" : std::generic_category().message(error),
                               error == ENOENT ? suggest_file(path) : ""));
}

}  // namespace pimsweep
