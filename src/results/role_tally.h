#pragma once

#include <string>
#include <vector>

#include "results/judge.h"

namespace pimsweep::results {

/// How near the findings of one role are. A finding is compared if it was recomputed and the paper does not contradict
/// itself there.
struct RoleTally {
  std::string role;
  int values = 0;
  int compared = 0;
  int exact = 0;
  /// At most so far away, or inside a range or bound; exact ones too.
  int within_10_percent = 0;
  int within_25_percent = 0;
  /// The same where improvements are compared as the ratios that they stand for.
  int ratio_within_10_percent = 0;
  int ratio_within_25_percent = 0;
};

/// A tally of each role that there is, in the order of role_words; values without a check have no role and come last.
std::vector<RoleTally> tally_by_role(const std::vector<Finding>& findings);

}  // namespace pimsweep::results
