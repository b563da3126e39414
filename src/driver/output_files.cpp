#include "driver/output_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "results/journal.h"

namespace pimsweep::driver {

namespace fs = std::filesystem;

namespace {

void make_folder(const std::string& path, const std::string& results) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) {
    throw InputError(
        fmt::format("cannot write '{}': cannot create the folder '{}': {}", results, path, error.message()));
  }
}

std::string lock_path(const std::string& journals) { return (fs::path(journals) / "lock").string(); }

}  // namespace

OutputFiles::OutputFiles(const std::string& results, Existing existing)
    : results_(results), journals_(results::journal_folder(results)) {
  if (fs::path(results).filename().empty()) throw InputError(fmt::format("output '{}' names no file", results));
  const fs::path folder = fs::path(results).parent_path();
  if (!folder.empty()) make_folder(folder.string(), results);
  if (fs::is_directory(results)) throw InputError(fmt::format("output '{}' is a folder", results));
  const bool has_results = fs::exists(results);
  const bool has_journals = fs::exists(journals_);
  if (has_journals && !fs::is_directory(journals_)) {
    throw InputError(
        fmt::format("'{}' is not a folder, but the journals of this output need a folder of that name", journals_));
  }
  if (existing == Existing::refuse && (has_results || has_journals)) {
    throw InputError(
        fmt::format("'{}' exists: --resume keeps its points and evaluates the missing ones, --force discards it",
                    has_results ? results_ : journals_));
  }
  make_folder(journals_, results);
  made_journals_ = !has_journals;
  take_lock();
  if (existing == Existing::discard) {
    std::error_code error;
    for (const std::string& journal : results::journal_files(journals_)) {
      if (!fs::remove(journal, error) && error) break;
    }
    if (!error) fs::remove(results_, error);
    if (error) throw InputError(fmt::format("cannot discard the old '{}': {}", results_, error.message()));
  }
}

OutputFiles::~OutputFiles() {
  if (lock_ >= 0) ::close(lock_);
}

bool OutputFiles::is_locked(const std::string& journals) {
  const int descriptor = ::open(lock_path(journals).c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool locked = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(descriptor);
  return locked;
}

void OutputFiles::take_lock() {
  const std::string path = lock_path(journals_);
  lock_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock_ < 0) throw InputError(fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
  // A file system without locks gives another error than EWOULDBLOCK; there the user must avoid concurrent runs.
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    throw InputError(fmt::format("another run is writing '{}'", results_));
  }
}

std::string OutputFiles::journal_path(const std::string& journals, const std::string& run, int rank) {
  return (fs::path(journals) / fmt::format("{}-{:06}.journal", run, rank)).string();
}

std::string OutputFiles::reused_path(const std::string& journals, const std::string& run) {
  return (fs::path(journals) / (run + "-reused.journal")).string();
}

void OutputFiles::remove_journals() { fs::remove_all(journals_); }

void OutputFiles::abandon() {
  std::error_code ignored;
  if (made_journals_) fs::remove_all(journals_, ignored);
}

}  // namespace pimsweep::driver
