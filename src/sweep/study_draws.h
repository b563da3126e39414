#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "sweep/experiment_file.h"
#include "sweep/study_data.h"
#include "sweep/study_hardware.h"

namespace pimsweep::sweep {

/// Draws the machines of a study's `[study.uncertainty]`. An axis has the same place in its range in all studies with
/// the same seed and, where a sequence is used, the same uncertain axes.
class StudyDraws {
 public:
  StudyDraws(const UncertaintyBlock& block, Study::Data& data, const StudyHardware& hardware, ProblemList& problems);

  /// Draws a constant that follows the hardware files, if one of them gives it a range and the block does not leave it
  /// out.
  void add_constant(std::size_t axis);
  /// Draws an axis among the value that it has in the study, or in each hardware file, and others; an empty value has
  /// been reported.
  void add_choice(std::size_t axis, const AxisSetting& setting, const std::vector<std::optional<Value>>& others);
  /// Gives the study its last factor. Call once, after all axes.
  void finish();

 private:
  /// Axes that move together, with the ranges of each on each hardware file.
  struct Member {
    std::size_t axis;
    std::vector<std::optional<SampleRange>> ranges;
  };
  /// Whether the command line leaves the axis in.
  bool is_selected(const std::string& axis) const;
  bool is_wanted(const std::string& axis);
  bool is_varied(std::size_t axis) const;
  void add(const std::string& group, Member member);
  /// The place of a group in its ranges in a draw, as a fraction of 2^64; nothing if it keeps the value of the file.
  std::vector<std::optional<std::uint64_t>> places(std::size_t group) const;
  DrawnMachines::Constant draw(const Member& member, const std::vector<std::optional<std::uint64_t>>& places) const;
  Value usual_value(std::size_t axis, std::size_t file) const;
  std::string usual_source(std::size_t axis) const;
  void report_unused() const;
  /// Machines to draw.
  std::uint64_t machine_count() const;

  const UncertaintyBlock& block_;
  Study::Data& data_;
  const StudyHardware& hardware_;
  ProblemList& problems_;
  std::uint64_t files_;
  std::vector<std::string> names_;
  std::vector<std::vector<Member>> groups_;
  std::vector<SampleSequence> sequences_;
  std::vector<bool> used_;
};

}  // namespace pimsweep::sweep
