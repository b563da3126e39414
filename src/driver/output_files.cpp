#include "driver/output_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "base/message.h"
#include "base/regular_file.h"
#include "driver/own_files.h"
#include "journal/journal.h"

namespace pimsweep::driver {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view reused_ending = "-reused.journal";

void make_parent_folder(const std::string& results) {
  const fs::path folder = fs::path(results).parent_path();
  std::error_code error;
  if (!folder.empty() && fs::create_directories(folder, error)) print_note("made the folder '{}'", folder.string());
  if (error) {
    throw InputError(
        fmt::format("cannot write '{}': cannot create the folder '{}': {}", results, folder.string(), error.message()));
  }
}

std::string lock_path(const std::string& journals) { return (fs::path(journals) / "lock").string(); }

}  // namespace

OutputFiles::OutputFiles(const std::string& results, Existing existing)
    : results_(results), journals_(journal::folder_of(results)) {
  if (fs::path(results).filename().empty()) throw InputError(fmt::format("output '{}' names no file", results));
  make_parent_folder(results);
  require_replaceable(results);
  const bool has_results = fs::exists(results);
  const bool has_journals = fs::exists(fs::symlink_status(journals_));
  if (existing == Existing::refuse && (has_results || has_journals)) {
    throw InputError(
        fmt::format("'{}' exists: --resume keeps its points and evaluates the missing ones, --force discards it",
                    has_results ? results_ : journals_));
  }
  make_journal_folder(journals_);
  made_journals_ = !has_journals;
  take_lock();
  clear_temporaries(results_);
  if (existing == Existing::discard) discard();
}

void OutputFiles::discard() {
  std::error_code error;
  for (const std::string& journal : journal::files_in(journals_)) {
    if (!fs::remove(journal, error) && error) break;
  }
  if (!error) fs::remove(results_, error);
  if (error) throw InputError(fmt::format("cannot discard the old '{}': {}", results_, error.message()));
}

OutputFiles::~OutputFiles() {
  if (lock_ >= 0) ::close(lock_);
}

bool OutputFiles::is_locked(const std::string& journals) {
  try {
    const int descriptor = open_regular_file(lock_path(journals), O_RDONLY | O_NOFOLLOW);
    const bool locked = ::flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(descriptor);
    return locked;
  } catch (const std::exception&) {
    return false;
  }
}

void OutputFiles::take_lock() {
  try {
    lock_ = open_regular_file(lock_path(journals_), O_RDWR | O_CREAT | O_NOFOLLOW);
  } catch (const std::system_error& error) {
    throw InputError(error.what());
  }
  // A file system without locks gives another error than EWOULDBLOCK; there the user must avoid concurrent runs.
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    throw InputError(fmt::format("another run is writing '{}'", results_));
  }
}

std::string OutputFiles::journal_path(const std::string& journals, const std::string& run, int rank) {
  return (fs::path(journals) / fmt::format("{}-{:06}.journal", run, rank)).string();
}

std::string OutputFiles::reused_path(const std::string& journals, const std::string& run) {
  return (fs::path(journals) / fmt::format("{}{}", run, reused_ending)).string();
}

bool OutputFiles::is_reused(const std::string& journal) { return journal.ends_with(reused_ending); }

std::vector<std::string> OutputFiles::remove_journals() { return remove_journal_folder(journals_); }

void OutputFiles::abandon() {
  if (made_journals_) remove_journal_folder(journals_);
}

}  // namespace pimsweep::driver
