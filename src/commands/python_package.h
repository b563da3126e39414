#pragma once

#include <string>
#include <vector>

namespace pimsweep::commands {

/// The folder that holds the Python package of the same installation, or of the source tree in whose build folder the
/// program lies. Throws InputError if it is not there.
std::string package_folder();

/// Replaces this process with a module of that package: its exit status is that of the module. Throws InputError if the
/// package or its interpreter is not there.
[[noreturn]] void run_python_module(const std::string& module, const std::vector<std::string>& arguments);

}  // namespace pimsweep::commands
