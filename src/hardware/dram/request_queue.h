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

/// A queue of requests in order of arrival, kept by bank. For each bank it knows the oldest request that hits the open
/// row and the oldest that misses it, which is all that a scheduler needs. Never allocates once built.
class RequestQueue {
 public:
  static constexpr std::int32_t none = -1;

  struct Entry {
    /// Number of the request in the traffic.
    std::int64_t index = 0;
    std::int32_t row = 0;
    std::int32_t column = 0;
    /// Orders the requests of both queues, and names the lane.
    std::int32_t key = 0;
    std::int32_t newer = none;
    std::int32_t older = none;
    /// Whether a command was issued for it (it is counted as hit, miss or conflict once).
    bool counted = false;
  };

  explicit RequestQueue(std::int64_t capacity) : entries_(static_cast<std::size_t>(capacity)) {
    for (std::size_t i = 0; i < entries_.size(); ++i) entries_[i].newer = static_cast<std::int32_t>(i) - 1;
    free_ = static_cast<std::int32_t>(capacity) - 1;
    hit_keys_.at.fill(no_key);
  }

  bool full() const { return free_ == none; }
  bool empty() const { return size_ == 0; }
  std::int64_t size() const { return size_; }
  /// Lanes of banks with requests, and with one for their open row; one bit each.
  std::uint64_t banks() const { return waiting_; }
  std::uint64_t banks_with_hits() const { return hits_; }
  /// Keys of the oldest hits, by lane.
  const Lanes& hit_keys() const { return hit_keys_; }

  Entry& operator[](std::int32_t entry) { return entries_[static_cast<std::size_t>(entry)]; }
  const Entry& operator[](std::int32_t entry) const { return entries_[static_cast<std::size_t>(entry)]; }

  std::int32_t oldest(std::int32_t lane) const { return list(lane).oldest; }
  /// The oldest request of an open bank for its open row, and the oldest for another row.
  std::int32_t hit(std::int32_t lane) const { return list(lane).hit; }
  std::int32_t conflict(std::int32_t lane) const { return list(lane).conflict; }
  /// The key of an entry, or no_key.
  std::int32_t key(std::int32_t entry) const { return entry == none ? no_key : (*this)[entry].key; }

  bool holds(std::int32_t lane, std::int32_t row, std::int32_t column) const {
    if (alike_[slot(lane, row, column)] == 0) return false;
    for (std::int32_t i = list(lane).oldest; i != none; i = (*this)[i].newer) {
      if ((*this)[i].row == row && (*this)[i].column == column) return true;
    }
    return false;
  }

  /// Adds a request, the newest; `open_row` is that of its bank, or Device::closed. The queue must not be full.
  void push(const Entry& entry, std::int32_t open_row) {
    const std::int32_t i = free_;
    const std::int32_t lane = lane_of(entry.key);
    List& l = list(lane);
    free_ = (*this)[i].newer;
    ++alike_[slot(lane, entry.row, entry.column)];
    (*this)[i] = entry;
    (*this)[i].newer = none;
    (*this)[i].older = l.newest;
    (l.newest == none ? l.oldest : (*this)[l.newest].newer) = i;
    l.newest = i;
    if (entry.row == open_row) {
      if (l.hit == none) set_hit(lane, i);
    } else if (open_row >= 0 && l.conflict == none) {
      l.conflict = i;
    }
    waiting_ |= bit(lane);
    ++size_;
  }

  /// Removes a request of a bank which is closed, or open at `open_row`, the request's own row.
  void pop(std::int32_t i, std::int32_t open_row) {
    const Entry& entry = (*this)[i];
    const std::int32_t lane = lane_of(entry.key);
    List& l = list(lane);
    --alike_[slot(lane, entry.row, entry.column)];
    if (l.hit == i) set_hit(lane, next_hit(entry.newer, open_row));
    (entry.older == none ? l.oldest : (*this)[entry.older].newer) = entry.newer;
    (entry.newer == none ? l.newest : (*this)[entry.newer].older) = entry.older;
    if (l.oldest == none) waiting_ &= ~bit(lane);
    (*this)[i].newer = free_;
    free_ = i;
    --size_;
  }

