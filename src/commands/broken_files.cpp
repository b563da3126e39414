#include "commands/broken_files.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/message.h"
#include "sweep/hardware_systems.h"
#include "workload/model_library.h"
#include "workload/training/training_library.h"

namespace pimsweep::commands {

namespace {

bool has_own_folder(const std::vector<ConfigFolder>& folders) {
  return std::ranges::any_of(folders, [](const ConfigFolder& folder) { return !folder.is_installed; });
}

/// Problems of models and training steps.
std::vector<Problem> find_broken_definitions(const ConfigFolders& configs) {
  if (!has_own_folder(configs.models) && !has_own_folder(configs.training)) return {};
  try {
    const workload::ModelLibrary models(configs.models);
    const workload::training::TrainingLibrary steps(configs.training, models);
    ProblemList problems = models.index().problems(/*only_own=*/true);
    const ProblemList of_steps = steps.index().problems(/*only_own=*/true);
    for (const Problem& problem : of_steps.problems()) problems.add(problem.where, problem.message);
    problems.throw_if_any();
    return {};
  } catch (const InputError& error) {
    return error.problems();
  }
}

std::vector<Problem> find_broken_hardware(const ConfigFolders& configs) {
  std::vector<Problem> problems;
  std::optional<sweep::HardwareSystems> systems;
  for (const ConfigFolder& folder : configs.hardware) {
    if (folder.is_installed) continue;
    for (const std::string& path : toml_files(folder.path, "hardware")) {
      if (!systems) systems.emplace(configs);
      try {
        systems->load(path);
      } catch (const InputError& error) {
        problems.insert(problems.end(), error.problems().begin(), error.problems().end());
      }
    }
  }
  return problems;
}

}  // namespace

std::vector<Problem> find_broken_files(const ConfigFolders& configs) {
  std::vector<Problem> problems = find_broken_definitions(configs);
  const std::vector<Problem> of_hardware = find_broken_hardware(configs);
  problems.insert(problems.end(), of_hardware.begin(), of_hardware.end());
  return problems;
}

void print_warnings(const std::vector<Problem>& problems) {
  for (const Problem& problem : problems) {
    const std::string where = problem.where.text();
    print_warning("{}{}{}", where, where.empty() ? "" : ": ", problem.message);
  }
}

}  // namespace pimsweep::commands
