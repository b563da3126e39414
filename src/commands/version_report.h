#pragma once

#include <string>

namespace pimsweep::commands {

/// Output of `pimsweep --version`: the program and its source revision; if `all`, also its build, the formats that it
/// reads and the folders that it uses, a line each. What is not there is said in its line. With `json`, an object.
std::string version_report(bool all, bool json);

}  // namespace pimsweep::commands
