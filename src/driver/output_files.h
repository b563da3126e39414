#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/output_owner.h"

namespace pimsweep::driver {

/// Treatment of existing results.
enum class Existing { refuse, keep, discard };

/// The results file of a run and its journal folder, locked by this process for the object's lifetime: a second run on
/// the same output is refused.
class OutputFiles {
 public:
  /// Creates the folders and takes the lock. Throws InputError if the output cannot be written, if another run has
  /// locked it, or if there are results and `existing` is refuse. With discard they are set aside: neither this run nor
  /// a later one that resumes it reads them, but they stay until the new results are complete.
  OutputFiles(const std::string& results, Existing existing);
  ~OutputFiles();
  OutputFiles(const OutputFiles&) = delete;
  OutputFiles& operator=(const OutputFiles&) = delete;

  const std::string& results() const { return results_; }
  /// The results file if its points may be reused: it exists and was not set aside. Otherwise empty.
  static std::string reusable(const std::string& results);
  /// Throws InputError if a file has appeared at the output since this object was made: it is not the run's to replace.
  void require_no_new_file() const;
  /// True if there is a results file that was set aside.
  bool keeps_old_results() const;
  const std::string& journals() const { return journals_; }
  /// Path of the journal of a run and rank.
  static std::string journal_path(const std::string& journals, const std::string& run, int rank);

  /// Path of the journal for results that a run reuses from elsewhere.
  static std::string reused_path(const std::string& journals, const std::string& run);
  /// True if a journal is such a one.
  static bool is_reused(const std::string& journal);

  /// True while a run has locked the output with this journal folder.
  static bool is_locked(const std::string& journals);

  /// Keeps runs on other hosts from this output, where their locks are not seen here. To be called once this process
  /// forks no more.
  void keep_alive() { owner_->keep_alive(); }
  /// For a forked process: the lock is that of the process which forked it, and ends with that.
  void leave_lock_to_parent();

  /// Removes the journals of all runs. Returns the names of files in their folder that are not pimsweep's and stay.
  std::vector<std::string> remove_journals();
  /// Removes the journals that were set aside, once the new results are in their place.
  void forget_old_journals();
  /// For a run that did not begin: removes the journal folder again if this object created it, and brings back what it
  /// has set aside.
  void abandon();

 private:
  /// False if the run before has removed its folder, and the lock in it, before it left the lock.
  bool take_lock();
  void set_aside();

  std::string results_;
  std::string journals_;
  bool had_results_ = false;
  bool made_journals_ = false;
  /// The journals that this object has set aside, by their former paths.
  std::vector<std::string> set_aside_;
  /// Previous content of the note of replaced results; empty if this object has not written it.
  std::optional<std::string> noted_before_;
  int lock_ = -1;
  std::unique_ptr<OutputOwner> owner_;
};

}  // namespace pimsweep::driver
