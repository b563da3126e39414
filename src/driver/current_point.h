#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace pimsweep::driver {

/// The point that this process is evaluating, readable from other threads and signal handlers.
class CurrentPoint {
 public:
  using Clock = std::chrono::steady_clock;

  void enter(std::uint64_t point, Clock::time_point now) {
    point_.store(point, std::memory_order_relaxed);
    since_.store(now.time_since_epoch().count(), std::memory_order_relaxed);
    inside_.store(true, std::memory_order_release);
  }
  void leave() { inside_.store(false, std::memory_order_release); }

  bool inside() const { return inside_.load(std::memory_order_acquire); }
  std::uint64_t point() const { return point_.load(std::memory_order_relaxed); }
  double seconds() const {
    const Clock::time_point since{Clock::duration(since_.load(std::memory_order_relaxed))};
    return std::chrono::duration<double>(Clock::now() - since).count();
  }

 private:
  std::atomic<bool> inside_ = false;
  std::atomic<std::uint64_t> point_ = 0;
  std::atomic<Clock::rep> since_ = 0;
};

}  // namespace pimsweep::driver
