#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "sweep/hardware_file.h"
#include "sweep/study_data.h"
#include "systems/system.h"

namespace pimsweep::sweep {

/// The hardware files of one study, by their short names, which are the values of the axis `hardware`, and the
/// constants that depend on that axis.
class StudyHardware {
 public:
  /// `section`: empty for the axis `hardware`, or memory_section for the axis `memory`.
  StudyHardware(HardwareLibrary& library, StudyData& data, ProblemList& problems, std::string_view section = {});

  /// The axis; empty for systems that do not have it.
  const std::optional<std::size_t>& axis() const { return axis_; }
  /// Adds a file, given by its name or by a path relative to `directory`, and returns its short name. Problems are
  /// reported at their position in the file, or at `where`.
  std::string add(const std::string& name_or_path, const std::string& directory, const SourcePosition& where);
  /// Short names in the order in which they were added.
  const std::vector<std::string>& names() const { return names_; }
  /// The available names that fit the system, for messages.
  std::string available() const;

  /// Finds the values of the axis and its factor. Call it after factors have been added.
  void find_values();
  /// The distinct values of the axis.
  const std::vector<std::string>& values() const { return values_; }
  /// The readable files among the values of the axis.
  std::vector<std::shared_ptr<const HardwareFile>> files() const;
  /// The values, or defaults, of a constant in several files. Empty if a file is unreadable or does not have a value.
  std::optional<std::vector<Value>> constants(const systems::Axis& axis, const std::vector<std::string>& names) const;
  /// True if these files set an axis, at least one of them explicitly.
  bool sets(const systems::Axis& axis, const std::vector<std::string>& names) const;
  /// The factor of the axis `hardware`; empty if there is one file or the files are sampled. choice() is the index into
  /// values() at each of its steps.
  std::optional<std::size_t> factor() const;
  const std::shared_ptr<const std::vector<std::uint32_t>>& choice() const { return choice_; }
  /// The constant of an axis in the file of this name; nullptr if it is missing or the file is unreadable.
  const HardwareConstant* in_file(const systems::Axis& axis, const std::string& name) const;
  /// True if an unreadable file might set axes that are not constants.
  bool may_set_axes() const;
  /// Sets an axis to its values in the files: one value if they are equal, otherwise a column parallel to the axis
  /// `hardware`.
  void follow(std::size_t axis);

 private:
  /// Says which systems take a file that this one does not; empty if none does.
  std::string other_system(const std::string& source, const InputError& error) const;

  struct Entry {
    /// Name or path as given, with folders resolved.
    std::string source;
    /// nullptr if it is unreadable.
    std::shared_ptr<const HardwareFile> file;
  };

  void choose(Factor& factor, const std::vector<Value>& values);
  const Value* constant(const systems::Axis& axis, const std::string& name) const;

  HardwareLibrary& library_;
  StudyData& data_;
  ProblemList& problems_;
  std::string_view section_;
  std::optional<std::size_t> axis_;
  std::vector<std::string> names_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::vector<std::string> values_;
  /// The factor of the axis, if it varies, with the index of the value at each step or the sequence that samples it.
  Factor* factor_ = nullptr;
  std::shared_ptr<const std::vector<std::uint32_t>> choice_;
  std::optional<SampleSequence> sequence_;
};

/// The machines of a study: hardware files, and the memories of their PIM.
struct StudyMachines {
  StudyHardware hardware;
  StudyHardware memories;

  StudyMachines(HardwareLibrary& library, StudyData& data, ProblemList& problems);
  /// The files that an axis follows: constants of a memory follow the axis `memory` where the study sets it.
  StudyHardware& of(const systems::Axis& axis) { return follows_memory(axis) ? memories : hardware; }
  const StudyHardware& of(const systems::Axis& axis) const { return follows_memory(axis) ? memories : hardware; }

 private:
  bool follows_memory(const systems::Axis& axis) const;
};

/// True if a list has at most one distinct value.
bool all_equal(const std::vector<Value>& values);

}  // namespace pimsweep::sweep
