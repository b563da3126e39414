#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands/json.h"
#include "systems/roofline.h"

namespace pimsweep::commands {

/// Reasons for the time of a point: what bounds it, the shares of its parts, and the constants of the hardware that
/// change its main metric most.
struct Verdict {
  /// A part of the whole.
  struct Share {
    std::string name;
    double share = 0;
  };
  /// Shares of one kind, the largest first: "bound", "kind".
  struct Shares {
    std::string kind;
    std::vector<Share> shares;
  };
  /// Relative change of the main metric when a constant is 10 % smaller and 10 % larger. NaN where the point then has
  /// no result.
  struct Influence {
    std::string constant;
    double less = 0;
    double more = 0;
  };
  std::string metric;
  std::string unit;
  double value = 0;
  /// Resource that bounds the point: as the system states it, or that of most of the time, or the roof that it is near.
  std::string bound;
  std::vector<Shares> shares;
  systems::Roofline roofline;
  /// The most influential first.
  std::vector<Influence> influences;
  std::size_t tried = 0;
  /// Numbers among the constants of the hardware.
  std::size_t constants = 0;

  /// About ten lines, wrapped at `width`; 0 means unlimited.
  std::string text(std::size_t width) const;
  Json json() const;
};

/// Evaluates the point with each constant of its hardware moved by 10 % either way, for at most 5 s. `record` is the
/// result of the point. The verdict lacks a metric if the point lacks a number in a main metric.
Verdict judge(systems::System& system, const systems::Point& point, const systems::Record& record);

}  // namespace pimsweep::commands
