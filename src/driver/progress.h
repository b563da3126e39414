#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace pimsweep {

/// Tells how far a run is, on stderr: a bar on a terminal, lines every few seconds elsewhere, or nothing.
class Progress {
 public:
  /// `mode` is bar, plain or none. Throws InputError for anything else.
  Progress(const std::string& mode, std::uint64_t total);
  void show(std::uint64_t done, std::uint64_t failed);
  /// The last word, at the end of the run.
  void finish(std::uint64_t done, std::uint64_t failed);

 private:
  enum class Mode { bar, plain, none };
  using Clock = std::chrono::steady_clock;
  void print(std::uint64_t done, std::uint64_t failed) const;

  Mode mode_ = Mode::none;
  std::uint64_t total_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

}  // namespace pimsweep
