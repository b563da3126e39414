#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "driver/grant.h"

namespace pimsweep::driver {

/// Rank 0's own worker where rank 0 also evaluates: a thread that takes grants as the other ranks do, so that the
/// manager always has time for them.
class LocalWorker {
 public:
  explicit LocalWorker(GrantRunner& runner);
  /// Waits for the grant in hand.
  ~LocalWorker();
  LocalWorker(const LocalWorker&) = delete;
  LocalWorker& operator=(const LocalWorker&) = delete;

  /// Hands over a grant; it waits its turn.
  void grant(Order order);
  /// The next report, in the order of the grants; waits for it at most as long as said.
  std::optional<Report> report(std::chrono::microseconds patience);

 private:
  void run();

  GrantRunner& runner_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Order> orders_;
  std::deque<Report> reports_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace pimsweep::driver
