#pragma once

#include <string>
#include <vector>

namespace pimsweep::commands {

/// Replaces this process with a module of the Python package of the same installation, or of the source tree in whose
/// build folder the program lies: its exit status is that of the module. Throws InputError if the package or its
/// interpreter is not there.
[[noreturn]] void run_python_module(const std::string& module, const std::vector<std::string>& arguments);

}  // namespace pimsweep::commands
