#pragma once

namespace pimsweep {

/// Number of threads that the evaluation of the current point may use: 1 unless the driver allows more around a point.
/// Results never depend on it. Each thread that evaluates points has its own.
class PointThreads {
 public:
  static unsigned allowed() { return current(); }

  /// Allows this number, at least 1, during the lifetime of the object.
  explicit PointThreads(unsigned threads) : before_(current()) { current() = threads < 1 ? 1 : threads; }
  ~PointThreads() { current() = before_; }
  PointThreads(const PointThreads&) = delete;
  PointThreads& operator=(const PointThreads&) = delete;

 private:
  static unsigned& current() {
    thread_local unsigned threads = 1;
    return threads;
  }

  unsigned before_;
};

}  // namespace pimsweep
