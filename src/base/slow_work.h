#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

namespace pimsweep {

/// Prints how far a loop has come, if it takes longer than some seconds.
///
///     SlowWork work("trying combinations", size);
///     for (std::uint64_t i = 0; i < size; ++i) { work.at(i); ... }
class SlowWork {
 public:
  SlowWork(std::string doing, std::uint64_t size) : doing_(std::move(doing)), size_(size) {}

  /// To be called with each step, in ascending order.
  void at(std::uint64_t step) {
    if (step >= next_look_) look(step);
  }

  /// For a process whose messages another one prints too.
  static void be_silent();

 private:
  using Clock = std::chrono::steady_clock;
  void look(std::uint64_t step);

  static constexpr auto patience = std::chrono::seconds(5);
  static constexpr std::uint64_t steps_of_a_look = std::uint64_t{1} << 20U;

  std::string doing_;
  std::uint64_t size_;
  std::uint64_t next_look_ = steps_of_a_look;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_note_ = start_ + patience;
};

}  // namespace pimsweep
