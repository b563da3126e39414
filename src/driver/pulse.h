#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "driver/current_point.h"
#include "results/journal_writer.h"

namespace pimsweep::driver {

/// A thread that once a second syncs the journal, so that no evaluation waits for the disk, and tells which point is
/// being evaluated, so that a long point is not taken for a dead rank.
class Pulse {
 public:
  /// Called with the point and the seconds spent in it so far.
  using Beat = std::function<void(std::uint64_t point, double seconds)>;

  /// `beat` may be empty. All references must outlive the pulse.
  Pulse(results::JournalWriter& journal, const CurrentPoint& current, Beat beat);
  ~Pulse();
  Pulse(const Pulse&) = delete;
  Pulse& operator=(const Pulse&) = delete;

  /// Why the journal could not be synced; empty if it could.
  std::string error() const;

 private:
  void run();

  results::JournalWriter& journal_;
  const CurrentPoint& current_;
  Beat beat_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;
  std::string error_;
  std::thread thread_;
};

}  // namespace pimsweep::driver
