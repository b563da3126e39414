#include "driver/stop_signal.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "driver/run_options.h"

namespace pimsweep::driver {

namespace {

std::atomic<int> signal_received{0};
/// In seconds; 0: none.
std::atomic<unsigned> limit_after_signal{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

void remember(int signal) {
  const int before = signal_received.exchange(signal, std::memory_order_relaxed);
  // A second interrupt exits immediately. The journals hold everything that was reported as done.
  if (before == SIGINT && signal == SIGINT) ::_exit(exit_resumable);
  if (before == 0) ::alarm(limit_after_signal.load(std::memory_order_relaxed));
}

void end_at_limit(int /*signal*/) {
  constexpr std::string_view message =
      "pimsweep: warning: stopped by a signal before all results were written: --resume continues from the journals\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, message.data(), message.size());
  ::_exit(exit_resumable);
}

}  // namespace

StopSignal::StopSignal() {
  signal_received = 0;
  limit_after_signal = 0;
  struct sigaction action {};
  action.sa_handler = remember;
  // Restarts interrupted system calls, so that no write to a journal is cut short.
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &action, &previous_[i]);
  action.sa_handler = end_at_limit;
  sigaction(SIGALRM, &action, &previous_alarm_);
  // Whoever reads the messages of a run may leave before its end.
  previous_pipe_ = std::signal(SIGPIPE, SIG_IGN);
}

StopSignal::~StopSignal() {
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &previous_[i], nullptr);
  ::alarm(0);
  sigaction(SIGALRM, &previous_alarm_, nullptr);
  std::signal(SIGPIPE, previous_pipe_);
}

void StopSignal::request() { remember(SIGTERM); }

void StopSignal::set_limit(std::chrono::duration<double> limit) {
  constexpr double max_limit = 1e9;
  limit_after_signal = static_cast<unsigned>(std::ceil(std::min(limit.count(), max_limit)));
  ::alarm(received() == 0 ? 0 : limit_after_signal.load());
}

int StopSignal::received() { return signal_received.load(std::memory_order_relaxed); }

}  // namespace pimsweep::driver
