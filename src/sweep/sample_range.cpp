#include "sweep/sample_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/bytes.h"
#include "base/downward.h"
#include "base/quantity.h"
#include "sweep/axis_value.h"

namespace pimsweep::sweep {

namespace {

/// A step that misses the end of a range only by rounding is considered to reach it.
constexpr double rounding = 1e-9;
constexpr double max_real_steps = 0x1p53;

constexpr std::size_t log_bits = 53;

/// `squares` holds the base to the 2^j.
LogScale make_scale(double start, double from, double to, const std::array<double, log_bits>& squares) {
  LogScale scale{start, from, to, {}, 0, false};
  for (std::size_t j = 0; j < scale.power.size(); ++j) {
    scale.power[j][0] = 1;
    for (std::size_t digit = 1; digit < 16; ++digit) {
      const std::size_t bit = 4 * j + static_cast<std::size_t>(std::countr_zero(digit));
      if (bit < log_bits) scale.power[j][digit] = scale.power[j][digit & (digit - 1)] * squares[bit];
    }
  }
  return scale;
}

double power_of(const LogScale& scale, std::uint64_t exponent) {
  double power = 1;
  for (std::size_t j = 0; j < scale.power.size(); ++j) power *= scale.power[j][exponent >> 4 * j & 15U];
  return power;
}

/// Exponents are 53-bit fractions of the whole range. Square roots are exact to the last bit by the IEEE standard.
LogScale continuous_log(double start, double end, double from, double to, bool whole) {
  std::array<double, log_bits> squares{};
  double root = end / start;
  for (const std::size_t j : downward(log_bits)) squares[j] = root = std::sqrt(root);
  LogScale scale = make_scale(start, from, to, squares);
  scale.count = std::uint64_t{1} << log_bits;
  scale.whole = whole;
  return scale;
}

LogScale stepped_log(double from, double to, double factor) {
  const double steps = std::log(to / from) / std::log(factor);
  std::array<double, log_bits> squares{};
  for (double& square : squares) {
    square = factor;
    factor *= factor;
  }
  LogScale scale = make_scale(from, from, to, squares);
  scale.count = static_cast<std::uint64_t>(steps * (1 + rounding) + rounding) + 1;
  return scale;
}

/// Probability of a standard normal value between 0 and z, 0 <= z <= 4. The series has no exponential, so that it gives
/// the same bits on every machine.
double normal_area(double z) {
  constexpr double density = 0.39894228040143268;
  double term = z;
  double sum = z;
  for (int k = 1; k < 80; ++k) {
    term *= -z * z / (2 * k);
    sum += term / (2 * k + 1);
  }
  return density * sum;
}

/// The standard normal value above which a share `tail` of all values lies, 1e-4 < tail <= 1/2.
double normal_above(double tail) {
  double low = 0;
  double high = 4;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (normal_area(middle) < 0.5 - tail ? low : high) = middle;
  }
  return low;
}

/// Maps a uniform position in [0, 1) to the position on the scale of a log-normal distribution, whose middle third lies
/// between its 5 % and 95 % quantiles.
double log_normal_place(double place) {
  constexpr double cut = 0.001;
  static const double quantile = normal_above(0.05);
  const double share = cut + place * (1 - 2 * cut);
  const double z = share < 0.5 ? -normal_above(share) : normal_above(1 - share);
  return 0.5 + z / (6 * quantile);
}

class RangeMaker {
 public:
  RangeMaker(const systems::Axis& axis, const RangeSetting& setting, ProblemList& problems)
      : axis_(axis), setting_(setting), problems_(problems) {}

  std::optional<SampleRange> make() {
    if (axis_.type == ValueType::text || axis_.type == ValueType::boolean) {
      problems_.add(setting_.axis.where,
                    fmt::format("axis '{}' is {}: use a list of values instead of a range", axis_.name,
                                axis_.type == ValueType::text ? "text" : "true or false"));
      return std::nullopt;
    }
    const std::optional<Value> from = convert(setting_.from, axis_);
    const std::optional<Value> to = convert(setting_.to, axis_);
    const std::optional<Value> step = convert(setting_.step, step_axis());
    if (!from || !to || (setting_.step && !step)) return std::nullopt;
    if (*from > *to) return refuse(setting_.from, "'from' {} exceeds 'to' {}", shown(*from), shown(*to));
    if (setting_.logarithmic) return make_log(*from, *to, step);
    if (axis_.type == ValueType::integer) {
      return make_integers(std::get<std::int64_t>(*from), std::get<std::int64_t>(*to), step);
    }
    return make_reals(to_real(*from), to_real(*to), step);
  }

