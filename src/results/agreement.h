#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/statistics.h"

namespace pimsweep::results {

/// Deviation of a metric at one fidelity from a finer one, over the points that both have.
struct MetricAgreement {
  std::string study;
  std::string metric;
  /// The finer fidelity, and the other one.
  std::string finer;
  std::string coarser;
  /// Points that have a result at both.
  std::size_t pairs = 0;
  /// Statistics of (coarser - finer) / |finer|, and the number of the coarser point of the worst one.
  DeviationSummary deviation;
  std::size_t worst_point = 0;
  /// NaN where nothing varies.
  double rank_correlation = 0;
};

/// Agreement of two fidelities on the best designs.
struct FrontAgreement {
  std::string study;
  std::string finer;
  std::string coarser;
  /// Metrics that are minimized.
  std::vector<std::string> objectives;
  /// Groups of designs that compete with each other; the counts below are sums over them.
  std::size_t groups = 0;
  /// Designs (points but for their fidelity) that both have, and those in the Pareto front of each and of both.
  std::size_t designs = 0;
  std::size_t finer_front = 0;
  std::size_t coarser_front = 0;
  std::size_t common = 0;
  /// By how much the first objective of the design that the coarser fidelity finds best exceeds, at the finer one, that
  /// of the best design there: the mean over the groups, and the largest.
  double regret = 0;
  double worst_regret = 0;
};

struct FidelityAgreement {
  std::vector<MetricAgreement> metrics;
  std::vector<FrontAgreement> fronts;
};

/// The designs that compete for the fronts, and their objectives.
struct FrontQuestion {
  /// Metrics to minimize; if empty, the first metric of the system and "energy" if it has that.
  std::vector<std::string> objectives;
  /// Designs with different values of these axes do not compete; if empty, "model" if the system has it.
  std::vector<std::string> group_by;
};

/// Compares the fidelities of every study that varies the axis "fidelity": "cycle" or "event", where there is one, is
/// the finest. Studies without the objectives have no front. Nothing is returned for files without such a study; a name
/// that none of these studies has is an InputError.
FidelityAgreement compare_fidelities(const std::string& results_file, const FrontQuestion& question);

}  // namespace pimsweep::results
