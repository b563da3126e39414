#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/judge.h"
#include "results/published.h"

namespace pimsweep::results {

/// Where one constant alone, all others as in the hardware file, brings out the published value.
struct Crossing {
  std::string axis;
  /// Between two values that were tried, by linear interpolation; a text as it is.
  std::string value;
  friend bool operator==(const Crossing&, const Crossing&) = default;
};

/// A published value on the machines of `[study.uncertainty]`.
struct Band {
  /// On the machine of the hardware file.
  Finding usual;
  /// Machines on which the value could be recomputed: those that were drawn together, if there are any.
  std::size_t draws = 0;
  /// Of their numbers, in the published unit; empty for texts and ranges.
  struct Spread {
    double least = 0;  ///< also of machines on which one constant differs
    double low = 0;    ///< 5 % quantile
    double median = 0;
    double high = 0;  ///< 95 % quantile
    double most = 0;  ///< likewise
  };
  std::optional<Spread> spread;
  /// Share of the machines on which the value is exact or within 10 %, or the claim holds.
  double near = 0;
  /// Whether the published number, or one that is rounded to it, lies between `low` and `high`; for bounds, ranges,
  /// texts and claims, whether they hold on 5 % of the machines.
  bool covered = false;
  /// Whether it lies between `least` and `most`, holds on any machine, or has a crossing.
  bool reached = false;
  /// The value on one drawn machine.
  struct OnMachine {
    std::string results_file;
    /// The id of the study in that file.
    std::string study;
    std::size_t draw = 0;
    std::optional<double> number;
    bool near = false;
  };
  /// On all machines of all files, however they were drawn.
  std::vector<OnMachine> on_machines;
  /// From machines on which one constant differs from the file (method one-at-a-time), where the value is off.
  std::vector<Crossing> crossings;
};

/// One band for each published value that is recomputed from a study with drawn machines. Several files may have the
/// same study: machines drawn together in one, one constant at a time in another.
std::vector<Band> make_bands(const std::vector<std::string>& results_files, const std::vector<PublishedSet>& published);

/// The bands as CSV:
/// id,paper,where,sign,published,published_hi,unit,role,reproduced,verdict,draws,least,low,median,high,
/// most,near,covered,reached,alone (docs/uncertainty.md).
std::string bands_csv(const std::vector<Band>& bands);

/// The values on each machine as CSV, numbers in the published unit:
/// id,paper,where,published,unit,role,results,study,draw,number,near.
std::string machines_csv(const std::vector<Band>& bands);

/// How many values the bands of a paper cover.
struct BandTally {
  std::string paper;
  int values = 0;
  int covered = 0;
  int reached = 0;
  /// Median of (high - low) / |published| of the numbers.
  double width = 0;
};
/// One for each paper, in the order of the bands; values that agree by definition, were calibrated or contradict
/// themselves are not counted.
std::vector<BandTally> tally_bands(const std::vector<Band>& bands);

}  // namespace pimsweep::results
