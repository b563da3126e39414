#include "corner_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "sweep/hardware_axis.h"
#include "sweep/hardware_file.h"

namespace pimsweep::corners {

namespace {

/// Limits for an axis without bounds; no experiment exceeds them.
constexpr double huge = 1e300;

/// A bound as a number of the axis. Bounds of integers are reals that may round up to 2^63.
Value as_number(ValueType type, double bound) {
  if (type == ValueType::real) return bound;
  constexpr double limit = 0x1p63;
  if (bound >= limit) return std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(std::max(bound, -limit));
}

std::vector<Value> ends_of(const systems::Axis& axis) {
  switch (axis.type) {
    case ValueType::boolean:
      return {false, true};
    case ValueType::integer:
    case ValueType::real:
      return {as_number(axis.type, axis.min.value_or(-huge)), as_number(axis.type, axis.max.value_or(huge))};
    case ValueType::text:
      break;
  }
  std::vector<Value> ends;
  for (const std::string& choice : axis.choices) ends.emplace_back(choice);
  if (ends.empty()) ends = {std::string(), std::string("1x1"), std::string("9e999 \"|*x")};
  return ends;
}

/// For each axis its value in a hardware file, or else its default.
std::vector<std::optional<Value>> values_in(const systems::Schema& schema, const sweep::HardwareFile* file) {
  std::vector<std::optional<Value>> values;
  for (const systems::Axis& axis : schema.axes) {
    const sweep::HardwareConstant* constant =
        file == nullptr || !sweep::is_hardware_constant(axis) ? nullptr : file->find(axis);
    values.push_back(constant == nullptr ? axis.default_value : constant->value);
  }
  return values;
}

const Value& any_of(const std::vector<Value>& values, std::mt19937_64& random) {
  return values[random() % values.size()];
}

}  // namespace

CornerPoints::CornerPoints(const systems::Schema& schema, const ConfigFolders& configs) : schema_(schema) {
  for (const systems::Axis& axis : schema.axes) {
    ends_.push_back(ends_of(axis));
    singles_ += ends_.back().size();
  }
  if (std::ranges::none_of(schema.axes, sweep::is_hardware_constant)) {
    bases_.push_back(values_in(schema, nullptr));
    return;
  }
  for (const std::string& name : sweep::hardware_names(configs)) {
    try {
      const sweep::HardwareFile file = sweep::load_hardware(name, schema, configs);
      bases_.push_back(values_in(schema, &file));
    } catch (const InputError&) {
      continue;  // the file of another system
    }
  }
  if (bases_.empty())
    throw InputError(fmt::format("no file of {} suits {}", joined_paths(configs.hardware), schema.name));
}

std::vector<Value> CornerPoints::base(Random& random) const {
  const auto& known = bases_[random() % bases_.size()];
  std::vector<Value> values;
  for (std::size_t axis = 0; axis < known.size(); ++axis) {
    // A size without a default is at its lower end: time goes into many points rather than into large ones.
    const bool is_text = schema_.axes[axis].type == ValueType::text;
    values.push_back(known[axis].value_or(is_text ? any_of(ends_[axis], random) : ends_[axis].front()));
  }
  return values;
}

std::vector<Value> CornerPoints::values(std::uint64_t number) const {
  constexpr std::uint64_t seed = 20260;
  constexpr std::uint64_t all_axes_every = 50;
  Random random(seed + number);
  std::vector<Value> values = base(random);
  if (number < singles_) {
    std::size_t axis = 0;
    while (number >= ends_[axis].size()) number -= ends_[axis++].size();
    values[axis] = ends_[axis][number];
    return values;
  }
  const std::uint64_t changes = number % all_axes_every == 0 ? 4 * values.size() : 2;
  for (std::uint64_t change = 0; change < changes; ++change) {
    const std::size_t axis = random() % values.size();
    values[axis] = any_of(ends_[axis], random);
  }
  return values;
}

std::string CornerPoints::text(const std::vector<Value>& values) const {
  std::string text;
  for (std::size_t axis = 0; axis < values.size(); ++axis) {
    if (bases_.front()[axis] == values[axis]) continue;
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", schema_.axes[axis].name, to_text(values[axis]));
  }
  return text;
}

}  // namespace pimsweep::corners
