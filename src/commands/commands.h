#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/driver.h"
#include "sweep/plan.h"

/// What each subcommand of `pimsweep` does. All print to stdout, throw InputError for bad input and return the exit
/// status (docs/driver.md).
namespace pimsweep::commands {

/// `pimsweep check FILE`: reads everything and says how many points there are.
int check(const std::string& experiment, const PlanOptions& options);

/// `pimsweep plan FILE`: studies, points, what varies. With `name_only`, prints just the experiment's name.
int plan(const std::string& experiment, const PlanOptions& options, bool name_only);

/// `pimsweep explain FILE --point N`: one point with every intermediate quantity. N counts from 0 over the whole plan,
/// or over the study if `options` names exactly one.
int explain(const std::string& experiment, const PlanOptions& options, std::uint64_t point);

/// `pimsweep list WHAT [NAME]`: systems, axes, metrics, models, hardware or policies.
int list(const std::string& what, const std::string& name, bool csv, const std::string& config_dir);

/// The things that list() knows.
const std::vector<std::string>& list_subjects();

/// `pimsweep report RESULTS... [--csv FILE]`: the published numbers beside the reproduced ones.
int report(const std::vector<std::string>& results, const std::string& csv, const std::string& published_dir);

/// `pimsweep compare RESULTS`: deviation of each metric X from the column reference_X.
int compare(const std::string& results);

/// `pimsweep rerun RESULTS --point N [--study ID] [--all]`: evaluates a stored point again and compares the result with
/// the stored one bit for bit. `studies` names at most one; none is needed if the file has one. Returns 0 if identity
/// and result are equal, 1 if not.
int rerun(const std::string& file, const std::vector<std::string>& studies, std::uint64_t number, bool all,
          const std::string& config_dir);

}  // namespace pimsweep::commands
