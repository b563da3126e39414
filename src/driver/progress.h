#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "driver/tally.h"
#include "sweep/plan.h"

namespace pimsweep::driver {

/// Shows the progress of a run on stderr: a bar for each study on a terminal, which may be that of mpirun; elsewhere a
/// line after half a second, then at intervals that grow to a minute; or nothing.
class Progress {
 public:
  /// `mode` is bar, plain or none; bar falls back to plain without a terminal. `ranks` is the number of evaluating
  /// ranks. Throws InputError for any other mode.
  Progress(const std::string& mode, const sweep::Plan& plan, int ranks);

  /// Must be called often; prints when an update is due.
  void show(const Tally& tally, int ranks_at_work);
  /// Prints the final state at the end of the run.
  void finish(const Tally& tally);

 private:
  enum class Mode { bar, plain, none };
  using Clock = std::chrono::steady_clock;
  std::string total_text(const Tally& tally, int ranks_at_work) const;
  /// One line of the drawing.
  std::string line_of(std::string text) const;
  void draw_bars(const Tally& tally, int ranks_at_work);

  Mode mode_ = Mode::none;
  std::vector<std::string> names_;
  int ranks_;
  Clock::time_point start_ = Clock::now();
  /// When it is time to print.
  Clock::time_point next_ = start_ + std::chrono::milliseconds(500);
  /// Width of the terminal; 0 if unknown or not a terminal.
  std::size_t columns_ = 0;
  /// Number of lines drawn last, which the next update overwrites.
  std::size_t drawn_ = 0;
};

/// Formats a duration as in 59 s, 12 min, 3.2 h, 4.1 d.
std::string duration_text(double seconds);

}  // namespace pimsweep::driver
