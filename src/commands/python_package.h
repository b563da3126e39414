#pragma once

#include <string>
#include <vector>

#include "commands/output.h"

namespace pimsweep::commands {

/// The folder that holds the Python package of the same installation, or of the source tree in whose build folder the
/// program lies. Throws InputError if it is not there.
std::string package_folder();

/// Replaces this process with a module of that package: its exit status is that of the module. Throws InputError if the
/// package or its interpreter is not there.
[[noreturn]] void run_python_module(const std::string& module, const std::vector<std::string>& arguments);

/// Arguments of a module: the options that a command line has set.
class ModuleArguments {
 public:
  /// An option without a value is left out.
  void add(const std::string& option, const std::string& value);
  void add(const std::string& option, const std::vector<std::string>& values);
  void add(const std::string& option, bool is_set);
  /// Adds --csv, --json and --force.
  void add(const OutputForm& form);
  /// Runs the module with these, --unsealed if such files are accepted, and the positional arguments.
  [[noreturn]] void run(const std::string& module, const std::vector<std::string>& positional);
  /// Adds the word of a subcommand.
  void add_word(const std::string& word) { words_.push_back(word); }

 private:
  std::vector<std::string> words_;
};

}  // namespace pimsweep::commands
