#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/words.h"

namespace pimsweep::systems {

/// Where the values of an axis in a study come from.
struct ValueOrigin {
  enum class Kind : std::uint8_t {
    none,
    experiment,
    /// The hardware file of the point.
    hardware,
    /// The default of the axis.
    built_in,
    /// A random sample of the study's points.
    sample,
    /// Sampled machines: a range, or a list of values.
    sampled_range,
    sampled_values,
    /// The number of the sampled machine.
    draw
  };
  Kind kind = Kind::none;
  /// The origin as people read it, such as "hardware hmc: Table 2".
  std::string text = {};
  /// Sampling method of points or machines ("sobol", "lhs", ...) and its seed; the method is empty for other kinds.
  std::string method = {};
  std::int64_t seed = 0;
  /// For the axis `draw`: machines in a block of Saltelli's estimator, 0 for other methods.
  std::uint64_t block = 0;
};

inline constexpr std::array value_origin_words{Word{"", ValueOrigin::Kind::none},
                                               Word{"experiment", ValueOrigin::Kind::experiment},
                                               Word{"hardware", ValueOrigin::Kind::hardware},
                                               Word{"default", ValueOrigin::Kind::built_in},
                                               Word{"sample", ValueOrigin::Kind::sample},
                                               Word{"sampled_range", ValueOrigin::Kind::sampled_range},
                                               Word{"sampled_values", ValueOrigin::Kind::sampled_values},
                                               Word{"draw", ValueOrigin::Kind::draw}};

}  // namespace pimsweep::systems