 private:
  /// Axis for reading a step: a plain factor on a log scale, otherwise a difference, to which the axis's limits do not
  /// apply.
  systems::Axis step_axis() const {
    systems::Axis step = axis_;
    step.min.reset();
    step.max.reset();
    if (setting_.logarithmic) step.unit = systems::Axis{}.unit;
    return step;
  }

  std::optional<Value> convert(const std::optional<AxisEntry>& entry, const systems::Axis& axis) {
    if (!entry || !entry->value) return std::nullopt;
    try {
      return convert_value(axis, *entry->value);
    } catch (const InputError& error) {
      problems_.add(entry->where, error.what());
      return std::nullopt;
    }
  }

  std::string shown(const Value& value) const { return format_quantity(to_real(value), axis_.unit); }

  template <typename... Arguments>
  std::nullopt_t refuse(const std::optional<AxisEntry>& entry, fmt::format_string<Arguments...> format,
                        Arguments&&... arguments) {
    problems_.add(entry ? entry->where : setting_.axis.where,
                  fmt::format("axis '{}': {}", axis_.name, fmt::format(format, std::forward<Arguments>(arguments)...)));
    return std::nullopt;
  }

  std::optional<SampleRange> make_integers(std::int64_t from, std::int64_t to, const std::optional<Value>& given) {
    const std::int64_t step = given ? std::get<std::int64_t>(*given) : 1;
    if (step <= 0) return refuse(setting_.step, "step {} is not above zero", shown(*given));
    const std::uint64_t width = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
    const auto size = static_cast<std::uint64_t>(step);
    if (given && size > width) return refuse_step(*given, from, to);
    if (width / size == ~std::uint64_t{0}) return refuse(setting_.to, "the range has more than 2^64 - 1 values");
    return IntegerGrid{from, size, width / size + 1};
  }

  std::optional<SampleRange> make_reals(double from, double to, const std::optional<Value>& given) {
    if (!std::isfinite(to - from)) return refuse(setting_.to, "the range is too wide");
    if (!given) return RealInterval{from, to};
    const double step = to_real(*given);
    if (step <= 0) return refuse(setting_.step, "step {} is not above zero", shown(*given));
    if (step > to - from) return refuse_step(*given, from, to);
    const double steps = (to - from) / step * (1 + rounding);
    if (steps >= max_real_steps) return refuse(setting_.step, "the range has more than 2^53 steps");
    return RealGrid{from, to, step, static_cast<std::uint64_t>(steps) + 1};
  }

  std::optional<SampleRange> make_log(const Value& from_value, const Value& to_value,
                                      const std::optional<Value>& given) {
    const double from = to_real(from_value);
    const double to = to_real(to_value);
    if (from <= 0) return refuse(setting_.from, "expected a log scale's 'from' above zero, got {}", shown(from_value));
    const bool whole = axis_.type == ValueType::integer;
    const double start = whole ? from - 0.5 : from;
    const double end = whole ? to + 0.5 : to;
    const bool too_wide = !std::isfinite(end / start) || (whole && !given && to > max_real_steps);
    if (too_wide) return refuse(setting_.to, "the range is too wide");
    if (!given) return continuous_log(start, end, from, to, whole);
    const double factor = to_real(*given);
    if (factor <= 1) {
      return refuse(setting_.step, "expected a log scale's step above 1, got {}", to_text(*given));
    }
    if (factor > to / from) {
      return refuse(setting_.step, "the factor {} is larger than the range from {} to {}", to_text(*given),
                    shown(from_value), shown(to_value));
    }
    if (whole) {
      return powers(std::get<std::int64_t>(from_value), std::get<std::int64_t>(to_value),
                    std::get<std::int64_t>(*given));
    }
    const double steps = std::log(to / from) / std::log(factor);
    if (steps >= max_real_steps) return refuse(setting_.step, "the range has more than 2^53 steps");
    return stepped_log(from, to, factor);
  }

  /// At most 63 of them.
  static std::vector<Value> powers(std::int64_t from, std::int64_t to, std::int64_t factor) {
    std::vector<Value> values{from};
    for (std::int64_t value = from; value <= to / factor;) values.emplace_back(value *= factor);
    return values;
  }

