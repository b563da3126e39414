#include "driver/own_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/output_file.h"
#include "base/posix_file.h"
#include "base/regular_file.h"
#include "journal/journal.h"

namespace pimsweep::driver {

namespace fs = std::filesystem;

namespace {

/// The file itself, not what a link leads to.
fs::file_type kind_of_file(const fs::path& path) {
  std::error_code ignored;
  return fs::symlink_status(path, ignored).type();
}

bool has_owner(const std::string& path, uid_t owner) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 && status.st_uid == owner;
}

bool is_own_folder(const std::string& path) {
  if (has_owner(path, ::geteuid())) return true;
  // Some file systems map owners, as NFS does root: there our own files show who we are.
  const std::string probe = temporary_path((fs::path(path) / "owner").string());
  try {
    PosixFile::create(probe);
  } catch (const std::exception&) {
    return false;
  }
  struct stat status {};
  const bool known = ::lstat(probe.c_str(), &status) == 0;
  ::unlink(probe.c_str());
  return known && has_owner(path, status.st_uid);
}

/// A journal begins with its mark, or with a part of it where its writer was lost at once.
bool is_journal(const std::string& path) {
  try {
    std::array<char, journal::magic.size()> bytes{};
    const std::size_t size = PosixFile::read_from(path).read_at(0, bytes.data(), bytes.size());
    constexpr std::string_view any_version = journal::magic.substr(0, sizeof "pimsweep journal" - 1);
    const std::string_view begin(bytes.data(), size);
    return begin.starts_with(any_version) || any_version.starts_with(begin);
  } catch (const std::exception&) {
    return false;
  }
}

/// PREFIX.PROCESS.tmp.
bool is_temporary(std::string_view name, const std::string& prefix) {
  constexpr std::string_view suffix = ".tmp";
  if (!name.starts_with(prefix + ".") || !name.ends_with(suffix)) return false;
  name.remove_prefix(prefix.size() + 1);
  name.remove_suffix(std::min(name.size(), suffix.size()));
  return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

/// HDF5 locks the file that it writes.
bool is_in_use(const std::string& path) {
  try {
    const int descriptor = open_regular_file(path, O_RDONLY | O_NOFOLLOW);
    const bool in_use = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(descriptor);
    return in_use;
  } catch (const std::exception&) {
    return true;
  }
}

/// NAME.journal.PROCESS.tmp.
bool is_temporary_journal(std::string_view name) {
  constexpr std::string_view extension = ".journal";
  const std::size_t at = name.rfind(".journal.");
  return at != std::string_view::npos && is_temporary(name, std::string(name.substr(0, at + extension.size())));
}

/// True if a file of ours has no writer: that one would hold its lock. A new file may not have it yet, and on a file
/// system without locks nobody knows.
bool is_abandoned(const std::string& path) {
  constexpr std::time_t min_age = 60;
  try {
    const int descriptor = open_regular_file(path, O_RDWR | O_NOFOLLOW);
    struct stat status {};
    const bool abandoned = ::fstat(descriptor, &status) == 0 && status.st_uid == ::geteuid() &&
                           std::time(nullptr) - status.st_mtime >= min_age &&
                           ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    ::close(descriptor);
    return abandoned;
  } catch (const std::exception&) {
    return false;
  }
}

/// The merged file of the job scripts.
constexpr const char* partial_results = "partial.h5";

/// Journals, the lock, files that --force has set aside, and the merged file of the job scripts.
bool is_own(const fs::path& path) {
  if (kind_of_file(path) != fs::file_type::regular) return false;
  const std::string name = path.filename().string();
  const bool may_be_journal = path.extension() == ".journal" || path.extension() == set_aside_extension;
  return name == "lock" || name == "replaced" || name == partial_results || is_temporary(name, partial_results) ||
         is_temporary(name, "owner") || (may_be_journal && is_journal(path.string()));
}

/// Bytes from a place of a file, as many as there are.
std::string read_piece(const PosixFile& file, std::uint64_t offset, std::size_t size) {
  std::string bytes(size, '\0');
  bytes.resize(file.read_at(offset, bytes.data(), size));
  return bytes;
}

/// True for a file of write_results(), even a damaged one. Looks at bytes only, since HDF5 1.10 may crash on such a
/// file. An empty file holds nothing that could be lost.
bool is_results_file(const std::string& path) {
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  constexpr std::size_t max_searched = std::size_t{1} << 20;
  try {
    const PosixFile file = PosixFile::read_from(path);
    const std::string begin = read_piece(file, 0, max_searched);
    return begin.empty() || (begin.starts_with(signature) && (begin.find("pimsweep results") != std::string::npos ||
                                                              end_of_results(path).starts_with("pimsweep seal")));
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace

void require_replaceable(const std::string& path) {
  const fs::file_type type = kind_of_file(path);
  if (is_in_journal_folder(path) && fs::path(path).filename() != partial_results)
    throw InputError(fmt::format("cannot write '{}': it is in a folder of journals", path));
  if (type == fs::file_type::not_found) return;
  if (type == fs::file_type::regular) {
    if (is_results_file(path)) return;
    throw InputError(fmt::format(
        "cannot write '{}': it exists and is not a results file of pimsweep, and so not even --force replaces it",
        path));
  }
  const char* what = type == fs::file_type::directory ? "a folder"
                     : type == fs::file_type::symlink ? "a symbolic link"
                                                      : "a device, FIFO or socket";
  throw InputError(fmt::format("cannot write '{}': it is {}, not a regular file", path, what));
}

std::string end_of_results(const std::string& path) {
  constexpr std::uint64_t seal_bytes = 32;
  try {
    const PosixFile file = PosixFile::read_from(path);
    return read_piece(file, std::max(file.size(), seal_bytes) - seal_bytes, seal_bytes);
  } catch (const std::exception&) {
    return {};
  }
}

void make_journal_folder(const std::string& path) {
  if (::mkdir(path.c_str(), 0755) == 0) return;
  if (const int code = errno; code != EEXIST) {
    throw_unwritable(code, fmt::format("cannot create the folder '{}': {}", path, std::strerror(code)));
  }
  if (kind_of_file(path) != fs::file_type::directory) {
    throw InputError(
        fmt::format("'{}' is not a folder, but the journals of this output need a folder of that name", path));
  }
  if (!is_own_folder(path))
    throw InputError(fmt::format("the folder '{}' belongs to another user: its journals are not used", path));
}

std::vector<std::string> remove_journal_folder(const std::string& path) {
  std::vector<std::string> left;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
    std::error_code ignored;
    if (!is_own(entry.path()) || !fs::remove(entry.path(), ignored)) left.push_back(entry.path().filename().string());
  }
  ::rmdir(path.c_str());
  return left;
}

std::string temporary_path(const std::string& path) { return fmt::format("{}.{}.tmp", path, ::getpid()); }

void clear_temporaries(const std::string& output) {
  const fs::path file(output);
  const std::string name = file.filename().string();
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string found = entry.path().filename().string();
    if (!is_temporary(found, name) && !is_temporary(found, name + ".merge")) continue;
    std::error_code ignored;
    if (kind_of_file(entry.path()) == fs::file_type::regular && !is_in_use(entry.path().string()))
      fs::remove(entry.path(), ignored);
  }
}

void clear_temporary_journals(const std::string& folder) {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string path = entry.path().string();
    std::error_code ignored;
    if (is_temporary_journal(entry.path().filename().string()) && is_journal(path) && is_abandoned(path))
      fs::remove(entry.path(), ignored);
  }
}

}  // namespace pimsweep::driver
