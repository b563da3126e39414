#include "sweep/study_hardware.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

namespace pimsweep {

namespace {

bool is_path(const std::string& name_or_path) {
  return name_or_path.find('/') != std::string::npos || name_or_path.ends_with(".toml");
}

}  // namespace

std::shared_ptr<const HardwareFile> HardwareLibrary::load(const std::string& name_or_path, const Schema& schema) {
  const auto key = std::make_pair(schema.name, name_or_path);
  if (const auto known = files_.find(key); known != files_.end()) return known->second;
  auto file = std::make_shared<const HardwareFile>(load_hardware(name_or_path, schema, config_dir_));
  return files_.emplace(key, std::move(file)).first->second;
}

std::string StudyHardware::add(const std::string& name_or_path, const std::string& directory,
                               const SourcePosition& where) {
  std::string source = name_or_path;
  if (is_path(source)) source = (std::filesystem::path(directory) / source).lexically_normal().string();
  std::string name = short_hardware_name(source);
  const auto [entry, added] = entries_.emplace(name, Entry{source, nullptr});
  if (!added) {
    if (entry->second.source != source) {
      problems_.add(where, fmt::format("two hardware files of the study are called '{}': {} and {}", name,
                                       entry->second.source, source));
    }
    return name;
  }
  names_.push_back(name);
  try {
    entry->second.file = library_.load(source, schema_);
  } catch (const InputError& error) {
    problems_.add_at(where, error);
  }
  return name;
}

std::vector<std::shared_ptr<const HardwareFile>> StudyHardware::files(const std::vector<std::string>& names) const {
  std::vector<std::shared_ptr<const HardwareFile>> files;
  for (const std::string& name : names) {
    const auto entry = entries_.find(name);
    if (entry != entries_.end() && entry->second.file != nullptr) files.push_back(entry->second.file);
  }
  return files;
}

const Value* StudyHardware::constant(const Axis& axis, const std::string& name) const {
  if (const auto entry = entries_.find(name); entry != entries_.end()) {
    if (entry->second.file == nullptr) return nullptr;
    if (const HardwareConstant* constant = entry->second.file->find(axis)) return &constant->value;
  }
  return axis.default_value ? &*axis.default_value : nullptr;
}

std::string StudyHardware::available() const {
  return fmt::format("{}", fmt::join(hardware_names(library_.config_dir()), ", "));
}

}  // namespace pimsweep
