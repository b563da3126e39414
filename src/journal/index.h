#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/hash.h"
#include "journal/journal.h"

namespace pimsweep::journal {

/// Location of a journal frame, which holds the results of consecutive points.
struct Extent {
  std::uint64_t first = 0;
  std::uint32_t count = 0;
  std::uint32_t journal = 0;
  std::uint64_t offset = 0;
  friend auto operator<=>(const Extent&, const Extent&) = default;
};

/// Index of the journals of one plan: where each point's results are, and which points killed their rank.
class Index {
 public:
  explicit Index(const Hash128& plan) : plan_(plan) {}

  /// Scans a journal. One that is unreadable or damaged at its end adds to warnings(); its intact frames still count.
  /// In a journal of another plan the points have other numbers, so it is only listed in foreign().
  void add(const std::string& path);

  /// The same for a journal whose writer may have closed it: if so, only the heads of its frames are read, which takes
  /// next to no time. A frame that turns out to be damaged gives no results.
  void add_closed(const std::string& path);

  const std::vector<std::string>& warnings() const { return warnings_; }
  const std::vector<std::string>& foreign() const { return foreign_; }
  /// Causes of death for each point in which a rank died.
  const std::map<std::uint64_t, std::vector<std::string>>& deaths() const { return deaths_; }

  /// True if no frame with results was found.
  bool is_empty() const { return extents_.empty(); }
  /// In the order of their first points.
  std::vector<Extent> extents() const;
  /// Paths of the journals, by the numbers that extents give them.
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  bool add_heads(const std::string& path);

  Hash128 plan_;
  std::vector<std::string> paths_;
  std::vector<Extent> extents_;
  std::vector<std::string> warnings_;
  std::vector<std::string> foreign_;
  std::map<std::uint64_t, std::vector<std::string>> deaths_;
};

}  // namespace pimsweep::journal
