#include "commands/broken_files.h"

#include <algorithm>
#include <string>

#include "base/message.h"
#include "sweep/hardware_systems.h"
#include "workload/model_library.h"
#include "workload/training/training_library.h"

namespace pimsweep::commands {

namespace {

/// Problems of models and training steps.
std::vector<Problem> find_broken_definitions(const ConfigFolders& configs) {
  try {
    const workload::ModelLibrary models(configs.models, workload::DefinitionIndex::Installed::at_once);
    const workload::training::TrainingLibrary steps(configs.training, models);
    ProblemList problems = models.index().problems();
    const ProblemList of_steps = steps.index().problems();
    for (const Problem& problem : of_steps.problems()) problems.add(problem.where, problem.message);
    problems.throw_if_any();
    return {};
  } catch (const InputError& error) {
    return error.problems();
  }
}

}  // namespace

bool has_own_folder(const ConfigFolders& configs) {
  const auto is_own = [](const ConfigFolder& folder) { return !folder.is_installed; };
  return std::ranges::any_of(configs.models, is_own) || std::ranges::any_of(configs.hardware, is_own) ||
         std::ranges::any_of(configs.training, is_own);
}

std::vector<Problem> find_broken_files(const ConfigFolders& configs) {
  std::vector<Problem> problems = find_broken_definitions(configs);
  sweep::HardwareSystems hardware(configs);
  for (const std::string& name : sweep::hardware_names(configs)) {
    try {
      hardware.load(name);
    } catch (const InputError& error) {
      problems.insert(problems.end(), error.problems().begin(), error.problems().end());
    }
  }
  return problems;
}

void print_warnings(const std::vector<Problem>& problems) {
  for (const Problem& problem : problems) {
    const std::string where = problem.where.text();
    print_warning("{}{}{}", where, where.empty() ? "" : ": ", problem.message);
  }
}

}  // namespace pimsweep::commands
