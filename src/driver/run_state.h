#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/plan_view.h"

namespace pimsweep::driver {

/// Progress of a run according to its journals, during the run and after it was stopped or killed.
struct RunState {
  struct StudyState {
    std::string id;
    /// Points without a record are not_run.
    StatusCounts counts;

    std::uint64_t points() const { return counts.total(); }
    /// Points with a result that a resumed run keeps.
    std::uint64_t done() const;
  };
  std::string experiment;
  std::vector<StudyState> studies;
  /// Points that the newest launch has evaluated, on so many ranks, and the seconds from its start to its last writing.
  std::uint64_t evaluated = 0;
  std::uint64_t ranks = 0;
  double seconds = 0;

  /// Points of all studies.
  StatusCounts counts() const;
  std::uint64_t done() const;
  /// Points per second of the newest launch; 0 if not known yet.
  double rate() const;
};

/// Reads the journals of a folder that belong to its newest launch and to earlier ones of the same plan. Throws
/// InputError if there is none, or none that tells its plan.
RunState read_run_state(const std::string& journals);

}  // namespace pimsweep::driver
