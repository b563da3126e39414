#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "sweep/sample_sequence.h"
#include "sweep/study_blocks.h"
#include "systems/system.h"

namespace pimsweep::sweep {

/// from + k step for k below `count`, each equally likely.
struct IntegerGrid {
  std::int64_t from;
  std::uint64_t step;
  std::uint64_t count;
};

/// Reals from + k step for k below `count`, none above `to`.
struct RealGrid {
  double from;
  double to;
  double step;
  std::uint64_t count;
};

/// All reals between two bounds, uniformly distributed.
struct RealInterval {
  double from;
  double to;
};

/// Products of powers of one base: an exponent becomes a value by multiplication alone, which, unlike exp() and log(),
/// gives the same bits on every machine.
struct LogScale {
  double start;
  /// Bounds to which values are clamped, because rounding may exceed them.
  double from;
  double to;
  /// power[j][d] is the base to the d 16^j.
  std::array<std::array<double, 16>, 14> power;
  /// The exponent is below this.
  std::uint64_t count;
  /// Rounded to the nearest integer.
  bool whole;
};

/// A log-normal distribution, truncated by a thousandth at either end.
struct LogNormal {
  /// Extends the interval between the 5 % and 95 % quantiles by their ratio at either end.
  LogScale scale;
};

/// Distribution of a sampled axis.
using SampleRange = std::variant<IntegerGrid, RealGrid, RealInterval, LogScale, std::vector<Value>, LogNormal>;

/// The log-normal distribution with these quantiles, 0 < `low` < `high`: 5 % of the values are below `low`, 5 % above
/// `high`.
LogNormal log_normal(double low, double high);

/// Checks a range (not a list) of [study.sample.ranges] for an axis; adds errors to `problems`.
std::optional<SampleRange> make_range(const systems::Axis& axis, const RangeSetting& setting, ProblemList& problems);

/// Number of values of a range; empty if it is continuous.
std::optional<std::uint64_t> value_count(const SampleRange& range);

/// Value number `n` of a range that has `count` values.
Value value_at(const SampleRange& range, std::uint64_t n, std::uint64_t count);

/// True if there is only one value.
bool is_single(const SampleRange& range);

/// Sets an axis of `point` to the value at `fraction` / 2^64 of a range. Does not allocate.
void put_fraction(const SampleRange& range, std::uint64_t fraction, std::size_t axis, systems::Point& point);

/// One axis of a sample.
struct SampledColumn {
  std::size_t axis;
  SampleSequence sequence;
  SampleRange range;
  /// Sets the axis of `point` to its value in point `n` of the sample. Does not allocate.
  void put(std::uint64_t n, systems::Point& point) const;
};

}  // namespace pimsweep::sweep