  void row_opened(std::int32_t lane, std::int32_t row) {
    List& l = list(lane);
    if (l.oldest == none) return;
    set_hit(lane, next_hit(l.oldest, row));
    std::int32_t conflict = l.oldest;
    while (conflict != none && (*this)[conflict].row == row) conflict = (*this)[conflict].newer;
    l.conflict = conflict;
  }
  void row_closed(std::int32_t lane) {
    set_hit(lane, none);
    list(lane).conflict = none;
  }

  /// After the keys of entries have changed.
  void update_hit_keys() {
    for (std::uint64_t left = hits_; left != 0; left &= left - 1) {
      const std::int32_t lane = std::countr_zero(left);
      hit_keys_.set(lane, key(hit(lane)));
    }
  }

  /// Moves all requests of lane from[i] to lane to[i], for all banks. `move(entry)` gives them their new number, row
  /// and column, equal ones where they were equal before.
  template <typename Move>
  void relocate(std::span<const std::int32_t> from, std::span<const std::int32_t> to, Move move) {
    const std::array<List, max_lanes> old = lists_;
    const std::uint64_t waiting = waiting_;
    for_each([&](std::int32_t i) { --alike_[slot((*this)[i])]; });
    waiting_ = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
      list(to[i]) = old[static_cast<std::size_t>(from[i])];
      if ((waiting >> from[i] & 1) != 0) waiting_ |= bit(to[i]);
    }
    for (std::uint64_t left = waiting_; left != 0; left &= left - 1) {
      const std::int32_t lane = std::countr_zero(left);
      for (std::int32_t i = oldest(lane); i != none; i = (*this)[i].newer) {
        Entry& entry = (*this)[i];
        move(entry);
        entry.key = (entry.key & ~(max_lanes - 1)) | lane;
        ++alike_[slot(entry)];
      }
    }
    for (const std::int32_t lane : to) set_hit(lane, hit(lane));
  }

  /// Calls `visit(entry number)` for all entries, bank by bank.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (std::uint64_t left = waiting_; left != 0; left &= left - 1) {
      for (std::int32_t i = oldest(std::countr_zero(left)); i != none; i = (*this)[i].newer) visit(i);
    }
  }

 private:
  struct List {
    std::int32_t oldest = none;
    std::int32_t newest = none;
    std::int32_t hit = none;
    std::int32_t conflict = none;
  };

  /// Slot of alike_ that counts a location; neighbors in a row, and equal columns of neighboring rows and banks, have
  /// different slots.
  static std::size_t slot(std::int32_t lane, std::int32_t row, std::int32_t column) {
    return static_cast<std::size_t>((column + 67LL * row + 131LL * lane) & (alike_size - 1));
  }
  static std::size_t slot(const Entry& entry) { return slot(lane_of(entry.key), entry.row, entry.column); }
  static std::uint64_t bit(std::int32_t lane) { return std::uint64_t{1} << lane; }
  void set_hit(std::int32_t lane, std::int32_t entry) {
    list(lane).hit = entry;
    hit_keys_.set(lane, key(entry));
    hits_ = entry == none ? hits_ & ~bit(lane) : hits_ | bit(lane);
  }

  List& list(std::int32_t lane) { return lists_[static_cast<std::size_t>(lane)]; }
  const List& list(std::int32_t lane) const { return lists_[static_cast<std::size_t>(lane)]; }
  std::int32_t next_hit(std::int32_t i, std::int32_t row) const {
    while (i != none && (*this)[i].row != row) i = (*this)[i].newer;
    return i;
  }

  std::vector<Entry> entries_;
  /// Number of requests by slot(): zero rules out a match without a search.
  static constexpr std::int64_t alike_size = 512;
  std::array<std::uint16_t, alike_size> alike_{};
  std::array<List, max_lanes> lists_{};
  Lanes hit_keys_;
  std::uint64_t waiting_ = 0;
  std::uint64_t hits_ = 0;
  std::int64_t size_ = 0;
  std::int32_t free_ = none;
};

}  // namespace pimsweep::hardware::dram
