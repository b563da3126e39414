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

/// The hardware files of one study, by the short names that are values of the axis `hardware`, and the constants that
/// depend on that axis.
class StudyHardware {
 public:
  StudyHardware(HardwareLibrary& library, Study::Data& data, ProblemList& problems);

  /// The axis `hardware`; empty if the system has no hardware constants.
  const std::optional<std::size_t>& axis() const { return axis_; }
  /// Adds a file, given by its name or by a path relative to `directory`; returns its short name. Problems in the file
  /// are reported with their position there, or at `where`.
  std::string add(const std::string& name_or_path, const std::string& directory, const SourcePosition& where);
  /// Short names in the order in which they were added.
  const std::vector<std::string>& names() const { return names_; }
  /// The names in the folders of hardware, for messages.
  std::string available() const;

  /// Finds the names that the axis takes and the factor of the study that has it. Must be called after factors have
  /// been added.
  void find_values();
  /// Names that the axis takes, each once.
  const std::vector<std::string>& values() const { return values_; }
  /// Files that the axis names, as far as they could be read.
  std::vector<std::shared_ptr<const HardwareFile>> files() const;
  /// The value of a constant in each of some files, or its default. Empty if a file could not be read or lacks the
  /// value.
  std::optional<std::vector<Value>> constants(const systems::Axis& axis, const std::vector<std::string>& names) const;
  /// Whether some files give an axis its values, one of them at least in the file itself.
  bool sets(const systems::Axis& axis, const std::vector<std::string>& names) const;
  /// The factor of the study that has the axis `hardware`, and the index in values() at each of its steps; nothing if
  /// there is one file. The files of a sample have no such factor.
  std::optional<std::size_t> factor() const;
  const std::shared_ptr<const std::vector<std::uint32_t>>& choice() const { return choice_; }
  /// The constant of an axis in the file of this name; nullptr if the file has none, or could not be read.
  const HardwareConstant* in_file(const systems::Axis& axis, const std::string& name) const;
  /// Whether a file that could not be read may set axes that are no constants.
  bool may_set_axes() const;
  /// Gives an axis the values in the files: one value if they are equal, otherwise a column parallel to the axis
  /// `hardware`.
  void follow(std::size_t axis);

 private:
  struct Entry {
    /// Name or path as given, with folders resolved.
    std::string source;
    /// nullptr if it could not be read.
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
  /// The factor that has the axis, if it varies, with the index of the value at each step, or the sequence that draws
  /// it.
  Factor* factor_ = nullptr;
  std::shared_ptr<const std::vector<std::uint32_t>> choice_;
  std::optional<SampleSequence> sequence_;
};

/// True if a list has at most one distinct value.
bool all_equal(const std::vector<Value>& values);

}  // namespace pimsweep::sweep
