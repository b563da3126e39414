#include "commands/any_hardware.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "sweep/hardware_axis.h"

namespace pimsweep::commands {

AnyHardware::AnyHardware(const ConfigFolders& configs) : configs_(configs) {
  for (const systems::SystemEntry& entry : systems::systems()) {
    try {
      const auto system = entry.make(configs);
      const systems::Schema& schema = system->schema();
      if (std::any_of(schema.axes.begin(), schema.axes.end(), sweep::is_hardware_constant)) schemas_.push_back(schema);
    } catch (const InputError&) {
      continue;  // a system that takes models, and there is none
    }
  }
}

sweep::HardwareFile AnyHardware::load(const std::string& name_or_path) {
  const std::string path = sweep::hardware_path(name_or_path, configs_);
  std::vector<Problem> fewest;
  std::string nearest;
  for (auto schema = schemas_.begin(); schema != schemas_.end(); ++schema) {
    try {
      sweep::HardwareFile file = sweep::load_hardware(path, *schema, configs_);
      std::rotate(schemas_.begin(), schema, schema + 1);
      return file;
    } catch (const InputError& error) {
      if (!nearest.empty() && error.problems().size() >= fewest.size()) continue;
      fewest = error.problems();
      nearest = schema->name;
    }
  }
  ProblemList problems;
  problems.add({path}, fmt::format("no system can read this hardware file; '{}' objects to least in it:", nearest));
  for (const Problem& problem : fewest) problems.add(problem.where, problem.message);
  throw InputError(problems.problems());
}

}  // namespace pimsweep::commands
