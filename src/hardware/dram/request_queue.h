#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "hardware/dram/lanes.h"
#include "hardware/dram/request.h"

namespace pimsweep::hardware::dram {

/// A queue of requests in order of arrival, kept by bank. It knows for each bank the oldest request that hits the open
/// row and the oldest that misses it, which is all that a scheduler needs. It never allocates after construction.
///
/// The requests of a bank form a ring closed by an entry without a request, its `end`. No code needs a special case for
/// an empty ring, whose branches would be mispredicted.
class RequestQueue {
 public:
  struct Entry {
    /// Number of the request in the traffic.
    std::int64_t index = 0;
    std::int32_t row = 0;
    std::int32_t column = 0;
    /// Orders the requests of both queues and encodes the lane; no_key at an end.
    std::int32_t key = no_key;
    std::int32_t newer = 0;
    std::int32_t older = 0;
    /// A command has been issued for the request (hits, misses and conflicts count each request once).
    bool counted = false;
  };

  /// `searched`: holds() will be called.
  RequestQueue(std::int64_t capacity, bool searched)
      : entries_(static_cast<std::size_t>(capacity) + max_lanes),
        ends_(static_cast<std::int32_t>(capacity)),
        searched_(searched) {
    for (std::int32_t i = 0; i < ends_; ++i) (*this)[i].newer = i - 1;
    free_ = ends_ - 1;
    hit_keys_.at.fill(no_key);
    for (std::int32_t lane = 0; lane < max_lanes; ++lane) link(end(lane), end(lane));
    // A row that is closed without a request counts as no conflict.
    for (std::int32_t lane = 0; lane < max_lanes; ++lane) (*this)[end(lane)].counted = true;
    for (std::int32_t lane = 0; lane < max_lanes; ++lane) hits_[at(lane)] = conflicts_[at(lane)] = end(lane);
  }

  bool full() const { return free_ < 0; }
  bool empty() const { return size_ == 0; }
  std::int64_t size() const { return size_; }
  std::size_t bytes() const { return sizeof(*this) + entries_.size() * sizeof(Entry); }
  bool has_hits() const { return lanes_with_hits_ != 0; }
  /// Keys of the oldest hits, by lane.
  const Lanes& hit_keys() const { return hit_keys_; }

  Entry& operator[](std::int32_t entry) { return entries_[static_cast<std::size_t>(entry)]; }
  const Entry& operator[](std::int32_t entry) const { return entries_[static_cast<std::size_t>(entry)]; }

  /// The end entry of a bank.
  std::int32_t end(std::int32_t lane) const { return ends_ + lane; }
  std::int32_t oldest(std::int32_t lane) const { return (*this)[end(lane)].newer; }
  /// The oldest request for the open row of a bank, and the oldest for another row.
  std::int32_t hit(std::int32_t lane) const { return hits_[at(lane)]; }
  std::int32_t conflict(std::int32_t lane) const { return conflicts_[at(lane)]; }
  std::int32_t key(std::int32_t entry) const { return (*this)[entry].key; }

  bool holds(std::int32_t lane, std::int32_t row, std::int32_t column) const {
    if (alike_[slot(lane, row, column)] == 0) return false;
    for (std::int32_t i = oldest(lane); i != end(lane); i = (*this)[i].newer) {
      if ((*this)[i].row == row && (*this)[i].column == column) return true;
    }
    return false;
  }

  /// Appends a request; `open_row` is the open row of its bank, or Device::closed. The queue must not be full.
  void push(const Entry& entry, std::int32_t open_row) {
    const std::int32_t i = free_;
    const std::int32_t lane = lane_of(entry.key);
    const std::int32_t newest = (*this)[end(lane)].older;
    free_ = (*this)[i].newer;
    (*this)[i] = entry;
    link(newest, i);
    link(i, end(lane));
    count(lane, entry, 1);
    if (entry.row == open_row) {
      if (hit(lane) == end(lane)) set_hit(lane, i);
    } else {
      const bool first = (open_row >= 0) & (conflict(lane) == end(lane));
      conflicts_[at(lane)] = first ? i : conflict(lane);
    }
    waiting_ |= bit(lane);
    ++size_;
  }

  /// Removes a request of a bank that is closed, or open at `open_row`, the row of the request.
  void pop(std::int32_t i, std::int32_t open_row) {
    const Entry& entry = (*this)[i];
    const std::int32_t lane = lane_of(entry.key);
    count(lane, entry, -1);
    if (hit(lane) == i) set_hit(lane, next_hit(lane, entry.newer, open_row));
    link(entry.older, entry.newer);
    waiting_ &= ~(std::uint64_t{oldest(lane) == end(lane)} << lane);
    (*this)[i].newer = free_;
    free_ = i;
    --size_;
  }

  void row_opened(std::int32_t lane, std::int32_t row) {
    std::int32_t conflict = oldest(lane);
    // Few row commands leave a second request for the same row.
    if (rows_alike_[slot(lane, row, 0)] != 0) {
      set_hit(lane, next_hit(lane, conflict, row));
      while (conflict != end(lane) && (*this)[conflict].row == row) conflict = (*this)[conflict].newer;
    }
    conflicts_[at(lane)] = conflict;
  }
  void row_closed(std::int32_t lane) {
    if (hit(lane) != end(lane)) set_hit(lane, end(lane));
    conflicts_[at(lane)] = end(lane);
  }

  /// The row of an open bank no longer serves its requests, all of which now miss.
  void row_retired(std::int32_t lane) {
    row_closed(lane);
    conflicts_[at(lane)] = oldest(lane);
  }

