#pragma once

#include <string>

namespace pimsweep::commands {

/// Output of `pimsweep --version --verbose`: the program, its build, the formats that it reads and the
/// folders that it uses, a line each. What is not there is said in its line.
std::string version_report();

}  // namespace pimsweep::commands
