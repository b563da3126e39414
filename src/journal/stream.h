#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "journal/index.h"
#include "journal/reader.h"

namespace pimsweep::journal {

/// Reads the results of a plan in the order of its points from journals that have them in any order. Holds at most one
/// frame of each journal in memory. If a point was evaluated more than once, a result (ok or infeasible) takes
/// precedence over a failure, and a failure over a crash.
class Stream {
 public:
  /// The journals must not be removed meanwhile.
  explicit Stream(const Index& journals) : paths_(journals.paths()), extents_(journals.extents()) {}

  /// Reads the entry of a point that takes precedence; returns false if there is none. Points must be read in ascending
  /// order. Entries of another identity do not count: their model or workload has changed since. Nor do those whose
  /// record violates the schema.
  bool read(std::uint64_t index, const Hash128& identity, const systems::Schema& schema, Entry& entry);

  /// The first point from `index` on that may have an entry; `end` if there is none. `index` follows the point read
  /// last.
  std::uint64_t next(std::uint64_t index, std::uint64_t end) const;

  /// Points with two results that differ in any bit, which shows that the model is not deterministic. Gives them away.
  std::vector<std::uint64_t> take_conflicts() { return std::exchange(conflicts_, {}); }

 private:
  /// A frame that extends beyond the point read last.
  struct OpenFrame {
    std::string payload;
    EntryReader entries;
    std::uint64_t next = 0;
    std::uint64_t end = 0;
  };
  void open_frames(std::uint64_t index);
  bool read_frame_of(const Extent& extent, std::string& payload);

  struct OpenJournal {
    std::uint32_t journal;
    PosixFile file;
  };

  std::vector<std::string> paths_;
  std::vector<Extent> extents_;
  std::size_t next_extent_ = 0;
  std::vector<std::unique_ptr<OpenFrame>> frames_;
  std::vector<std::unique_ptr<OpenFrame>> spare_;
  /// Recently used journals, most recent first.
  std::list<OpenJournal> open_;
  Entry other_;
  std::vector<std::uint64_t> conflicts_;
};

}  // namespace pimsweep::journal
