#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <type_traits>
#include <vector>

namespace pimsweep::hardware::noc::router {

/// A list that never holds more than its capacity: adding to it takes a copy, without a comparison. Its memory is never
/// given back before the resource's.
template <typename Event>
class EventList {
 public:
  EventList() = default;
  // One place more for an entry that is written before it is known whether it is kept, and those that ahead() reads.
  EventList(std::size_t capacity, std::pmr::monotonic_buffer_resource& memory)
      : begin_(std::pmr::polymorphic_allocator<Event>(&memory).allocate(capacity + 1 + prefetch_distance)),
        end_(begin_),
        capacity_(capacity) {
    std::uninitialized_value_construct_n(begin_, capacity + 1 + prefetch_distance);
  }

  void add(const Event& event) { *end_++ = event; }
  void clear() {
    assert(size() <= capacity_);
    end_ = begin_;
  }
  /// Has room for all of the other's events.
  void assign(const EventList& other) {
    assert(other.size() <= capacity_);
    end_ = std::copy(other.begin(), other.end(), begin_);
  }
  std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
  const Event* begin() const { return begin_; }
  const Event* end() const { return end_; }
  /// For steps that keep the end at hand while they add events, and for those that shorten the list while they read it.
  Event*& open_end() { return end_; }
  Event* open_begin() { return begin_; }
  /// The event that a loop over the list comes to some turns after `event`; past the end an old or an empty one.
  const Event& ahead(const Event& event) const { return (&event)[prefetch_distance]; }

 private:
  /// Some turns of a loop take as long as a port needs from the farthest cache.
  static constexpr std::size_t prefetch_distance = 8;

  static_assert(std::is_trivially_destructible_v<Event>);

  Event* begin_ = nullptr;
  Event* end_ = nullptr;
  std::size_t capacity_ = 0;
};

/// Events by the cycle in which they happen, at most `horizon` cycles ahead and at most `capacity` in one cycle.
template <typename Event>
class Calendar {
 public:
  Calendar(unsigned horizon, std::size_t capacity, std::pmr::monotonic_buffer_resource& memory) {
    for (unsigned i = 0; i < std::bit_ceil(horizon + 1U); ++i) cycles_.emplace_back(capacity, memory);
  }
  /// Of two calendars made with the same arguments.
  void assign(const Calendar& other) {
    for (std::size_t i = 0; i < cycles_.size(); ++i) cycles_[i].assign(other.cycles_[i]);
  }
  EventList<Event>& cycle(std::uint64_t time) { return cycles_[time & (cycles_.size() - 1)]; }

 private:
  std::vector<EventList<Event>> cycles_;
};

}  // namespace pimsweep::hardware::noc::router
