#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>

#include "systems/laws/subject.h"
#include "systems/system_points.h"

namespace pimsweep::laws {

/// Outcome of the pairs of one subject and one resource.
struct Tally {
  int pairs = 0;
  int violations = 0;
  /// Longest time on the better machine, relative to that on the lesser one, and that pair.
  double worst = 0;
  std::string worst_pair;
};

/// Random machines of one subject, each with a random workload.
class Machines {
 public:
  using Overrides = SystemPoints::Overrides;

  Machines(const Subject& subject, std::uint64_t seed);

  const SystemPoints& points() const { return points_; }
  Overrides draw();
  /// The same machine with more of a resource; nothing if it has all that it can have.
  std::optional<Overrides> improved(const Overrides& machine, const Resource& resource);
  /// Nothing where there is no such machine, or where it cannot run the workload.
  std::optional<systems::Record> run(const Overrides& machine);

  /// Compares the times of `pairs` pairs of machines, of which the second has more of a resource. Pairs in which a
  /// machine cannot run the workload do not count.
  Tally compare(const Resource& resource, int pairs);

 private:
  const systems::Axis& axis(const std::string& name) const;
  std::size_t below(std::size_t count);
  double log_uniform(double from, double to);

  const Subject& subject_;
  SystemPoints points_;
  std::mt19937_64 random_;
  /// Values of the hardware file, and defaults.
  std::vector<Value> starts_;
};

}  // namespace pimsweep::laws
