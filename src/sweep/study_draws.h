#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "sweep/study_blocks.h"
#include "sweep/study_data.h"
#include "sweep/study_hardware.h"

namespace pimsweep::sweep {

/// Samples the machines of `[study.uncertainty]`: values for the uncertain constants of the hardware files and for the
/// alternative settings of the block.
///
///     StudyDraws draws(block, data, machines, problems);
///     draws.add_constant(axis);                 // for each constant that follows the hardware files
///     draws.add_choice(axis, setting, others);  // for each alternative setting
///     draws.finish();                           // appends the factor `draw` to the study
///
/// Every point is then evaluated on each sampled machine. An axis has the same relative position in its range in all
/// studies with the same seed and, for Sobol and Saltelli sequences, the same uncertain axes. Tied constants share a
/// position. A study has at most max_draws machines, and cannot combine them with a sample or a search.
class StudyDraws {
 public:
  StudyDraws(const UncertaintyBlock& block, StudyData& data, const StudyMachines& machines, ProblemList& problems);

  /// Samples a constant that follows the hardware files, if one of them defines its range and the block includes it.
  void add_constant(std::size_t axis);
  /// Samples an axis from its nominal value, in the study or in each hardware file, and others. Empty values have been
  /// reported.
  void add_choice(std::size_t axis, const AxisSetting& setting, const std::vector<std::optional<Value>>& others);
  /// Appends the factor `draw`, the last one. Call it once, after all axes.
  void finish();

 private:
  /// An axis with its range on each hardware file. Axes that are sampled together form a group.
  struct Member {
    std::size_t axis;
    std::vector<std::optional<SampleRange>> ranges;
  };
  /// True if the command line includes the axis.
  bool is_selected(const std::string& axis) const;
  bool includes(const std::string& axis);
  bool is_varied(std::size_t axis) const;
  void add(const std::string& group, Member member);
  /// Position of a group within its ranges for each draw, as a fraction of 2^64; empty if it keeps the nominal value.
  std::vector<std::optional<std::uint64_t>> places(std::size_t group) const;
  SampledMachines::Constant draw(const Member& member, const std::vector<std::optional<std::uint64_t>>& places) const;
  /// The files that an axis depends on, and their number, which is at least 1.
  const StudyHardware& files_of(std::size_t axis) const { return machines_.of(data_.schema->axes[axis]); }
  std::size_t file_count(std::size_t axis) const { return std::max<std::size_t>(files_of(axis).values().size(), 1); }
  Value nominal_value(std::size_t axis, std::size_t file) const;
  std::string nominal_source(std::size_t axis) const;
  void report_unused() const;
  /// Number of sampled machines.
  std::uint64_t machine_count() const;

  const UncertaintyBlock& block_;
  StudyData& data_;
  const StudyMachines& machines_;
  ProblemList& problems_;
  std::vector<std::string> names_;
  std::vector<std::vector<Member>> groups_;
  std::vector<SampleSequence> sequences_;
  std::vector<bool> used_;
};

}  // namespace pimsweep::sweep
