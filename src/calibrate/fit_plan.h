#pragma once

#include <memory>
#include <vector>

#include "base/words.h"
#include "calibrate/fitter.h"
#include "sweep/plan.h"

namespace pimsweep::calibrate {

/// Kind of a fit: to all rows or those of a split, a refit without a block for the jackknife, an end of a profile.
enum class TaskKind : std::uint8_t { fit, jackknife, profile };
inline constexpr std::array task_words{Word{"fit", TaskKind::fit}, Word{"jackknife", TaskKind::jackknife},
                                       Word{"profile", TaskKind::profile}};

/// One point of a plan of fits.
struct Task {
  TaskKind kind = TaskKind::fit;
  /// The rows that are fitted.
  Training training;
  /// For a profile: the place among the chosen constants, and the end.
  std::size_t constant = 0;
  bool upwards = false;
};

/// All fits of a calibration, in the order of the points of fit_plan().
std::vector<Task> tasks_of(const Rows& rows);

/// The plan whose points are the fits of the one study of `plan` with [study.calibration]. The driver evaluates them
/// as it does any points: on all ranks, journaled, resumable. Throws InputError if nothing can be fitted.
sweep::Plan fit_plan(const sweep::Plan& plan);

/// The system that evaluates the points of a study of fit_plan(). Its metrics are `loss`, `evaluations` and the fitted
/// constants by name, NaN for those that the screening left out. Throws InputError as Fitter does.
std::unique_ptr<systems::System> make_fit_system(const sweep::Study& fits, const ConfigFolders& configs);

/// Index of a constant's value among the metrics of that system.
constexpr std::size_t metric_of(std::size_t constant) { return constant + 2; }

}  // namespace pimsweep::calibrate
