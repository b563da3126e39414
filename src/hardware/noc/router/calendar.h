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

/// A list with a fixed capacity: adding an event is a copy without a check. Its memory is returned only with the memory
/// resource.
template <typename Event>
class EventList {
 public:
  EventList() = default;
  // One extra entry for events that are written before it is known if they are kept, plus those that ahead() reads.
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
  /// The capacity must suffice for the events of `other`.
  void assign(const EventList& other) {
    assert(other.size() <= capacity_);
    end_ = std::copy(other.begin(), other.end(), begin_);
  }
  std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
  const Event* begin() const { return begin_; }
  const Event* end() const { return end_; }
  /// For loops that keep the end in a register while they add events, or shorten the list while they read it.
  Event*& open_end() { return end_; }
  Event* open_begin() { return begin_; }
  /// The event that a loop reaches some iterations after `event`; past the end, a stale or empty one.
  const Event& ahead(const Event& event) const { return (&event)[prefetch_distance]; }

 private:
  /// Some loop iterations take as long as loading a port from the last-level cache.
  static constexpr std::size_t prefetch_distance = 8;

  static_assert(std::is_trivially_destructible_v<Event>);

  Event* begin_ = nullptr;
  Event* end_ = nullptr;
  std::size_t capacity_ = 0;
};

/// Events by the cycle in which they happen, at most `horizon` cycles ahead and at most `capacity` per cycle.
template <typename Event>
class Calendar {
 public:
  Calendar(unsigned horizon, std::size_t capacity, std::pmr::monotonic_buffer_resource& memory) {
    for (unsigned i = 0; i < std::bit_ceil(horizon + 1U); ++i) cycles_.emplace_back(capacity, memory);
  }
  /// Both calendars must have been made with the same arguments.
  void assign(const Calendar& other) {
    for (std::size_t i = 0; i < cycles_.size(); ++i) cycles_[i].assign(other.cycles_[i]);
  }
  EventList<Event>& cycle(std::uint64_t time) { return cycles_[time & (cycles_.size() - 1)]; }

 private:
  std::vector<EventList<Event>> cycles_;
};

}  // namespace pimsweep::hardware::noc::router
