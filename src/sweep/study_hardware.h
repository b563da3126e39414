#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "sweep/hardware_file.h"
#include "systems/system.h"

namespace pimsweep {

/// The hardware files of an experiment, each read once for each system that uses it.
class HardwareLibrary {
 public:
  explicit HardwareLibrary(std::string config_dir) : config_dir_(std::move(config_dir)) {}
  const std::string& config_dir() const { return config_dir_; }
  /// Throws InputError with all that is wrong with the file.
  std::shared_ptr<const HardwareFile> load(const std::string& name_or_path, const Schema& schema);

 private:
  std::string config_dir_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const HardwareFile>> files_;
};

/// The hardware files of one study under the short names that they have as values of the axis `hardware`.
class StudyHardware {
 public:
  StudyHardware(HardwareLibrary& library, const Schema& schema, ProblemList& problems)
      : library_(library), schema_(schema), problems_(problems) {}

  /// Adds a file, given by its name or by a path relative to `directory`; returns its short name. What is wrong with
  /// the file is reported with its place there, or at `where`.
  std::string add(const std::string& name_or_path, const std::string& directory, const SourcePosition& where);
  /// Short names in the order in which they were added.
  const std::vector<std::string>& names() const { return names_; }
  /// The files of these names that could be read.
  std::vector<std::shared_ptr<const HardwareFile>> files(const std::vector<std::string>& names) const;
  /// What the file of that name says of an axis, else the axis' default. Null if there is neither or the file could not
  /// be read.
  const Value* constant(const Axis& axis, const std::string& name) const;
  /// The names of configs/hardware, for messages.
  std::string available() const;

 private:
  struct Entry {
    /// As it was given, with folders resolved.
    std::string source;
    /// Null if it could not be read.
    std::shared_ptr<const HardwareFile> file;
  };

  HardwareLibrary& library_;
  const Schema& schema_;
  ProblemList& problems_;
  std::vector<std::string> names_;
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace pimsweep
