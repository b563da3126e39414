#include "driver/output_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/message.h"
#include "base/output_file.h"
#include "base/posix_file.h"
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
    throw_unwritable(error.value(), fmt::format("cannot write '{}': cannot create the folder '{}': {}", results,
                                                folder.string(), error.message()));
  }
}

std::string lock_path(const std::string& journals) { return (fs::path(journals) / "lock").string(); }

/// A note of the results file that --force replaces: its seal. Those of another file count again.
std::string note_path(const std::string& journals) { return (fs::path(journals) / "replaced").string(); }

std::string read_note(const std::string& journals) {
  std::ifstream file(note_path(journals), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Throws InputError, or OutputError on a full disk.
void write_note(const std::string& journals, const std::string& note) {
  std::error_code ignored;
  fs::remove(note_path(journals), ignored);
  if (note.empty()) return;
  try {
    PosixFile file = PosixFile::create(note_path(journals));
    file.write(note);
    file.sync();
  } catch (const std::system_error& error) {
    throw_unwritable(error.code().value(), error.what());
  }
}

/// True if these results were set aside by the run that has this folder of journals.
bool is_set_aside(const std::string& results, const std::string& journals) {
  const std::string note = read_note(journals);
  return !note.empty() && note == end_of_results(results);
}

}  // namespace

OutputFiles::OutputFiles(const std::string& results, Existing existing)
    : results_(results), journals_(journal::folder_of(results)) {
  if (fs::path(results).filename().empty()) throw InputError(fmt::format("output '{}' names no file", results));
  make_parent_folder(results);
  require_replaceable(results);
  do {
    had_results_ = fs::exists(results);
    const bool has_journals = fs::exists(fs::symlink_status(journals_));
    if (existing == Existing::refuse && (had_results_ || has_journals)) {
      throw InputError(
          fmt::format("'{}' exists: --resume keeps its points and evaluates the missing ones, --force discards it",
                      had_results_ ? results_ : journals_));
    }
    make_journal_folder(journals_);
    made_journals_ = !has_journals;
  } while (!take_lock());
  clear_temporaries(results_);
  if (existing != Existing::discard) return;
  try {
    set_aside();
  } catch (...) {
    abandon();
    throw;
  }
}

void OutputFiles::set_aside() {
  for (const std::string& journal : journal::files_in(journals_)) {
    std::error_code error;
    fs::rename(journal, journal + set_aside_extension, error);
    if (error) throw_unwritable(error.value(), fmt::format("cannot set '{}' aside: {}", journal, error.message()));
    set_aside_.push_back(journal);
  }
  if (!fs::exists(results_)) return;
  noted_before_ = read_note(journals_);
  write_note(journals_, end_of_results(results_));
}

std::string OutputFiles::reusable(const std::string& results) {
  std::error_code error;
  const bool is_empty = fs::file_size(results, error) == 0 && !error;
  if (!fs::exists(results) || is_empty || is_set_aside(results, journal::folder_of(results))) return {};
  return results;
}

void OutputFiles::require_no_new_file() const {
  if (!had_results_ && fs::exists(results_))
    throw InputError("a file of that name has appeared meanwhile, and stays; without it, --resume writes the results");
}

bool OutputFiles::keeps_old_results() const { return is_set_aside(results_, journals_); }

void OutputFiles::forget_old_journals() {
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(journals_, error)) {
    std::error_code ignored;
    if (entry.path().extension() == set_aside_extension) fs::remove(entry.path(), ignored);
  }
  fs::remove(note_path(journals_), error);
}

OutputFiles::~OutputFiles() {
  owner_.reset();
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

bool OutputFiles::take_lock() {
  try {
    lock_ = open_regular_file(lock_path(journals_), O_RDWR | O_CREAT | O_NOFOLLOW);
  } catch (const std::system_error& error) {
    throw_unwritable(error.code().value(), error.what());
  }
  // Processes of a killed run hold it until they have ended.
  constexpr auto patience = std::chrono::seconds(1);
  const auto until = std::chrono::steady_clock::now() + patience;
  // A file system without locks gives another error than EWOULDBLOCK.
  bool has_lock = false;
  while (!(has_lock = ::flock(lock_, LOCK_EX | LOCK_NB) == 0) && errno == EWOULDBLOCK) {
    if (std::chrono::steady_clock::now() > until) {
      const std::string owner = OutputOwner::described(lock_path(journals_));
      throw InputError(fmt::format("another run is writing '{}'{}{}", results_, owner.empty() ? "" : ": ", owner));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  struct stat status {};
  if (::fstat(lock_, &status) == 0 && status.st_nlink == 0) {
    ::close(std::exchange(lock_, -1));
    return false;
  }
  owner_ = std::make_unique<OutputOwner>(lock_path(journals_), results_, has_lock);
  return true;
}

void OutputFiles::leave_lock_to_parent() {
  ::close(std::exchange(lock_, -1));
  owner_->leave_to_parent();
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
  std::error_code ignored;
  for (const std::string& journal : set_aside_) fs::rename(journal + set_aside_extension, journal, ignored);
  try {
    if (noted_before_) write_note(journals_, *noted_before_);
  } catch (const std::exception& error) {
    print_warning("{}", error.what());
  }
  if (made_journals_) remove_journal_folder(journals_);
}

}  // namespace pimsweep::driver
