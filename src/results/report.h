#pragma once

#include <string>
#include <vector>

#include "results/judge.h"
#include "results/published.h"

namespace pimsweep::results {

/// One finding for each published value of each paper that has a study in `results_files`, or of the `papers` that are
/// named, and one more for each reading with a study of its own that gives another value. Throws InputError for a paper
/// that there is not.
std::vector<Finding> make_report(const std::vector<std::string>& results_files,
                                 const std::vector<PublishedSet>& published,
                                 const std::vector<std::string>& papers = {});

/// The report as CSV: id,paper,where,sign,published,published_hi,unit,reproduced,deviation,ratio_deviation,
/// verdict,role,reading,note (docs/results-format.md).
std::string report_csv(const std::vector<Finding>& findings);

}  // namespace pimsweep::results
