#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "sweep/plan.h"

namespace pimsweep::sweep {

/// A reason why some points of a study cannot be evaluated (System::misfit).
struct Misfit {
  /// Position at which the experiment names the model, or that of the study.
  SourcePosition where;
  std::string reason;
  /// Values of the study for which the reason holds: "policy branch, patch; image_px 30". Empty if it holds for all
  /// values.
  std::string values;
  /// Settings that can run the model: "execution operators, gpu; system gpu, hypar". Empty if none was found.
  std::string alternatives;

  std::string text() const;
};

/// Maximum number of reported reasons per study.
constexpr std::size_t max_misfits = 20;

/// Result of the check whether the models of a study fit its system.
struct StudyFit {
  std::string study;
  /// The varying axes that decide it: "model, policy".
  std::string axes;
  /// Number of combinations of values of these axes that were tried, and of those that cannot be evaluated.
  std::uint64_t combinations = 0;
  std::uint64_t unfit = 0;
  /// True if all combinations of the study were tried.
  bool complete = true;
  /// The first reasons in the order of the study, at most max_misfits, and the number of further ones.
  std::vector<Misfit> misfits;
  std::size_t further_reasons = 0;

  /// True unless no point can be evaluated.
  bool can_run() const { return unfit < combinations || !complete; }
};

/// Default limit of combinations that find_misfits() tries for each study.
constexpr std::uint64_t max_fit_combinations = 10000;

/// Asks the systems of a plan whether the models fit, once for each combination of the axes that decide it, at most
/// `limit` combinations per study. Skips studies whose systems fail for no values alone.
std::vector<StudyFit> find_misfits(const Plan& plan, std::uint64_t limit = max_fit_combinations);

/// Misfits with their positions in the experiment: errors if no point of the study can be evaluated, otherwise
/// warnings.
struct FitProblems {
  std::vector<Problem> errors;
  std::vector<Problem> warnings;
};

FitProblems problems_of(const std::vector<StudyFit>& fits);

}  // namespace pimsweep::sweep
