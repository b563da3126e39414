#include "commands/python_package.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string>

#include "base/error.h"
#include "results/seal.h"

namespace pimsweep::commands {

namespace {

/// The one that scripts/setup.sh gives the package's needs.
constexpr const char* interpreter = "/usr/bin/python3";

}  // namespace

std::string package_folder() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  std::vector<std::string> places;
  for (const char* place : {PIMSWEEP_INSTALLED_PYTHON, PIMSWEEP_SOURCE_PYTHON}) {
    places.push_back((program.parent_path() / place).lexically_normal().string());
    std::error_code ignored;
    if (std::filesystem::exists(std::filesystem::path(places.back()) / "pimsweep" / "__init__.py", ignored)) {
      return places.back();
    }
  }
  throw InputError(fmt::format("the Python package pimsweep is neither in {} nor in {}", places[0], places[1]));
}

void run_python_module(const std::string& module, const std::vector<std::string>& arguments) {
  std::string path = package_folder();
  // An empty part stands for the current folder, whose files could take the place of any module, as -m alone lets them.
  const char* given = std::getenv("PYTHONPATH");
  std::istringstream parts(given == nullptr ? "" : given);
  for (std::string part; std::getline(parts, part, ':');) {
    if (!part.empty()) path += fmt::format(":{}", part);
  }
  ::setenv("PYTHONPATH", path.c_str(), 1);
  std::vector<std::string> words{interpreter, "-P", "-m", module};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::fflush(stdout);
  ::execv(interpreter, pointers.data());
  throw InputError(fmt::format("cannot start {}: {}", interpreter, std::strerror(errno)));
}

void ModuleArguments::add(const std::string& option, const std::string& value) {
  if (!value.empty()) words_.push_back(fmt::format("{}={}", option, value));
}

void ModuleArguments::add(const std::string& option, const std::vector<std::string>& values) {
  for (const std::string& value : values) add(option, value);
}

void ModuleArguments::add(const std::string& option, bool is_set) {
  if (is_set) words_.push_back(option);
}

void ModuleArguments::add(const OutputForm& form) {
  add("--csv", form.csv);
  add("--json", form.json);
  add("--force", form.force);
}

void ModuleArguments::run(const std::string& module, const std::vector<std::string>& positional) {
  add("--unsealed", results::unsealed_files_accepted());
  words_.emplace_back("--");
  words_.insert(words_.end(), positional.begin(), positional.end());
  run_python_module(module, words_);
}

}  // namespace pimsweep::commands
