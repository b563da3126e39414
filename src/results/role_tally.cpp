#include "results/role_tally.h"

#include <algorithm>
#include <cmath>

namespace pimsweep::results {

namespace {

constexpr double quarter = 0.25;

bool is_near(const Finding& finding) { return finding.verdict == Verdict::exact || finding.verdict == Verdict::within; }

bool is_within(const std::optional<double>& deviation, double tolerance) {
  return deviation && std::abs(*deviation) <= tolerance;
}

void count(const Finding& finding, RoleTally& tally) {
  ++tally.values;
  if (finding.verdict == Verdict::open || finding.verdict == Verdict::inconsistent) return;
  ++tally.compared;
  const bool near = is_near(finding);
  if (finding.verdict == Verdict::exact) ++tally.exact;
  if (near) ++tally.within_10_percent;
  if (near || is_within(finding.deviation, quarter)) ++tally.within_25_percent;
  if (near || is_within(finding.ratio_deviation, within_tolerance)) ++tally.ratio_within_10_percent;
  if (near || is_within(finding.deviation, quarter) || is_within(finding.ratio_deviation, quarter))
    ++tally.ratio_within_25_percent;
}

}  // namespace

std::vector<RoleTally> tally_by_role(const std::vector<Finding>& findings) {
  std::vector<RoleTally> tallies;
  std::vector<std::string> roles = names_of(role_words);
  roles.emplace_back();
  for (const std::string& role : roles) {
    RoleTally tally;
    tally.role = role;
    for (const Finding& finding : findings) {
      if (finding.role == role) count(finding, tally);
    }
    if (tally.values > 0) tallies.push_back(tally);
  }
  return tallies;
}

}  // namespace pimsweep::results
