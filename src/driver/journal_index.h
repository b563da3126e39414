#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/hash.h"
#include "results/journal.h"

namespace pimsweep {

/// The results of several journals, found by content hash. Where a point was evaluated more than once, a result
/// (ok or infeasible) comes before a failure.
class JournalIndex {
 public:
  /// Reads a journal. One that cannot be read, or whose end is damaged, is noted in warnings(); the rest stays usable.
  void add(const std::string& path);
  /// Sorts what was added: to be called before the first find().
  void build();

  /// The best status of a point, or not_run.
  Status status(const Hash128& identity) const;
  /// Reads the best entry of a point; false if there is none.
  bool read(const Hash128& identity, JournalEntry& entry) const;

  const std::vector<std::string>& warnings() const { return warnings_; }
  /// The header of the journal that was begun last, or null if none was added.
  const JournalHeader* latest() const;

 private:
  /// The journal in the upper 24 bits, the entry in it below.
  using Slot = std::uint64_t;
  const JournalReader::Location& location(Slot slot) const;
  const JournalReader& journal(Slot slot) const;
  /// The first slot of a point, or the number of slots.
  std::size_t first(const Hash128& identity) const;

  std::vector<std::unique_ptr<JournalReader>> journals_;
  std::vector<Slot> slots_;
  std::vector<std::string> warnings_;
};

/// True for a status that a resumed run keeps: what failed or crashed is evaluated again.
bool is_result(Status status);

}  // namespace pimsweep
