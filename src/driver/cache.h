#pragma once

#include <cstdint>
#include <set>
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

  /// Adds the results (ok and infeasible) found in this plan's journals, in files named after the run. Clears what
  /// killed runs have left.
  void add(const sweep::Plan& plan, const std::vector<std::string>& journals, const std::string& run) const;

 private:
  /// A folder for each system of the plan.
  std::set<std::string> folders_of(const sweep::Plan& plan) const;

  std::string folder_;
};

}  // namespace pimsweep::driver
