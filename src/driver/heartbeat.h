#pragma once

#include <functional>
#include <mutex>
#include <string>

#include "driver/current_point.h"
#include "driver/periodic_thread.h"
#include "journal/writer.h"

namespace pimsweep::driver {

/// A thread that once a second syncs the journal, so that no evaluation waits for the disk, and does what else a rank
/// has to do while it is in a long point.
class Heartbeat {
 public:
  /// Called once a second with the point in evaluation.
  using Beat = std::function<void(const CurrentPoint& current)>;

  /// `beat` may be empty. All references must outlive the heartbeat.
  Heartbeat(journal::Writer& journal, const CurrentPoint& current, Beat beat);

  /// Error in syncing the journal; empty if there was none.
  std::string error() const;

 private:
  void sync();

  journal::Writer& journal_;
  mutable std::mutex mutex_;
  std::string error_;
  PeriodicThread thread_;
};

}  // namespace pimsweep::driver
