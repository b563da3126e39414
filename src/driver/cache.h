#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/reuse.h"
#include "sweep/plan.h"

namespace pimsweep::driver {

/// A folder in which experiments share results: DIR/SYSTEM-vVERSION/RUN.journal. Files are renamed into place once
/// complete and never change afterwards, so any number of runs may read and add concurrently.
class Cache {
 public:
  /// Creates the folder. Throws InputError if it cannot be used.
  explicit Cache(std::string folder);

  /// The cached results of every system that the plan uses.
  std::vector<ResultSource> sources(const sweep::Plan& plan) const;

  /// Adds the results (ok and infeasible) found in this plan's journals, in files named after the run.
  void add(const sweep::Plan& plan, const std::vector<std::string>& journals, const std::string& run) const;

 private:
  std::string folder_;
};

}  // namespace pimsweep::driver
