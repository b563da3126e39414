#include "sweep/study_draws.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "sweep/hardware_axis.h"

namespace pimsweep::sweep {

namespace {

using Origin = systems::ValueOrigin::Kind;

SampleMethod sequence_of(DrawMethod method) {
  switch (method) {
    case DrawMethod::lhs:
      return SampleMethod::lhs;
    case DrawMethod::random:
      return SampleMethod::random;
    case DrawMethod::saltelli:
      return SampleMethod::saltelli;
    case DrawMethod::sobol:
    case DrawMethod::one_at_a_time:
      break;
  }
  return SampleMethod::sobol;
}

/// Position of one of `levels` evenly spaced levels from the start to the end of a range.
std::uint64_t level_place(std::uint64_t level, std::uint64_t levels) {
  constexpr std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
  return level + 1 == levels ? end : end / std::max(levels - 1, std::uint64_t{1}) * level;
}

bool is_list(const std::optional<SampleRange>& range) {
  return range && std::holds_alternative<std::vector<Value>>(*range);
}

}  // namespace

StudyDraws::StudyDraws(const UncertaintyBlock& block, StudyData& data, const StudyMachines& machines,
                       ProblemList& problems)
    : block_(block), data_(data), machines_(machines), problems_(problems), used_(block.constants.size()) {}

bool StudyDraws::is_selected(const std::string& axis) const {
  return block_.only.empty() || std::ranges::find(block_.only, axis) != block_.only.end();
}

bool StudyDraws::includes(const std::string& axis) {
  if (block_.constants.empty()) return true;
  const auto found = std::ranges::find(block_.constants, axis, &PlacedText::text);
  if (found == block_.constants.end()) return false;
  used_[static_cast<std::size_t>(found - block_.constants.begin())] = true;
  return true;
}

bool StudyDraws::is_varied(std::size_t axis) const {
  return std::ranges::any_of(data_.factors, [&](const Factor& factor) {
    return std::ranges::any_of(factor.columns, [&](const Factor::Column& column) { return column.axis == axis; });
  });
}

void StudyDraws::add(const std::string& group, Member member) {
  const auto known = std::ranges::find(names_, group);
  if (known == names_.end()) {
    names_.push_back(group);
    groups_.push_back({std::move(member)});
  } else {
    groups_[static_cast<std::size_t>(known - names_.begin())].push_back(std::move(member));
  }
}

void StudyDraws::add_constant(std::size_t axis) {
  const systems::Axis& described = data_.schema->axes[axis];
  Member member{axis, {}};
  std::string tied;
  const StudyHardware& files = files_of(axis);
  for (const std::string& name : files.values()) {
    const HardwareConstant* constant = files.in_file(described, name);
    member.ranges.emplace_back();
    if (constant == nullptr || !constant->uncertainty) continue;
    member.ranges.back() = constant->uncertainty->range;
    if (tied.empty()) tied = constant->uncertainty->tied;
  }
  const bool uncertain = std::ranges::any_of(member.ranges, [](const auto& range) { return range.has_value(); });
  if (uncertain && includes(described.name) && is_selected(described.name))
    add(tied.empty() ? described.name : tied, std::move(member));
}

void StudyDraws::add_choice(std::size_t axis, const AxisSetting& setting,
                            const std::vector<std::optional<Value>>& others) {
  if (is_varied(axis) && data_.origins[axis].kind != Origin::hardware) {
    problems_.add(setting.where, fmt::format("axis '{}' varies in the study and cannot be sampled, too", setting.name));
    return;
  }
  if (!is_selected(setting.name)) return;
  Member member{axis, {}};
  for (std::size_t file = 0; file < file_count(axis); ++file) {
    std::vector<Value> values{nominal_value(axis, file)};
    for (const std::optional<Value>& value : others) {
      if (value && std::ranges::find(values, *value) == values.end()) values.push_back(*value);
    }
    member.ranges.emplace_back(std::move(values));
  }
  add(setting.name, std::move(member));
}

std::vector<std::optional<std::uint64_t>> StudyDraws::places(std::size_t group) const {
  std::vector<std::optional<std::uint64_t>> places(data_.machines->count);
  if (block_.method == DrawMethod::one_at_a_time) {
    for (std::uint64_t level = 0; level < block_.samples; ++level)
      places[group * block_.samples + level] = level_place(level, block_.samples);
  } else {
    for (std::uint64_t n = 0; n < places.size(); ++n) places[n] = fraction_at(sequences_[group], n);
  }
  return places;
}

Value StudyDraws::nominal_value(std::size_t axis, std::size_t file) const {
  const systems::Axis& described = data_.schema->axes[axis];
  const StudyHardware& files = files_of(axis);
  if (is_hardware_constant(described) && file < files.values().size()) {
    const auto value = files.constants(described, {files.values()[file]});
    if (value) return value->front();
  }
  return data_.constants[axis];
}

SampledMachines::Constant StudyDraws::draw(const Member& member,
                                           const std::vector<std::optional<std::uint64_t>>& places) const {
  const StudyHardware& files = files_of(member.axis);
  SampledMachines::Constant constant{member.axis, files.factor(), files.choice(), {}};
  systems::Point point(data_.schema->axes.size());
  for (std::size_t file = 0; file < file_count(member.axis); ++file) {
    const std::optional<SampleRange>& range = member.ranges[file];
    const Value nominal = nominal_value(member.axis, file);
    for (const std::optional<std::uint64_t>& place : places) {
      if (range && place) {
        put_fraction(*range, *place, member.axis, point);
        constant.values.push_back(point[member.axis]);
      } else {
        constant.values.push_back(nominal);
      }
    }
  }
  return constant;
}

std::string StudyDraws::nominal_source(std::size_t axis) const {
  std::string text;
  const StudyHardware& files = files_of(axis);
  for (const std::string& name : files.values()) {
    if (const HardwareConstant* constant = files.in_file(data_.schema->axes[axis], name))
      text += fmt::format("; draw 0 is hardware {}: {}", name, constant->source);
  }
  return text;
}

void StudyDraws::report_unused() const {
  std::vector<std::string> names;
  for (const systems::Axis& axis : data_.schema->axes) {
    if (is_hardware_constant(axis)) names.push_back(axis.name);
  }
  for (std::size_t i = 0; i < used_.size(); ++i) {
    if (used_[i]) continue;
    const PlacedText& name = block_.constants[i];
    if (data_.schema->axis_index(name.text) >= 0) {
      problems_.add(name.where,
                    fmt::format("the hardware files do not define a range of '{}', or the study sets it", name.text));
    } else {
      problems_.add(name.where, fmt::format("'{}' is not a constant of system '{}'{}", name.text, data_.schema->name,
                                            suggestion(name.text, names)));
    }
  }
}

std::uint64_t StudyDraws::machine_count() const {
  // Without uncertain constants, the nominal machine is the only one.
  if (groups_.empty()) return 0;
  if (block_.method == DrawMethod::one_at_a_time) return block_.samples * groups_.size();
  if (block_.method == DrawMethod::saltelli) return block_.samples * (groups_.size() + 2);
  return block_.samples;
}

void StudyDraws::finish() {
  report_unused();
  const bool one_at_a_time = block_.method == DrawMethod::one_at_a_time;
  const std::uint64_t count = machine_count();
  if (count > max_draws) {
    problems_.add(block_.where, fmt::format("{} samples of {} constants are {} machines, more than the limit of {}",
                                            block_.samples, groups_.size(), count, max_draws));
    return;
  }
  data_.machines = SampledMachines{block_.method, block_.seed, count, {}};
  if (!one_at_a_time && count > 0)
    sequences_ = sample_sequences(sequence_of(block_.method), count, fmt::format("{}", block_.seed), names_);
  const std::string method(word_of(draw_method_words, block_.method));
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    const auto places_of_group = places(group);
    for (const Member& member : groups_[group]) {
      data_.machines->constants.push_back(draw(member, places_of_group));
      const bool listed = std::ranges::any_of(member.ranges, is_list);
      data_.origins[member.axis] = {listed ? Origin::sampled_values : Origin::sampled_range,
                                    fmt::format("drawn {} ({}, seed {}){}", listed ? "among values" : "from a range",
                                                method, block_.seed, nominal_source(member.axis)),
                                    method, block_.seed};
    }
  }
  const auto axis = static_cast<std::size_t>(data_.schema->axis_index(draw_axis));
  Factor factor{count + 1, {{axis, {}, nullptr}}, {}};
  for (std::uint64_t draw = 0; draw <= count; ++draw)
    factor.columns.front().values.emplace_back(static_cast<std::int64_t>(draw));
  systems::ValueOrigin& origin = data_.origins[axis];
  origin = {Origin::draw, fmt::format("draw ({}, seed {})", method, block_.seed), method, block_.seed};
  if (block_.method == DrawMethod::saltelli) {
    origin.block = groups_.size() + 2;
    origin.text += fmt::format("; blocks of {} machines", origin.block);
  }
  data_.factors.push_back(std::move(factor));
}

}  // namespace pimsweep::sweep
