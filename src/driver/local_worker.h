#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "driver/grant.h"

namespace pimsweep::driver {

/// Worker thread of rank 0, for launches in which rank 0 also evaluates. It takes grants like any other rank, so the
/// manager stays responsive.
class LocalWorker {
 public:
  explicit LocalWorker(GrantRunner& runner);
  /// Waits until the current grant is finished.
  ~LocalWorker();
  LocalWorker(const LocalWorker&) = delete;
  LocalWorker& operator=(const LocalWorker&) = delete;

  /// Queues a grant.
  void grant(Lease lease);
  /// Returns the next report, in the order of the grants; waits for it for at most `timeout`.
  std::optional<Report> report(std::chrono::microseconds timeout);

 private:
  void run();

  GrantRunner& runner_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Lease> leases_;
  std::deque<Report> reports_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace pimsweep::driver
