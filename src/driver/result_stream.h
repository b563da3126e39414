#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "base/hash.h"
#include "driver/journal_set.h"
#include "results/journal_reader.h"

namespace pimsweep::driver {

/// Reads the results of a plan in the order of its points, from journals in which they stand in any order, with memory
/// for one frame of each journal at most. Where a point was evaluated more than once, a result (ok or infeasible) comes
/// before a failure, and a failure before a crash.
class ResultStream {
 public:
  /// `journals` must outlive the stream and not change.
  explicit ResultStream(JournalSet& journals) : journals_(journals), extents_(journals.extents().read()) {}

  /// Reads the best entry of a point, false if there is none. Points must be asked for in rising order. An entry that
  /// stands under another identity belongs to a model or workload that has changed since: it does not count.
  bool read(std::uint64_t index, const Hash128& identity, results::JournalEntry& entry);

  /// Points with two results that differ in any bit: the model is not deterministic.
  const std::vector<std::uint64_t>& conflicts() const { return conflicts_; }

 private:
  /// A frame that reaches behind the point asked for last.
  struct Run {
    std::string payload;
    results::EntryReader entries;
    std::uint64_t next = 0;
    std::uint64_t end = 0;
  };
  void open_runs(std::uint64_t index);
  bool read_frame_of(const Extent& extent, std::string& payload);

  struct OpenJournal {
    std::uint32_t journal;
    PosixFile file;
  };

  JournalSet& journals_;
  ExtentSorter::Cursor extents_;
  std::vector<std::unique_ptr<Run>> runs_;
  std::vector<std::unique_ptr<Run>> spare_;
  /// The journals used last, latest first.
  std::list<OpenJournal> open_;
  results::JournalEntry other_;
  std::vector<std::uint64_t> conflicts_;
};

}  // namespace pimsweep::driver
