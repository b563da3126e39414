#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/reuse.h"
#include "sweep/plan.h"

namespace pimsweep::driver {

/// A folder in which experiments share results: DIR/SYSTEM-vVERSION/RUN.journal. A file there is complete from the
/// moment that it has its name and never changes, so any number of runs may read and add at once.
class Cache {
 public:
  /// Makes the folder. Throws InputError if it cannot be used.
  explicit Cache(std::string folder);

  /// The results of the systems of a plan.
  std::vector<ResultSource> sources(const sweep::Plan& plan) const;

  /// Adds the results (ok and infeasible) of journals of this plan, under the run's name.
  void add(const sweep::Plan& plan, const std::vector<std::string>& journals, const std::string& run) const;

 private:
  std::string folder_;
};

}  // namespace pimsweep::driver
