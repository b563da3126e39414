#include "driver/stop_signal.h"

#include <unistd.h>

#include <atomic>
#include <cstddef>

namespace pimsweep::driver {

namespace {

std::atomic<int> signal_received{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may only touch lock-free atomics");

void remember(int signal) {
  const int before = signal_received.exchange(signal, std::memory_order_relaxed);
  // A second interrupt exits immediately. The journals hold everything that was reported as done.
  constexpr int resumable = 75;
  if (before == SIGINT && signal == SIGINT) ::_exit(resumable);
}

}  // namespace

StopSignal::StopSignal() {
  signal_received = 0;
  struct sigaction action {};
  action.sa_handler = remember;
  // Restarts interrupted system calls, so that no write to a journal is cut short.
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &action, &previous_[i]);
  // Whoever reads the messages of a run may leave before its end.
  previous_pipe_ = std::signal(SIGPIPE, SIG_IGN);
}

StopSignal::~StopSignal() {
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &previous_[i], nullptr);
  std::signal(SIGPIPE, previous_pipe_);
}

void StopSignal::request() { remember(SIGTERM); }

int StopSignal::received() { return signal_received.load(std::memory_order_relaxed); }

}  // namespace pimsweep::driver
