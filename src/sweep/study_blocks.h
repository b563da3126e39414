#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/placed_text.h"
#include "base/value.h"
#include "base/words.h"
#include "sweep/sample_sequence.h"
#include "workload/import/reading_options.h"

namespace pimsweep::sweep {

/// One value of an axis. Empty if no axis can have its type (already reported).
struct AxisEntry {
  std::optional<Value> value;
  SourcePosition where;
};

/// `key = value` or `key = [values]`, before the key is resolved.
struct AxisSetting {
  std::string name;
  SourcePosition where;
  std::vector<AxisEntry> entries;
  /// Reason why this cannot set any axis, reported if the axis exists; otherwise empty.
  std::string malformed;
};

/// `[[study.zip]]`: lists that advance together.
struct ZipBlock {
  SourcePosition where;
  std::vector<AxisSetting> settings;
};

/// `[study.table]`. `csv` is not given if it is missing or not text (already reported).
struct TableBlock {
  PlacedText csv;
  std::vector<PlacedText> labels;
  std::vector<PlacedText> reference;
  /// Columns that the study ignores.
  std::vector<PlacedText> ignore;
};

/// A column of a point table that is copied to the results unchanged: label_<name> or reference_<name>.
struct CarriedColumn {
  enum class Role : std::uint8_t { label, reference };
  std::string name;
  Role role = Role::label;
  ValueType type = ValueType::text;
};

/// One entry of `[study.sample.ranges]`: a list of values or a range. Missing and invalid members (already
/// reported) are empty.
struct RangeSetting {
  /// Name, position, and the entries of a list.
  AxisSetting axis;
  /// True for a range, `{ from = ..., to = ... }`.
  bool is_range = false;
  std::optional<AxisEntry> from;
  std::optional<AxisEntry> to;
  std::optional<AxisEntry> step;
  bool logarithmic = false;
};

/// `[study.sample]`. Missing and invalid keys have been reported.
struct SampleBlock {
  SourcePosition where;
  SampleMethod method = SampleMethod::sobol;
  std::uint64_t points = 0;
  std::int64_t seed = 0;
  std::vector<RangeSetting> ranges;
};

/// Sampling method of `[study.uncertainty]`.
enum class DrawMethod : std::uint8_t {
  sobol,
  lhs,
  random,
  saltelli,      ///< blocks for sensitivity indices (docs/explore.md)
  one_at_a_time  ///< each constant takes evenly spaced values of its range while all others keep their file values
};
inline constexpr std::array draw_method_words{
    Word{"sobol", DrawMethod::sobol}, Word{"lhs", DrawMethod::lhs}, Word{"random", DrawMethod::random},
    Word{"saltelli", DrawMethod::saltelli}, Word{"one-at-a-time", DrawMethod::one_at_a_time}};

/// Maximum number of sampled machines of a study.
inline constexpr std::uint64_t max_draws = 1U << 16U;

/// `[study.uncertainty]`, or the option --draws. Invalid keys have been reported.
struct UncertaintyBlock {
  SourcePosition where;
  DrawMethod method = DrawMethod::sobol;
  /// Number of sampled machines, or of values for each constant if they vary one at a time. 0 leaves it to --draws.
  std::uint64_t samples = 0;
  std::int64_t seed = 0;
  /// Only these constants; empty means all that have a range.
  std::vector<PlacedText> constants;
  /// The option --draw-constants: restricts sampling to these names; empty means all.
  std::vector<std::string> only;
  /// Axes and constants that are fixed in the study, each with alternative values.
  std::vector<AxisSetting> choices;
};

/// Algorithm of `[study.search]`.
enum class SearchAlgorithm : std::uint8_t { nsga2, gaco, random, sobol };
inline constexpr std::array search_algorithm_words{
    Word{"nsga2", SearchAlgorithm::nsga2}, Word{"gaco", SearchAlgorithm::gaco}, Word{"random", SearchAlgorithm::random},
    Word{"sobol", SearchAlgorithm::sobol}};

/// Maximum number of points that a search evaluates, as it keeps each of them in memory.
inline constexpr std::uint64_t max_search_points = 10'000'000;

/// `[study.search]`. Missing and invalid keys have been reported.
struct SearchBlock {
  SourcePosition where;
  SearchAlgorithm algorithm = SearchAlgorithm::nsga2;
  /// Metrics to minimize and to maximize.
  std::vector<PlacedText> min;
  std::vector<PlacedText> max;
  /// Conditions over metrics and axes.
  std::vector<PlacedText> constraints;
  /// Number of points per generation.
  std::optional<std::uint64_t> population;
  /// Budget: either generations or points.
  std::optional<std::uint64_t> generations;
  std::optional<std::uint64_t> points;
  std::int64_t seed = 0;
  std::vector<RangeSetting> ranges;
  /// Fixed axes with the values at which the Pareto front is evaluated again.
  std::vector<AxisSetting> recheck;
};

/// Measure of the deviation of a predicted value from its reference: the logarithm of their ratio, their
/// difference over the reference, or their difference.
enum class FitError : std::uint8_t { log, relative, absolute };
inline constexpr std::array fit_error_words{Word{"log", FitError::log}, Word{"relative", FitError::relative},
                                            Word{"absolute", FitError::absolute}};

/// Cost of a deviation e: its square, beyond a limit linear (Huber), or |e| / (1 + |e|), which is nearly constant for
/// rows that the model does not describe.
enum class FitLoss : std::uint8_t { huber, bounded };
inline constexpr std::array fit_loss_words{Word{"huber", FitLoss::huber}, Word{"bounded", FitLoss::bounded}};

/// A metric that a calibration compares with its reference column.
struct ObservationSetting {
  PlacedText metric;
  double weight = 1;
  /// Instead of a number: an expression over axes, the weight of a row.
  PlacedText row_weight;
  /// The smallest spread of its deviations that counts, in the measure of the calibration.
  double floor = 0;
};

/// Maximum number of constants that a calibration fits at a time.
inline constexpr std::uint64_t max_fitted = 32;
/// Maximum number of folds or splits, and of optimizations from different starts.
inline constexpr std::uint64_t max_splits = 1000;
inline constexpr std::uint64_t max_starts = 1000;

/// `[study.calibration]`. Missing and invalid keys have been reported.
struct CalibrationBlock {
  SourcePosition where;
  std::vector<ObservationSetting> observe;
  FitError error = FitError::log;
  FitLoss loss = FitLoss::huber;
  /// Patterns of names, in which * stands for any characters; empty means all constants that are assumed or calibrated.
  std::vector<PlacedText> constants;
  std::vector<RangeSetting> ranges;
  /// Labels or axes: rows that agree in all of them are never divided. Empty: each row is a group.
  std::vector<PlacedText> group;
  /// A label or an axis by which errors are listed.
  PlacedText kind;
  std::uint64_t folds = 5;
  /// Share of the groups that are held out at random in each of `splits`, instead of folds.
  std::optional<double> holdout;
  std::uint64_t splits = 1;
  std::uint64_t at_most = 4;
  std::uint64_t starts = 3;
  /// The range of each constant is found by refitting all others at fixed values of it, and by leaving out groups.
  bool profile = true;
  std::int64_t seed = 0;
};

/// `edp = "time * energy"` in [study.derived].
struct DerivedSetting {
  std::string name;
  SourcePosition where;
  PlacedText expression;
};

/// --shard: one of several parts of each study, which separate runs compute.
struct Shard {
  /// From 1.
  std::uint64_t number = 1;
  std::uint64_t count = 1;
};

/// `[[include]]`: studies of another experiment file of the same folder. Invalid keys have been reported.
struct IncludeBlock {
  SourcePosition where;
  /// Not given if it is missing or not a file name (already reported).
  PlacedText experiment;
  /// Only these; empty means all.
  std::vector<PlacedText> studies;
  /// Replaces the blocks of the studies, which keep their choices.
  std::optional<UncertaintyBlock> uncertainty;
};

/// `[[study]]` as written. `id` and `system` are not given if they are missing or not text (already reported).
struct StudyBlock {
  SourcePosition where;
  PlacedText id;
  /// Id in the experiment that defines an included study; empty for others.
  std::string origin;
  std::string doc;
  PlacedText system;
  /// One hardware file or several.
  std::optional<AxisSetting> hardware;
  /// Each of the following lists is in file order.
  std::vector<AxisSetting> fixed;
  std::vector<AxisSetting> axes;
  std::vector<ZipBlock> zips;
  std::optional<TableBlock> table;
  std::optional<SampleBlock> sample;
  std::optional<UncertaintyBlock> uncertainty;
  std::optional<SearchBlock> search;
  std::optional<CalibrationBlock> calibration;
  /// Options for reading network files.
  workload::import::ReadingOptions reading = {};
  /// Expressions of `where`, with the position of each character.
  std::vector<PlacedText> conditions;
  /// Metrics that the study computes from others.
  std::vector<DerivedSetting> derived = {};
};

}  // namespace pimsweep::sweep
