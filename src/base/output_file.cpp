#include "base/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace pimsweep {

namespace fs = std::filesystem;

namespace {

/// Device and inode of each file that this process has read.
struct Inputs {
  std::mutex mutex;
  std::set<std::pair<dev_t, ino_t>> files;
};

Inputs& inputs() {
  static Inputs all;
  return all;
}

bool is_input(const struct stat& status) {
  const std::scoped_lock lock(inputs().mutex);
  return inputs().files.contains({status.st_dev, status.st_ino});
}

bool begins_with(const std::string& path, std::string_view mark) {
  std::string begin(mark.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  return !mark.empty() && file.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == mark;
}

/// Target of a path, without links. /dev/stdout may lead to a regular file, but is written where that stands.
std::string target_of(const std::string& path) {
  if (path.starts_with("/dev/") || path.starts_with("/proc/")) return path;
  std::error_code error;
  const fs::path target = fs::weakly_canonical(path, error);
  return error ? path : target.string();
}

/// True if an output is made by rename: a file, or nothing yet.
bool is_made_by_rename(const std::string& target) {
  if (target.starts_with("/dev/") || target.starts_with("/proc/")) return false;
  struct stat status {};
  return ::stat(target.c_str(), &status) != 0 || S_ISREG(status.st_mode);
}

bool is_output_code(int code) { return code == ENOSPC || code == EDQUOT || code == EFBIG || code == EIO; }

[[noreturn]] void fail_to_open(const std::string& path) {
  const int code = errno;
  throw_unwritable(code, fmt::format("cannot write '{}': {}", path, std::generic_category().message(code)));
}

}  // namespace

bool is_output_error(const std::exception& error) {
  const auto* system = dynamic_cast<const std::system_error*>(&error);
  return dynamic_cast<const OutputError*>(&error) != nullptr ||
         (system != nullptr && is_output_code(system->code().value()));
}

void throw_unwritable(int code, const std::string& message) {
  if (is_output_code(code)) throw OutputError(message);
  throw InputError(message);
}

void note_input(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return;
  const std::scoped_lock lock(inputs().mutex);
  inputs().files.emplace(status.st_dev, status.st_ino);
}

bool is_in_journal_folder(const std::string& path) {
  std::error_code ignored;
  return fs::weakly_canonical(fs::absolute(path, ignored).parent_path(), ignored).extension() == ".journal";
}

void OutputFile::require_writable(const std::string& path, std::string_view mark, bool force) {
  const std::string target = target_of(path);
  struct stat status {};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw InputError(fmt::format("cannot write '{}': it is a folder", path));
  if (!is_made_by_rename(target)) return;
  if (is_in_journal_folder(target))
    throw InputError(fmt::format("cannot write '{}': it is in a folder of journals", path));
  if (!exists) return;
  if (is_input(status)) throw InputError(fmt::format("cannot write '{}': this command reads it", path));
  if (force || status.st_size == 0 || begins_with(target, mark)) return;
  throw InputError(
      fmt::format("'{}' exists, and it begins otherwise than what this command writes there, as a CSV of other columns "
                  "does: --force "
                  "replaces it",
                  path));
}

OutputFile::OutputFile(const std::string& path, std::string_view mark, bool force)
    : path_(target_of(path)), written_(path_), mark_(mark), force_(force) {
  require_writable(path, mark, force);
  const bool renames = is_made_by_rename(path_);
  if (renames) {
    written_ = fmt::format("{}.{}.tmp", path_, ::getpid());
    // Left by a killed process of the same number.
    ::unlink(written_.c_str());
  }
  descriptor_ =
      ::open(written_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | (renames ? O_EXCL : O_TRUNC), 0644);
  if (descriptor_ < 0) fail_to_open(path);
  struct stat before {};
  if (renames && ::stat(path_.c_str(), &before) == 0) ::fchmod(descriptor_, before.st_mode & 0777);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (written_ != path_) ::unlink(written_.c_str());
}

void OutputFile::write(std::string_view bytes) {
  constexpr std::size_t max_buffered = 64 << 10;
  buffer_ += bytes;
  if (buffer_.size() >= max_buffered) flush();
}

void OutputFile::flush() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno != EINTR) fail();
    rest.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(written, 0)));
  }
  buffer_.clear();
}

void OutputFile::close() {
  flush();
  // Some file systems report a full disk only here.
  if (::close(std::exchange(descriptor_, -1)) != 0) fail();
  if (written_ == path_) return;
  require_writable(path_, mark_, force_);
  if (::rename(written_.c_str(), path_.c_str()) != 0) fail();
  written_ = path_;
}

void OutputFile::fail() const {
  throw OutputError(fmt::format("cannot write '{}': {}", path_, std::generic_category().message(errno)));
}

}  // namespace pimsweep
