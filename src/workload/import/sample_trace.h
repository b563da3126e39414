#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "workload/import/importer.h"

namespace pimsweep::workload::import {

/// Follows the first dimension of a network's input through its nodes: it can be a batch only if none of them combines
/// its entries.
class SampleTrace {
 public:
  explicit SampleTrace(std::int64_t extent) { axes_.extent = extent; }

  /// Begins at an input.
  void begin(const std::string& input) { axes_.axes[input] = 0; }
  /// Follows it through a node whose outputs are known.
  void follow(const NodeCall& call, std::string_view name);

  /// The first node that combines entries, and what it does to them; empty if there is none.
  const std::string& obstacle() const { return obstacle_; }
  bool reaches(const std::string& tensor) const { return axes_.axes.contains(tensor); }
  /// Whether it is the first dimension of a tensor that it reaches.
  bool leads(const std::string& tensor) const { return reaches(tensor) && axes_.axes.at(tensor) == 0; }
  const SampleAxes& axes() const { return axes_; }

 private:
  SampleAxes axes_;
  std::string obstacle_;
};

}  // namespace pimsweep::workload::import
