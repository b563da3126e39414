#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "systems/system.h"

namespace pimsweep::corners {

/// Points of a system at the corners of its axes: first each axis alone at each of its ends, then pairs of axes at
/// random ends, and now and then all axes. The other axes have the values of a hardware file, their defaults, or, where
/// there are none, the lower end or a random text. The point of a number is always the same.
class CornerPoints {
 public:
  /// Throws InputError if no hardware file suits the system.
  CornerPoints(const systems::Schema& schema, const ConfigFolders& configs);

  /// Number of points with one axis at one of its ends.
  std::uint64_t singles() const { return singles_; }
  /// One value for each axis.
  std::vector<Value> values(std::uint64_t number) const;

  /// The axes of a point that differ from the first hardware file's and from the defaults, as in an experiment file.
  std::string text(const std::vector<Value>& values) const;

 private:
  using Random = std::mt19937_64;
  std::vector<Value> base(Random& random) const;

  const systems::Schema& schema_;
  /// The values of each hardware file that suits; an axis without one keeps its default, or has none.
  std::vector<std::vector<std::optional<Value>>> bases_;
  /// The ends of each axis: the least and the largest value, every choice, or odd texts.
  std::vector<std::vector<Value>> ends_;
  std::uint64_t singles_ = 0;
};

}  // namespace pimsweep::corners
