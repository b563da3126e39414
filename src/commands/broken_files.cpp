#include "commands/broken_files.h"

#include <fmt/format.h>

#include <cstdio>

#include "base/error.h"
#include "commands/any_hardware.h"
#include "sweep/hardware_file.h"
#include "workload/model_library.h"
#include "workload/training/training_library.h"

namespace pimsweep::commands {

namespace {

/// Prints the problems in file order, each once.
void warn(const ProblemList& problems) {
  try {
    problems.throw_if_any();
  } catch (const InputError& error) {
    for (const Problem& problem : error.problems()) {
      fmt::print(stderr, "pimsweep: warning: {}: {}\n", problem.where.text(), problem.message);
    }
  }
}

}  // namespace

void warn_of_broken_files(const ConfigFolders& configs) {
  const workload::ModelLibrary models(configs.models);
  warn(models.index().problems());
  warn(workload::training::TrainingLibrary(configs.training, models).index().problems());
  const AnyHardware hardware(configs);
  ProblemList problems;
  for (const std::string& name : sweep::hardware_names(configs)) {
    try {
      hardware.load(name);
    } catch (const InputError& error) {
      problems.add(error);
    }
  }
  warn(problems);
}

}  // namespace pimsweep::commands
