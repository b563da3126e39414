#pragma once

#include <array>
#include <chrono>
#include <csignal>

namespace pimsweep::driver {

/// During its lifetime, INT, TERM, USR1 and USR2 set a flag instead of ending the process. The flag is checked between
/// points. A second INT ends the process at once with status 75, and so does the limit of what does not look at the
/// flag. PIPE is ignored. At most one object may exist at a time.
class StopSignal {
 public:
  /// Signals that end a run.
  static constexpr std::array signals{SIGINT, SIGTERM, SIGUSR1, SIGUSR2};

  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  /// The signal received, or 0.
  static int received();
  /// Sets the flag as TERM does.
  static void request();
  /// Limits what this process does from now on, such as reading a plan or writing results: it ends with status 75 so
  /// long after a signal, or from now if one has come already. Rounded up to whole seconds; 0: no limit.
  static void set_limit(std::chrono::duration<double> limit);

 private:
  std::array<struct sigaction, signals.size()> previous_{};
  struct sigaction previous_alarm_ {};
  void (*previous_pipe_)(int) = SIG_DFL;
};

}  // namespace pimsweep::driver
