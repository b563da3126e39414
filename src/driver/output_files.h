#pragma once

#include <string>

namespace pimsweep::driver {

/// What to do with results that are there already.
enum class Existing { refuse, keep, discard };

/// The results file of a run and the folder of its journals, held by this process for as long as it lives: a second
/// run on the same output is refused.
class OutputFiles {
 public:
  /// Makes the folders and takes the lock. Throws InputError if the place cannot be written, if another run holds it,
  /// or if there are results already and `existing` is refuse; with discard they are removed.
  OutputFiles(const std::string& results, Existing existing);
  ~OutputFiles();
  OutputFiles(const OutputFiles&) = delete;
  OutputFiles& operator=(const OutputFiles&) = delete;

  const std::string& results() const { return results_; }
  const std::string& journals() const { return journals_; }
  /// A journal's path, for a run's name and a rank.
  static std::string journal_path(const std::string& journals, const std::string& run, int rank);

  /// The journal of results that a run took over from elsewhere.
  static std::string reused_path(const std::string& journals, const std::string& run);

  /// True while a run holds the output with this folder of journals.
  static bool is_held(const std::string& journals);

  /// Removes the journals of all runs.
  void remove_journals();
  /// Undoes the making of the journal folder, after a run that did not begin.
  void abandon();

 private:
  void take_lock();

  std::string results_;
  std::string journals_;
  bool made_journals_ = false;
  int lock_ = -1;
};

}  // namespace pimsweep::driver