  std::nullopt_t refuse_step(const Value& step, const Value& from, const Value& to) {
    return refuse(setting_.step, "step {} is larger than the range from {} to {}", shown(step), shown(from), shown(to));
  }

  const systems::Axis& axis_;
  const RangeSetting& setting_;
  ProblemList& problems_;
};

/// Converts a fraction of 2^64 to a real in [0, 1).
double unit_real(std::uint64_t fraction) { return static_cast<double>(fraction >> 11U) * 0x1p-53; }

struct Putter {
  std::uint64_t fraction;
  std::size_t axis;
  systems::Point& point;

  void operator()(const IntegerGrid& grid) const {
    const std::uint64_t k = scaled(fraction, grid.count);
    point.set_computed(axis, static_cast<std::int64_t>(static_cast<std::uint64_t>(grid.from) + k * grid.step));
  }
  void operator()(const RealGrid& grid) const {
    const auto k = static_cast<double>(scaled(fraction, grid.count));
    point.set_computed(axis, std::min(grid.from + k * grid.step, grid.to));
  }
  void operator()(const RealInterval& range) const {
    point.set_computed(axis, std::min(range.from + unit_real(fraction) * (range.to - range.from), range.to));
  }
  void operator()(const LogScale& scale) const {
    double value = scale.start * power_of(scale, scaled(fraction, scale.count));
    if (scale.whole) value = std::floor(value + 0.5);
    value = std::clamp(value, scale.from, scale.to);
    if (scale.whole) {
      point.set_computed(axis, static_cast<std::int64_t>(value));
    } else {
      point.set_computed(axis, value);
    }
  }
  void operator()(const LogNormal& range) const {
    const LogScale& scale = range.scale;
    const double exponent = log_normal_place(unit_real(fraction)) * static_cast<double>(scale.count);
    point.set_computed(axis, scale.start * power_of(scale, static_cast<std::uint64_t>(exponent)));
  }
  void operator()(const std::vector<Value>& values) const { point.set(axis, &values[scaled(fraction, values.size())]); }
};

struct ValueCounter {
  std::optional<std::uint64_t> operator()(const IntegerGrid& grid) const { return grid.count; }
  std::optional<std::uint64_t> operator()(const RealGrid& grid) const { return grid.count; }
  std::optional<std::uint64_t> operator()(const RealInterval&) const { return std::nullopt; }
  std::optional<std::uint64_t> operator()(const LogScale& scale) const {
    return scale.count < std::uint64_t{1} << log_bits ? std::optional(scale.count) : std::nullopt;
  }
  std::optional<std::uint64_t> operator()(const LogNormal&) const { return std::nullopt; }
  std::optional<std::uint64_t> operator()(const std::vector<Value>& values) const { return values.size(); }
};

struct IsSingle {
  bool operator()(const IntegerGrid& grid) const { return grid.count == 1; }
  bool operator()(const RealGrid& grid) const { return grid.count == 1; }
  bool operator()(const RealInterval& range) const { return range.from == range.to; }
  bool operator()(const LogScale& scale) const { return scale.from == scale.to; }
  bool operator()(const LogNormal&) const { return false; }
  bool operator()(const std::vector<Value>& values) const { return values.size() == 1; }
};

}  // namespace

LogNormal log_normal(double low, double high) {
  const double from = low / (high / low);
  const double to = high * (high / low);
  return {continuous_log(from, to, from, to, false)};
}

std::optional<std::uint64_t> value_count(const SampleRange& range) { return std::visit(ValueCounter{}, range); }

Value value_at(const SampleRange& range, std::uint64_t n, std::uint64_t count) {
  systems::Point point(1);
  // The middle of the fractions that map to the value, so that rounding does not matter.
  const std::uint64_t width = ~std::uint64_t{0} / count;
  put_fraction(range, n * width + width / 2, 0, point);
  return point[0];
}

bool is_single(const SampleRange& range) { return std::visit(IsSingle{}, range); }

std::optional<SampleRange> make_range(const systems::Axis& axis, const RangeSetting& setting, ProblemList& problems) {
  return RangeMaker(axis, setting, problems).make();
}

void put_fraction(const SampleRange& range, std::uint64_t fraction, std::size_t axis, systems::Point& point) {
  std::visit(Putter{fraction, axis, point}, range);
}

void SampledColumn::put(std::uint64_t n, systems::Point& point) const {
  put_fraction(range, fraction_at(sequence, n), axis, point);
}

}  // namespace pimsweep::sweep
