#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "search/candidates.h"
#include "search/fitness.h"
#include "sweep/search_settings.h"

namespace pimsweep::search {

/// Chooses the designs of a search, generation by generation.
class Algorithm {
 public:
  virtual ~Algorithm() = default;
  /// The next generation, at most `count` designs, all taken from `candidates`; empty if no new design is found.
  virtual std::vector<Design> propose(Candidates& candidates, std::uint64_t count) = 0;
  /// Takes the results of the designs proposed last.
  virtual void learn(const std::vector<Design>& designs, const std::vector<Fitness>& results) = 0;
};

/// The algorithm that the settings name. `space` must outlive it.
std::unique_ptr<Algorithm> make_algorithm(const sweep::SearchSettings& settings, const Space& space);

}  // namespace pimsweep::search
