#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/published.h"

namespace pimsweep::results {

/// How near a reproduced number is to the published one (docs/results-format.md, "Report").
enum class Verdict : std::uint8_t {
  exact,         ///< equal at the published precision, or the claim holds in every comparison
  within,        ///< inside the published range or bound, or at most 10 % away
  off,           ///< further away
  calibrated,    ///< the model was fitted to it: it validates nothing
  inconsistent,  ///< the paper contradicts itself or its own hardware here
  open           ///< not recomputed (yet)
};
std::string_view name_of(Verdict verdict);

/// One line of the report.
struct Finding {
  PublishedValue published;
  /// In the published unit; empty when open.
  std::string reproduced;
  /// (reproduced - published) / published; empty where that has no meaning.
  std::optional<double> deviation;
  Verdict verdict = Verdict::open;
  std::string role;
  std::string note;
};

/// Puts beside each published value of each paper that has a study in `results_files` what the results give.
std::vector<Finding> make_report(const std::vector<std::string>& results_files,
                                 const std::vector<PublishedSet>& published);

/// The report as CSV: id,paper,where,published,published_hi,unit,reproduced,deviation,verdict,role,note.
std::string report_csv(const std::vector<Finding>& findings);

}  // namespace pimsweep::results
