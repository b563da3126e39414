#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pimsweep::hardware::noc::router {

/// A list that keeps its memory when it is cleared; adding to it takes a comparison and a copy, without a call.
template <typename Event>
class EventList {
 public:
  void add(const Event& event) {
    if (count_ == events_.size()) grow();
    events_[count_++] = event;
  }
  void clear() { count_ = 0; }
  std::size_t size() const { return count_; }
  const Event* begin() const { return events_.data(); }
  const Event* end() const { return events_.data() + count_; }

 private:
  [[gnu::noinline]] void grow() { events_.resize(std::max<std::size_t>(16, 2 * count_)); }

  std::vector<Event> events_;
  std::size_t count_ = 0;
};

/// Events by the cycle in which they happen, at most `horizon` cycles ahead.
template <typename Event>
class Calendar {
 public:
  explicit Calendar(unsigned horizon) : days_(std::bit_ceil(horizon + 1U)) {}
  EventList<Event>& day(std::uint64_t time) { return days_[time & (days_.size() - 1)]; }

 private:
  std::vector<EventList<Event>> days_;
};

}  // namespace pimsweep::hardware::noc::router
