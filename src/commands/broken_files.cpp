#include "commands/broken_files.h"

#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "base/error.h"
#include "base/message.h"
#include "commands/any_hardware.h"
#include "sweep/hardware_file.h"
#include "workload/model_library.h"
#include "workload/training/training_library.h"

namespace pimsweep::commands {

namespace {

void warn(const InputError& error) {
  for (const Problem& problem : error.problems()) {
    const std::string where = problem.where.text();
    print_warning("{}{}{}", where, where.empty() ? "" : ": ", problem.message);
  }
}

void warn_of_definitions(const ConfigFolders& configs) {
  try {
    const workload::ModelLibrary models(configs.models);
    const workload::training::TrainingLibrary steps(configs.training, models);
    ProblemList problems = models.index().problems();
    const ProblemList of_steps = steps.index().problems();
    for (const Problem& problem : of_steps.problems()) problems.add(problem.where, problem.message);
    problems.throw_if_any();
  } catch (const InputError& error) {
    warn(error);
  }
}

void warn_of_hardware(const ConfigFolders& configs) {
  AnyHardware hardware(configs);
  for (const std::string& name : sweep::hardware_names(configs)) {
    try {
      hardware.load(name);
    } catch (const InputError& error) {
      warn(error);
    }
  }
}

}  // namespace

void warn_of_broken_files(const ConfigFolders& configs) {
  warn_of_definitions(configs);
  warn_of_hardware(configs);
}

}  // namespace pimsweep::commands
