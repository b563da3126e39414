#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "calibrate/machine.h"
#include "calibrate/rows.h"

namespace pimsweep::calibrate {

/// The rows to which constants are fitted: all, or all but those of a split or a block.
struct Training {
  enum class Part : std::uint8_t { all, split, block };
  Part part = Part::all;
  /// Number of the split or block.
  std::size_t index = 0;
  /// A part of these rows only, where there are many.
  bool is_sample = false;
  auto operator<=>(const Training&) const = default;
};

/// Decisions before a fit, which depend on the training rows alone.
struct Screening {
  /// Root mean square over the training rows of what a constant changes, in the measure of the error.
  std::vector<double> influence;
  /// The constants that are fitted, the most influential first.
  std::vector<std::size_t> chosen;
  /// For each observation, the spread beyond which a deviation counts linearly.
  std::vector<double> spread;
};

/// A fitted machine.
struct Fit {
  Machine machine;
  double loss = 0;
  /// Number of machines that were evaluated for it.
  std::uint64_t evaluations = 0;
};

/// Local optimization without derivatives: a simplex for rough losses, or a quadratic model, which takes fewer
/// machines.
enum class Algorithm : std::uint8_t { sbplx, bobyqa };

/// Fits constants to rows. Every result depends on the rows and the arguments alone, not on earlier calls.
///
/// The loss is the weighted sum over training rows and observations of the Huber loss of the deviation over its spread
/// (Huber, Robust Estimation of a Location Parameter, Ann. Math. Statist. 35, 1964), with the customary constant 1.345,
/// or of |deviation| / (1 + |deviation|).
class Fitter {
 public:
  /// `rows` must outlive the fitter. Throws InputError if no row can be evaluated or no constant moves any of them.
  Fitter(const Rows& rows, const ConfigFolders& configs);

  /// Number of rows without a value on the machine of the file, which are left out, and the reason of the last one.
  std::size_t excluded() const { return excluded_; }
  const std::string& reason() const { return reason_; }
  /// Number of groups of the rows that are fitted.
  std::size_t groups(const Training& training);
  /// True for a row that was measured and has a value on the machine of the file.
  bool is_used(std::size_t row) const { return !unusable_[row]; }
  const Screening& screening(const Training& training);
  /// The constants that are fitted to all rows, the most influential first.
  const std::vector<std::size_t>& chosen() { return screening({}).chosen; }
  /// False for a constant that changes no row by more than a hundred-thousandth of its spread.
  bool moves_rows(std::size_t constant);
  /// The best of local optimizations with both algorithms from the machine of the file and random ones. Where there are
  /// many rows, a sample of them decides which is the best.
  Fit fit(const Training& training);
  /// The best fit to all rows.
  const Fit& best();
  /// The best fit on all rows, refitted without a block.
  Fit refit(std::size_t block);
  /// The machine at which a constant leaves its range of confidence of 95 % while all others are refitted, or the end
  /// of the constant's range, whose loss is below the limit.
  Fit profile(std::size_t constant, bool upwards);
  /// Limit of the loss for a range of confidence: S_min (1 + F(0.95; 1, G - p) / (G - p)).
  double limit();

  double loss(const Training& training, const std::vector<double>& deviations);
  Predictor& predictor() { return predictor_; }

 private:
  struct Probe {
    Machine machine;
    std::vector<double> deviations;
  };
  /// Machines that differ from a base in one constant at a time.
  struct Base {
    Probe base;
    /// For each constant, the probes at its levels.
    std::vector<std::vector<Probe>> levels;
  };
  using Mask = std::vector<bool>;

  /// Throws InputError if the file's predictions are so far from the references that a unit must be wrong.
  void check_units(const std::vector<double>& deviations) const;
  /// Throws InputError if rows without a value leave too few groups.
  void check_splits();
  Probe probe(Machine machine);
  const std::vector<Base>& probes();
  const Mask& mask(const Training& training);
  /// The screening of all rows decides where a block is left out.
  static Training screened(const Training& training);
  std::vector<double> spreads(const Mask& mask);
  double influence(std::size_t constant, const Mask& mask);
  Machine start_of(const Training& training, std::uint64_t start);
  Fit evaluated(const Training& training, Machine machine);
  /// Minimizes the loss over some constants from a machine.
  Fit optimize(const Training& training, const std::vector<std::size_t>& free, const Fit& from, Algorithm algorithm,
               double step, int evaluations);
  /// Minimizes the loss near a machine that is nearly optimal.
  Fit refine(const Training& training, const std::vector<std::size_t>& free, const Fit& from);

  const Rows& rows_;
  Predictor predictor_;
  std::vector<Base> probes_;
  std::size_t excluded_ = 0;
  std::string reason_;
  /// Rows without a value on the machine of the file.
  Mask unusable_;
  std::map<Training, Mask> masks_;
  std::map<Training, Screening> screenings_;
  std::optional<Fit> best_;
};

}  // namespace pimsweep::calibrate
