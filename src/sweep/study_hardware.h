#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "sweep/hardware_library.h"
#include "sweep/study_data.h"
#include "systems/system.h"

namespace pimsweep::sweep {

/// The hardware files of one study under the short names that they have as values of the axis `hardware`, and the
/// constants that follow from that axis.
class StudyHardware {
 public:
  StudyHardware(HardwareLibrary& library, Study::Data& data, ProblemList& problems);

  /// The axis `hardware`; nothing if the system has no hardware constants.
  const std::optional<std::size_t>& axis() const { return axis_; }
  /// Adds a file, given by its name or by a path relative to `directory`; returns its short name. What is wrong with
  /// the file is reported with its place there, or at `where`.
  std::string add(const std::string& name_or_path, const std::string& directory, const SourcePosition& where);
  /// Short names in the order in which they were added.
  const std::vector<std::string>& names() const { return names_; }
  /// The names of configs/hardware, for messages.
  std::string available() const;

  /// Finds which names the axis takes and which factor of the study has it. To be called when factors have been added.
  void find_values();
  /// The names that the axis takes, each once.
  const std::vector<std::string>& values() const { return values_; }
  /// The files that the axis names, those that could be read.
  std::vector<std::shared_ptr<const HardwareFile>> files() const;
  /// The value of a constant in each of some files, or its default. Nothing if a file could not be read, or has none.
  std::optional<std::vector<Value>> constants(const systems::Axis& axis, const std::vector<std::string>& names) const;
  /// Gives a constant the values of the files: one value if they agree, else a column beside the axis `hardware`.
  void follow(std::size_t constant);

 private:
  struct Entry {
    /// As it was given, with folders resolved.
    std::string source;
    /// Null if it could not be read.
    std::shared_ptr<const HardwareFile> file;
  };

  void choose(Factor& factor, const std::vector<Value>& values);
  const Value* constant(const systems::Axis& axis, const std::string& name) const;

  HardwareLibrary& library_;
  Study::Data& data_;
  ProblemList& problems_;
  std::optional<std::size_t> axis_;
  std::vector<std::string> names_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::vector<std::string> values_;
  /// The factor that has the axis, if it varies: which of the values each of its steps has, or how they are drawn.
  Factor* factor_ = nullptr;
  std::shared_ptr<const std::vector<std::uint32_t>> choice_;
  std::optional<SampleSequence> sequence_;
};

/// True if a list has one value only, or none.
bool all_equal(const std::vector<Value>& values);

}  // namespace pimsweep::sweep
