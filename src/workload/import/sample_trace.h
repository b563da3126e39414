#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "workload/import/importer.h"

namespace pimsweep::workload::import {

/// Traces the first dimension of a network's input through its nodes: it can be a batch only if none of them combines
/// its entries.
class SampleTrace {
 public:
  explicit SampleTrace(std::int64_t extent) { axes_.extent = extent; }

  /// Starts at an input.
  void begin(const std::string& input) { axes_.axes[input] = 0; }
  /// Continues through a node whose outputs are known.
  void follow(const NodeCall& call, std::string_view name);

  /// First node that combines entries, with a verb for its effect; empty if there is none.
  const std::string& obstacle() const { return obstacle_; }
  bool reaches(const std::string& tensor) const { return axes_.axes.contains(tensor); }
  /// True if it is the first dimension of this tensor.
  bool leads(const std::string& tensor) const { return reaches(tensor) && axes_.axes.at(tensor) == 0; }
  const SampleAxes& axes() const { return axes_; }

 private:
  SampleAxes axes_;
  std::string obstacle_;
};

}  // namespace pimsweep::workload::import