  /// Call after keys of entries have changed.
  void update_hit_keys() {
    for (std::int32_t lane = 0; lane < max_lanes; ++lane) hit_keys_.set(lane, key(hit(lane)));
  }

  /// Moves all requests of lane from[i] to lane to[i], for all banks. `move(entry)` sets their new number, row and
  /// column; equal locations must remain equal.
  template <typename Move>
  void relocate(std::span<const std::int32_t> from, std::span<const std::int32_t> to, Move move) {
    if (empty()) return;
    std::array<List, max_lanes> old;
    for_each([&](std::int32_t i) { count(lane_of((*this)[i].key), (*this)[i], -1); });
    for (std::size_t i = 0; i < from.size(); ++i) {
      const Entry& ring = (*this)[end(from[i])];
      old[i] = {ring.newer, ring.older, hit(from[i]), conflict(from[i])};
    }
    waiting_ = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::int32_t before = end(from[i]);
      const std::int32_t now = end(to[i]);
      const auto moved = [&](std::int32_t entry) { return entry == before ? now : entry; };
      link(moved(old[i].newest), now);
      link(now, moved(old[i].oldest));
      hits_[at(to[i])] = moved(old[i].hit);
      conflicts_[at(to[i])] = moved(old[i].conflict);
      if (oldest(to[i]) != now) waiting_ |= bit(to[i]);
    }
    for_each_lane([&](std::int32_t lane, std::int32_t i) {
      Entry& entry = (*this)[i];
      move(entry);
      entry.key = with_lane(entry.key, lane);
      count(lane, entry, 1);
    });
    lanes_with_hits_ = 0;
    for (const std::int32_t lane : to) {
      hit_keys_.at[at(lane)] = key(hit(lane));
      if (hit(lane) != end(lane)) lanes_with_hits_ |= bit(lane);
    }
  }

  /// Calls `move(entry)` for all requests, which sets their new number, row and column; equal locations must remain
  /// equal.
  template <typename Move>
  void shift(Move move) {
    for_each_lane([&](std::int32_t lane, std::int32_t i) {
      Entry& entry = (*this)[i];
      count(lane, entry, -1);
      move(entry);
      count(lane, entry, 1);
    });
  }

  /// Calls `visit(entry number)` for the oldest request of each bank that has requests.
  template <typename Visit>
  void for_each_oldest(Visit visit) const {
    for (std::uint64_t left = waiting_; left != 0; left &= left - 1) visit(oldest(std::countr_zero(left)));
  }

  /// Calls `visit(entry number)` for all entries, bank by bank.
  template <typename Visit>
  void for_each(Visit visit) const {
    for_each_lane([&](std::int32_t, std::int32_t i) { visit(i); });
  }

 private:
  struct List {
    std::int32_t oldest;
    std::int32_t newest;
    std::int32_t hit;
    std::int32_t conflict;
  };

  /// Hash slot of a location. Neighbors in a row, and equal columns of neighboring rows and banks, have different
  /// slots.
  static std::size_t slot(std::int32_t lane, std::int32_t row, std::int32_t column) {
    return (static_cast<std::uint32_t>(column) + 67U * static_cast<std::uint32_t>(row) +
            131U * static_cast<std::uint32_t>(lane)) %
           alike_size;
  }
  static constexpr std::size_t at(std::int32_t lane) { return static_cast<std::size_t>(lane); }
  static std::uint64_t bit(std::int32_t lane) { return std::uint64_t{1} << lane; }

  template <typename Visit>
  void for_each_lane(Visit visit) const {
    for (std::uint64_t left = waiting_; left != 0; left &= left - 1) {
      const std::int32_t lane = std::countr_zero(left);
      for (std::int32_t i = oldest(lane); i != end(lane); i = (*this)[i].newer) visit(lane, i);
    }
  }
  void link(std::int32_t older, std::int32_t newer) {
    (*this)[older].newer = newer;
    (*this)[newer].older = older;
  }
  void count(std::int32_t lane, const Entry& entry, int by) {
    rows_alike_[slot(lane, entry.row, 0)] += static_cast<std::uint16_t>(by);
    if (searched_) alike_[slot(lane, entry.row, entry.column)] += static_cast<std::uint16_t>(by);
  }
  void set_hit(std::int32_t lane, std::int32_t entry) {
    hits_[at(lane)] = entry;
    hit_keys_.set(lane, key(entry));
    const std::uint64_t others = lanes_with_hits_ & ~bit(lane);
    lanes_with_hits_ = entry == end(lane) ? others : others | bit(lane);
  }
  /// The oldest request for a row, from `i` on; the end entry serves as a sentinel.
  std::int32_t next_hit(std::int32_t lane, std::int32_t i, std::int32_t row) {
    (*this)[end(lane)].row = row;
    while ((*this)[i].row != row) i = (*this)[i].newer;
    return i;
  }

  /// Requests, followed by the end entries of all lanes.
  std::vector<Entry> entries_;
  std::int32_t ends_;
  /// Numbers of requests by slot() of their row, and of their location if searched: a count of zero rules out a match
  /// without a search.
  static constexpr std::uint32_t alike_size = 512;
  std::array<std::uint16_t, alike_size> rows_alike_{};
  std::array<std::uint16_t, alike_size> alike_{};
  bool searched_;
  std::array<std::int32_t, max_lanes> hits_{};
  std::array<std::int32_t, max_lanes> conflicts_{};
  Lanes hit_keys_;
  std::uint64_t lanes_with_hits_ = 0;
  std::uint64_t waiting_ = 0;
  std::int64_t size_ = 0;
  std::int32_t free_ = 0;
};

}  // namespace pimsweep::hardware::dram
