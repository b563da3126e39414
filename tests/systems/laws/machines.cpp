#include "systems/laws/machines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace pimsweep::laws {

namespace {

/// Rounding of sums of many terms.
constexpr double tolerance = 1e-9;
constexpr double max_improvement = 4;

double real(std::int64_t value) { return static_cast<double>(value); }

Value whole(double value) { return static_cast<std::int64_t>(std::llround(value)); }

Value within(const systems::Axis& axis, double value) {
  const double inside = std::clamp(value, axis.min.value_or(value), axis.max.value_or(value));
  return axis.type == ValueType::integer ? whole(inside) : Value{inside};
}

std::string text_of(const Machines::Overrides& machine) {
  std::string text;
  for (const auto& [axis, value] : machine) text += fmt::format(" {}={}", axis, to_text(value));
  return text;
}

}  // namespace

Machines::Machines(const Subject& subject, std::uint64_t seed)
    : subject_(subject), points_(systems::make_system(subject.system, "configs"), subject.hardware), random_(seed) {}

Machines::Overrides Machines::draw() {
  Overrides machine;
  for (const Drawn& drawn : subject_.workload) {
    machine[drawn.axis] = drawn.values.empty()
                              ? within(axis(drawn.axis), std::floor(log_uniform(real(drawn.low), real(drawn.high + 1))))
                              : drawn.values[below(drawn.values.size())];
  }
  if (starts_.empty()) starts_ = points_.values(machine);
  for (const Resource& resource : subject_.resources) {
    if (resource.doubles) {
      machine[resource.axis] = Value{std::int64_t{1} << below(6)};
    } else if (!machine.contains(resource.axis)) {
      const auto index = static_cast<std::size_t>(points_.schema().axis_index(resource.axis));
      const double start = to_real(starts_.at(index));
      machine[resource.axis] = within(axis(resource.axis), start * log_uniform(1 / subject_.spread, subject_.spread));
    }
  }
  return machine;
}

std::optional<Machines::Overrides> Machines::improved(const Overrides& machine, const Resource& resource) {
  const Value& before = machine.at(resource.axis);
  const double value = to_real(before);
  const double factor = resource.doubles ? real(std::int64_t{2} << below(2)) : log_uniform(1.01, max_improvement);
  const bool is_count = axis(resource.axis).type == ValueType::integer;
  double after = resource.more ? value * factor : value / factor;
  if (is_count) after = resource.more ? std::max(value + 1, std::round(after)) : std::floor(after);
  Overrides better = machine;
  better[resource.axis] = within(axis(resource.axis), after);
  if (better[resource.axis] == before) return std::nullopt;
  return better;
}

std::optional<systems::Record> Machines::run(const Overrides& machine) {
  try {
    systems::Record record = points_.record(machine);
    if (record.status != systems::Status::ok) return std::nullopt;
    return record;
  } catch (const PointError&) {
    return std::nullopt;
  }
}

Tally Machines::compare(const Resource& resource, int pairs) {
  Tally tally;
  for (int i = 0; i < pairs; ++i) {
    const Overrides lesser = draw();
    const std::optional<Overrides> better = improved(lesser, resource);
    if (!better) continue;
    const std::optional<systems::Record> before = run(lesser);
    const std::optional<systems::Record> after = before ? run(*better) : std::nullopt;
    // A saturated network has no latency.
    const double time = before ? points_.metric(*before, subject_.time) : NAN;
    if (!after || !std::isfinite(time)) continue;
    ++tally.pairs;
    const double better_time = points_.metric(*after, subject_.time);
    const double ratio = better_time == time ? 1 : better_time / time;
    // Written so that no number is a violation.
    if (!(ratio <= 1 + tolerance)) ++tally.violations;
    if (ratio <= tally.worst) continue;
    tally.worst = ratio;
    tally.worst_pair = fmt::format("to {}:{}", to_text(better->at(resource.axis)), text_of(lesser));
  }
  return tally;
}

const systems::Axis& Machines::axis(const std::string& name) const {
  return points_.schema().axes.at(static_cast<std::size_t>(points_.schema().axis_index(name)));
}

std::size_t Machines::below(std::size_t count) {
  return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
}

double Machines::log_uniform(double from, double to) {
  return std::exp(std::uniform_real_distribution<double>(std::log(from), std::log(to))(random_));
}

}  // namespace pimsweep::laws
