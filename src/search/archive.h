#pragma once

#include <cstdint>
#include <vector>

#include "search/fitness.h"
#include "search/space.h"

namespace pimsweep::search {

/// The best designs of a search in descending order: by front under constraint domination, then by crowding distance,
/// then by age, the oldest first.
class Archive {
 public:
  struct Entry {
    Design design;
    Fitness fitness;
    std::size_t front = 0;
    double crowding = 0;
  };

  /// `capacity` is at least 1.
  explicit Archive(std::uint64_t capacity) : capacity_(capacity) {}

  /// Adds new designs with their results and keeps the best of all.
  void add(const std::vector<Design>& designs, const std::vector<Fitness>& results);

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  const Entry& operator[](std::size_t rank) const { return entries_[rank]; }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  void rank();

  std::uint64_t capacity_;
  std::vector<Entry> entries_;
};

}  // namespace pimsweep::search
