#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "hardware/dram/dram.h"
#include "hardware/dram/request.h"

namespace pimsweep::hardware::dram {

/// A queue of requests in order of arrival, kept by bank. For each bank it knows the oldest request that hits the open
/// row and the oldest that misses it, which is all that a scheduler needs. Never allocates once built.
class RequestQueue {
 public:
  static constexpr std::int32_t none = -1;

  struct Entry {
    std::int64_t row = 0;
    std::int64_t column = 0;
    std::int64_t arrival = 0;
    /// Whether a command was issued for it (it is counted as hit, miss or conflict once).
    bool counted = false;
    std::int32_t newer = none;
    std::int32_t older = none;
  };

  explicit RequestQueue(std::int64_t capacity) : entries_(static_cast<std::size_t>(capacity)) {
    for (std::size_t i = 0; i < entries_.size(); ++i) entries_[i].newer = static_cast<std::int32_t>(i) - 1;
    free_ = static_cast<std::int32_t>(capacity) - 1;
  }

  bool full() const { return free_ == none; }
  bool empty() const { return size_ == 0; }
  std::int64_t size() const { return size_; }
  /// Banks with requests, with one for their open row, and with one for another row; one bit each.
  std::uint64_t banks() const { return waiting_; }
  std::uint64_t banks_with_hits() const { return hits_; }
  std::uint64_t banks_with_conflicts() const { return conflicts_; }

  Entry& operator[](std::int32_t entry) { return entries_[static_cast<std::size_t>(entry)]; }
  const Entry& operator[](std::int32_t entry) const { return entries_[static_cast<std::size_t>(entry)]; }

  std::int32_t oldest(std::int64_t bank) const { return list(bank).oldest; }
  /// The oldest request of an open bank for its open row, and the oldest for another row.
  std::int32_t hit(std::int64_t bank) const { return list(bank).hit; }
  std::int32_t conflict(std::int64_t bank) const { return list(bank).conflict; }

  bool holds(const Request& request) const {
    if (alike_[key(request.bank, request.row, request.column)] == 0) return false;
    for (std::int32_t i = list(request.bank).oldest; i != none; i = (*this)[i].newer) {
      if ((*this)[i].row == request.row && (*this)[i].column == request.column) return true;
    }
    return false;
  }

  /// Adds a request; `open_row` is that of its bank, or Device::closed. The queue must not be full.
  void push(const Request& request, std::int64_t arrival, std::int64_t open_row) {
    const std::int32_t i = free_;
    List& l = list(request.bank);
    free_ = (*this)[i].newer;
    ++alike_[key(request.bank, request.row, request.column)];
    (*this)[i] = {request.row, request.column, arrival, false, none, l.newest};
    (l.newest == none ? l.oldest : (*this)[l.newest].newer) = i;
    l.newest = i;
    if (request.row == open_row) {
      if (l.hit == none) l.hit = i;
      hits_ |= bit(request.bank);
    } else if (open_row >= 0 && l.conflict == none) {
      l.conflict = i;
      conflicts_ |= bit(request.bank);
    }
    waiting_ |= bit(request.bank);
    ++size_;
  }

  /// Removes a request of `bank`, which is closed, or open at `open_row`, the request's own row.
  void pop(std::int64_t bank, std::int32_t i, std::int64_t open_row) {
    List& l = list(bank);
    const Entry& entry = (*this)[i];
    --alike_[key(bank, entry.row, entry.column)];
    if (l.hit == i) set(l.hit, hits_, bank, next_hit(entry.newer, open_row));
    (entry.older == none ? l.oldest : (*this)[entry.older].newer) = entry.newer;
    (entry.newer == none ? l.newest : (*this)[entry.newer].older) = entry.older;
    if (l.oldest == none) waiting_ &= ~bit(bank);
    (*this)[i].newer = free_;
    free_ = i;
    --size_;
  }

  void row_opened(std::int64_t bank, std::int64_t row) {
    List& l = list(bank);
    set(l.hit, hits_, bank, next_hit(l.oldest, row));
    std::int32_t conflict = l.oldest;
    while (conflict != none && (*this)[conflict].row == row) conflict = (*this)[conflict].newer;
    set(l.conflict, conflicts_, bank, conflict);
  }
  void row_closed(std::int64_t bank) {
    set(list(bank).hit, hits_, bank, none);
    set(list(bank).conflict, conflicts_, bank, none);
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
  static std::size_t key(std::int64_t bank, std::int64_t row, std::int64_t column) {
    return static_cast<std::size_t>((column + 67 * row + 131 * bank) & (alike_size - 1));
  }
  static std::uint64_t bit(std::int64_t bank) { return std::uint64_t{1} << bank; }
  static void set(std::int32_t& head, std::uint64_t& banks, std::int64_t bank, std::int32_t entry) {
    head = entry;
    banks = entry == none ? banks & ~bit(bank) : banks | bit(bank);
  }

  List& list(std::int64_t bank) { return lists_[static_cast<std::size_t>(bank)]; }
  const List& list(std::int64_t bank) const { return lists_[static_cast<std::size_t>(bank)]; }
  std::int32_t next_hit(std::int32_t i, std::int64_t row) const {
    while (i != none && (*this)[i].row != row) i = (*this)[i].newer;
    return i;
  }

  std::vector<Entry> entries_;
  /// Number of requests by key(): zero rules out a match without a search.
  static constexpr std::int64_t alike_size = 512;
  std::array<std::uint16_t, alike_size> alike_{};
  std::array<List, max_banks> lists_{};
  std::uint64_t waiting_ = 0;
  std::uint64_t hits_ = 0;
  std::uint64_t conflicts_ = 0;
  std::int64_t size_ = 0;
  std::int32_t free_ = none;
};

}  // namespace pimsweep::hardware::dram
