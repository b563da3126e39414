#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "driver/extents.h"
#include "results/journal.h"

namespace pimsweep::driver {

/// What journals hold of one plan: where each point's results stand, and which points killed their rank.
class JournalSet {
 public:
  explicit JournalSet(const Hash128& plan) : plan_(plan) {}

  /// Looks through a journal. One that cannot be read, or whose end is damaged, is noted in warnings(); what is whole
  /// counts. The results of a journal of another plan have other numbers: it is only listed in foreign().
  void add(const std::string& path);

  const std::vector<std::string>& warnings() const { return warnings_; }
  const std::vector<std::string>& foreign() const { return foreign_; }
  /// For each point that a rank died in, the causes.
  const std::map<std::uint64_t, std::vector<std::string>>& deaths() const { return deaths_; }

  ExtentSorter& extents() { return extents_; }
  /// The path of an extent's journal.
  const std::string& path(std::uint32_t journal) const { return paths_[journal]; }

 private:
  Hash128 plan_;
  std::vector<std::string> paths_;
  ExtentSorter extents_;
  std::vector<std::string> warnings_;
  std::vector<std::string> foreign_;
  std::map<std::uint64_t, std::vector<std::string>> deaths_;
};

}  // namespace pimsweep::driver
