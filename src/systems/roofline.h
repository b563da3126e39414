#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems {

/// Work of a point on one part of its machine, and the peaks of that part: its place in the roofline.
struct RooflinePart {
  /// "GPU", "PIM", "node array".
  std::string name;
  /// Arithmetic operations; a multiply-accumulate counts two.
  double operations = 0;
  /// Bytes between the part and its memory.
  double memory_bytes = 0;
  double time = 0;
  /// Operations and bytes per unit of time; NaN if the system does not know the peak.
  double peak_rate = no_number;
  double memory_bandwidth = no_number;
  /// Unit of time: "cycle" for systems without a clock.
  std::string time_unit = "s";
};

/// The parts of a machine in their rooflines, or the reason why there are none and what bounds the point instead.
struct Roofline {
  std::vector<RooflinePart> parts = {};
  std::string reason = {};
  std::string bound = {};
};

/// A system that knows the place of its points in the roofline, or why they have none. Systems whose work is neither
/// arithmetic nor traffic of a memory do without it.
class HasRoofline {
 public:
  HasRoofline() = default;
  HasRoofline(const HasRoofline&) = delete;
  HasRoofline& operator=(const HasRoofline&) = delete;
  virtual ~HasRoofline() = default;
  /// The place of a point to which evaluate() gave this record, with status ok.
  virtual Roofline roofline(const Point& point, const Record& record) = 0;
};

/// A metric of a record; NaN if it is missing, is a text, or does not exist.
inline double number_of(const Schema& schema, const Record& record, std::string_view metric) {
  const int index = schema.metric_index(metric);
  const auto* value = index < 0 ? nullptr : std::get_if<double>(&record.metrics[static_cast<std::size_t>(index)]);
  return value == nullptr ? no_number : *value;
}

}  // namespace pimsweep::systems
