#pragma once

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace pimsweep::hardware::noc::router {

/// A list that never holds more than its capacity: adding to it takes a copy, without a comparison.
template <typename Event>
class EventList {
 public:
  EventList() = default;
  // One place more, for add_if().
  explicit EventList(std::size_t capacity)
      : events_(std::make_unique_for_overwrite<Event[]>(capacity + 1)), end_(events_.get()), capacity_(capacity) {}

  void add(const Event& event) { *end_++ = event; }
  /// Adds it if `condition` is 1 and not if it is 0, without a branch.
  void add_if(const Event& event, std::size_t condition) {
    *end_ = event;
    end_ += condition;
  }
  void clear() {
    assert(size() <= capacity_);
    end_ = events_.get();
  }
  std::size_t size() const { return static_cast<std::size_t>(end_ - events_.get()); }
  const Event* begin() const { return events_.get(); }
  const Event* end() const { return end_; }
  /// For steps that keep the end at hand while they add events.
  Event*& open_end() { return end_; }

 private:
  std::unique_ptr<Event[]> events_;
  Event* end_ = nullptr;
  std::size_t capacity_ = 0;
};

/// Events by the cycle in which they happen, at most `horizon` cycles ahead and at most `capacity` in one cycle.
template <typename Event>
class Calendar {
 public:
  Calendar(unsigned horizon, std::size_t capacity) {
    for (unsigned day = 0; day < std::bit_ceil(horizon + 1U); ++day) days_.emplace_back(capacity);
  }
  EventList<Event>& day(std::uint64_t time) { return days_[time & (days_.size() - 1)]; }

 private:
  std::vector<EventList<Event>> days_;
};

}  // namespace pimsweep::hardware::noc::router
