#pragma once

#include <map>
#include <string>

namespace pimsweep::results {

/// Version of the layout of results files (docs/results-format.md).
inline constexpr int results_format_version = 3;

/// Name -> version of the program, its source revision and the libraries that it was built with.
std::map<std::string, std::string> versions();

/// One line for `pimsweep --version`.
std::string version_text();

}  // namespace pimsweep::results
