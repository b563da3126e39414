#include "sweep/study_hardware.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "sweep/hardware_axis.h"
#include "sweep/hardware_systems.h"
#include "sweep/scale_sim_file.h"

namespace pimsweep::sweep {

bool all_equal(const std::vector<Value>& values) {
  return std::all_of(values.begin(), values.end(), [&](const Value& value) { return value == values.front(); });
}

StudyMachines::StudyMachines(HardwareLibrary& library, StudyData& data, ProblemList& problems)
    : hardware(library, data, problems), memories(library, data, problems, memory_section) {}

bool StudyMachines::follows_memory(const systems::Axis& axis) const {
  return memories.axis() && is_memory_constant(axis) && !memories.files().empty();
}

StudyHardware::StudyHardware(HardwareLibrary& library, StudyData& data, ProblemList& problems, std::string_view section)
    : library_(library), data_(data), problems_(problems), section_(section) {
  const int axis = data.schema->axis_index(section.empty() ? hardware_axis : memory_axis);
  if (axis >= 0) axis_ = static_cast<std::size_t>(axis);
}

std::string StudyHardware::add(const std::string& name_or_path, const std::string& directory,
                               const SourcePosition& where) {
  std::string source = name_or_path;
  if (is_hardware_path(source)) source = (std::filesystem::path(directory) / source).lexically_normal().string();
  std::string name = short_hardware_name(source);
  const auto [entry, added] = entries_.emplace(name, Entry{source, nullptr});
  if (!added) {
    if (entry->second.source != source) {
      problems_.add(where, fmt::format("two hardware files of the study have the name '{}': {} and {}", name,
                                       entry->second.source, source));
    }
    return name;
  }
  names_.push_back(name);
  try {
    entry->second.file = library_.load(source, *data_.schema, section_);
  } catch (const InputError& error) {
    const std::string reason = other_system(source, error);
    if (reason.empty())
      problems_.add_at(where, error);
    else
      problems_.add(where, reason);
  }
  return name;
}

std::string StudyHardware::other_system(const std::string& source, const InputError& error) const {
  // A mistake or two are those of a file of this system.
  constexpr std::size_t max_mistakes = 2;
  if (error.problems().size() <= max_mistakes) return {};
  const std::vector<std::string> systems = HardwareSystems(library_.configs()).systems_of(source);
  if (systems.empty()) return {};
  return fmt::format("{} is hardware of {}; '{}' takes {}", short_hardware_name(source), fmt::join(systems, ", "),
                     data_.schema->name, available());
}

std::string StudyHardware::available() const {
  const std::vector<std::string> names = hardware_names_for(*data_.schema, library_.configs(), section_);
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

void StudyHardware::find_values() {
  values_.clear();
  if (!axis_) return;
  for (Factor& factor : data_.factors) {
    for (const Factor::Column& column : factor.columns) {
      if (column.axis == *axis_) choose(factor, column.values);
    }
    for (const SampledColumn& column : factor.sampled) {
      if (column.axis != *axis_) continue;
      choose(factor, std::get<std::vector<Value>>(column.range));
      sequence_ = column.sequence;
    }
  }
  const auto* name = std::get_if<std::string>(&data_.constants[*axis_]);
  if (values_.empty() && name != nullptr) values_.push_back(*name);
}

void StudyHardware::choose(Factor& factor, const std::vector<Value>& values) {
  factor_ = &factor;
  std::vector<std::uint32_t> choice;
  for (const Value& value : values) {
    const auto* name = std::get_if<std::string>(&value);
    if (name == nullptr) continue;  // reported already
    const auto known = std::find(values_.begin(), values_.end(), *name);
    choice.push_back(static_cast<std::uint32_t>(known - values_.begin()));
    if (known == values_.end()) values_.push_back(*name);
  }
  choice_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(choice));
}

std::vector<std::shared_ptr<const HardwareFile>> StudyHardware::files() const {
  std::vector<std::shared_ptr<const HardwareFile>> files;
  for (const std::string& name : values_) {
    const auto entry = entries_.find(name);
    if (entry != entries_.end() && entry->second.file != nullptr) files.push_back(entry->second.file);
  }
  return files;
}

std::optional<std::size_t> StudyHardware::factor() const {
  if (factor_ == nullptr || sequence_) return std::nullopt;
  return static_cast<std::size_t>(factor_ - data_.factors.data());
}

const HardwareConstant* StudyHardware::in_file(const systems::Axis& axis, const std::string& name) const {
  const auto entry = entries_.find(name);
  return entry == entries_.end() || entry->second.file == nullptr ? nullptr : entry->second.file->find(axis);
}

const Value* StudyHardware::constant(const systems::Axis& axis, const std::string& name) const {
  if (const auto entry = entries_.find(name); entry != entries_.end() && entry->second.file == nullptr) return nullptr;
  if (const HardwareConstant* constant = in_file(axis, name)) return &constant->value;
  return axis.default_value ? &*axis.default_value : nullptr;
}

std::optional<std::vector<Value>> StudyHardware::constants(const systems::Axis& axis,
                                                           const std::vector<std::string>& names) const {
  std::vector<Value> values;
  for (const std::string& name : names) {
    const Value* value = constant(axis, name);
    if (value == nullptr) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

bool StudyHardware::sets(const systems::Axis& axis, const std::vector<std::string>& names) const {
  const auto has = [&](const std::string& name) { return in_file(axis, name) != nullptr; };
  return std::any_of(names.begin(), names.end(), has) && constants(axis, names);
}

bool StudyHardware::may_set_axes() const {
  return std::any_of(entries_.begin(), entries_.end(), [](const auto& entry) {
    return entry.second.file == nullptr && is_scale_sim_file(entry.second.source);
  });
}

void StudyHardware::follow(std::size_t axis) {
  std::optional<std::vector<Value>> values = constants(data_.schema->axes[axis], values_);
  if (!values || values->empty()) return;  // the missing file is the problem, reported once
  if (all_equal(*values)) {
    data_.constants[axis] = values->front();
  } else if (sequence_) {
    factor_->sampled.push_back({axis, *sequence_, std::move(*values)});
  } else {
    factor_->columns.push_back({axis, std::move(*values), choice_});
  }
}

}  // namespace pimsweep::sweep
