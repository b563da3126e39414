#pragma once

#include <string>

namespace pimsweep::commands {

/// What `pimsweep --version --verbose` prints: the program, what it was built with, the formats that it reads and the
/// folders that it uses, a line each. What is not there is said in its line.
std::string version_report();

}  // namespace pimsweep::commands
