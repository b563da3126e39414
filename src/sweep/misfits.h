#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "sweep/plan.h"

namespace pimsweep::sweep {

/// A reason why some points of a study cannot be evaluated, whatever their hardware (System::misfit).
struct Misfit {
  /// Where the experiment names the model.
  SourcePosition where;
  std::string reason;
  /// Values of the study for which the reason holds: "policy branch, patch; image_px 30". Empty if it holds for all.
  std::string values;
  /// What could run the model instead: "execution operators, gpu; system gpu, hypar". Empty if nothing was found.
  std::string alternatives;

  std::string text() const;
};

/// Reasons of one study that are told.
constexpr std::size_t max_misfits = 20;

/// How the models of a study fit its system.
struct StudyFit {
  std::string study;
  /// Those axes whose values decide it and vary: "model, policy".
  std::string axes;
  /// Combinations of values of these axes that were tried, and how many of them cannot be evaluated.
  std::uint64_t combinations = 0;
  std::uint64_t unfit = 0;
  /// Whether all combinations of the study were tried.
  bool complete = true;
  /// The first reasons in the order of the study, at most max_misfits, and the number of all others.
  std::vector<Misfit> misfits;
  std::size_t further_reasons = 0;

  /// Whether there may be a point that can be evaluated.
  bool can_run() const { return unfit < combinations || !complete; }
};

/// Combinations of a study that find_misfits() tries unless told otherwise.
constexpr std::uint64_t max_fit_combinations = 10000;

/// Asks the systems of a plan whether the models fit, once for each combination of the axes that decide it, for at most
/// `limit` combinations of a study. Leaves out studies whose systems take no models.
std::vector<StudyFit> find_misfits(const Plan& plan, std::uint64_t limit = max_fit_combinations);

/// Misfits with their places in the experiment: errors in studies without any point that can be evaluated, else
/// warnings.
struct FitProblems {
  std::vector<Problem> errors;
  std::vector<Problem> warnings;
};

FitProblems problems_of(const std::vector<StudyFit>& fits);

}  // namespace pimsweep::sweep
