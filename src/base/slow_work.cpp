#include "base/slow_work.h"

#include <atomic>

#include "base/message.h"

namespace pimsweep {

namespace {

std::atomic<bool> is_silent{false};

}  // namespace

void SlowWork::be_silent() { is_silent = true; }

void SlowWork::look(std::uint64_t step) {
  constexpr auto period = std::chrono::seconds(10);
  next_look_ = step + steps_of_a_look;
  const auto now = Clock::now();
  if (now < next_note_ || is_silent) return;
  next_note_ = now + period;
  const double share = static_cast<double>(step) / static_cast<double>(size_);
  const double seconds = std::chrono::duration<double>(now - start_).count();
  print_note("{}: {:.0f} % of {} in {:.0f} s, about {:.0f} s left", doing_, 100 * share, size_, seconds,
             seconds / share * (1 - share));
}

}  // namespace pimsweep
