#pragma once

#include <string>
#include <vector>

#include "systems/gpu_axes.h"
#include "systems/heteropim/training_point.h"
#include "systems/system.h"

namespace pimsweep::systems::heteropim {

/// Axes, metrics and tables of the system "heteropim".
Schema make_schema(const std::vector<std::string>& steps, const std::vector<std::string>& models);

/// Reads a point by axis name; the indices are looked up once.
class PointReader {
 public:
  explicit PointReader(const Schema& schema);

  /// The name by which the library of training steps knows it.
  std::string workload(const Point& point) const;
  /// Empty: none.
  std::string partner(const Point& point) const;
  Settings settings(const Point& point) const;

 private:
  DeviceReader card_;
  std::size_t workload_, task_, partner_, batch_, policy_, steps_, frequency_, programmable_, rc_, op_, registers_,
      fallback_, share_, operands_, timeline_;
  /// Axes of the machine's constants, in the order of their table.
  std::vector<std::size_t> constants_;
};

}  // namespace pimsweep::systems::heteropim
