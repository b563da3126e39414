#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace pimsweep::noc {

/// Events by the cycle in which they happen, at most `horizon` cycles ahead. Lists keep their memory from use to use.
template <typename Event>
class Calendar {
 public:
  explicit Calendar(unsigned horizon) : days_(std::bit_ceil(horizon + 1U)) {}
  std::vector<Event>& day(std::uint64_t time) { return days_[time & (days_.size() - 1)]; }

 private:
  std::vector<std::vector<Event>> days_;
};

}  // namespace pimsweep::noc
