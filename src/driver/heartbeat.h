#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "driver/current_point.h"
#include "results/journal_writer.h"

namespace pimsweep::driver {

/// A thread that once a second syncs the journal, so that no evaluation waits for the disk, and sends a heartbeat with
/// the current point, so that a rank in a long point is not taken for a dead one.
class Heartbeat {
 public:
  /// Sends a heartbeat; called with the point and the seconds spent in it so far.
  using Send = std::function<void(std::uint64_t point, double seconds)>;

  /// `send` may be empty. All references must outlive the heartbeat.
  Heartbeat(results::JournalWriter& journal, const CurrentPoint& current, Send send);
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

  /// Error in syncing the journal; empty if there was none.
  std::string error() const;

 private:
  void run();

  results::JournalWriter& journal_;
  const CurrentPoint& current_;
  Send send_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::string error_;
  std::thread thread_;
};

}  // namespace pimsweep::driver
