#include "commands/version_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_format.h"
#include "commands/json.h"
#include "commands/libraries.h"
#include "commands/python_package.h"
#include "driver/mpi_module.h"
#include "journal/journal.h"
#include "results/version.h"
#include "sweep/find_configs.h"

namespace pimsweep::commands {

namespace {

/// The text of `find`, or why there is none.
template <typename Find>
std::string found(Find find) {
  try {
    return find();
  } catch (const InputError& error) {
    return fmt::format("not found: {}", error.what());
  }
}

std::string config_folders() {
  std::vector<std::string> folders;
  for (const ConfigFolder& folder : sweep::find_configs()) folders.push_back(folder.path);
  return fmt::format("{}", fmt::join(folders, ", "));
}

std::string published_folder() {
  const std::string folder = sweep::find_published(sweep::find_configs());
  std::error_code ignored;
  return std::filesystem::is_directory(folder, ignored) ? folder : fmt::format("not found: there is no {}", folder);
}

std::string program_path() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? fmt::format("not found: {}", error.message()) : path.string();
}

template <typename Add>
void add_details(const Add& add) {
  add("compiler", std::string(compiler));
  add("build type", std::string(build_type));
  const std::vector<std::string> mpi = driver::mpi_libraries();
  add("MPI", mpi.empty() ? "none" : fmt::format("{}", fmt::join(mpi, "; ")));
  for (const auto& [name, version] : libraries) add(name, std::string(version));
  add("results format", std::to_string(results::results_format_version));
  add("journal format", std::string(journal::version));
  add("experiment format", format_text(experiment_format));
  add("hardware format", format_text(hardware_format));
  add("model format", format_text(model_format));
  add("program", program_path());
  add("configs", found(config_folders));
  add("published values", found(published_folder));
  add("Python package", found(package_folder));
}

}  // namespace

std::string version_report(bool all, bool json) {
  std::vector<std::pair<std::string, std::string>> facts;
  const auto add = [&](std::string_view name, std::string value) { facts.emplace_back(name, std::move(value)); };
  if (all) add_details(add);
  if (json) {
    const auto known = results::versions();
    Json object{{"version", known.at("pimsweep_version")}, {"git_revision", known.at("git_revision")}};
    for (const auto& [name, value] : facts) object[name] = value;
    std::string text = text_of(object);
    text.pop_back();
    return text;
  }
  std::string text = results::version_text();
  for (const auto& [name, value] : facts) text += fmt::format("\n{:<18}{}", name, value);
  return text;
}

}  // namespace pimsweep::commands
