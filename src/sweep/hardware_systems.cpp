#include "sweep/hardware_systems.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "sweep/hardware_axis.h"

namespace pimsweep::sweep {

namespace {

/// True if a schema declares every constant of a file that another system read, and no more required ones. Files are
/// read again only where this holds.
bool has_keys_of(const HardwareFile& file, const systems::Schema& schema) {
  std::size_t declared = 0;
  for (const systems::Axis& axis : schema.axes) {
    if (!is_hardware_constant(axis)) continue;
    const bool is_given = file.find(axis) != nullptr;
    if (!is_given && !axis.default_value) return false;
    declared += is_given ? 1 : 0;
  }
  return declared == file.constants.size();
}

/// Number of problems that suggest a name: of equally many problems, those of the system with the most suggestions are
/// closest to the file.
std::size_t suggestions_in(const std::vector<Problem>& problems) {
  return static_cast<std::size_t>(std::ranges::count_if(
      problems, [](const Problem& one) { return one.message.find(" (did you mean ") != std::string::npos; }));
}

}  // namespace

HardwareSystems::HardwareSystems(const ConfigFolders& configs) : configs_(configs) {
  for (const systems::SystemEntry& entry : systems::systems()) {
    try {
      const auto system = entry.make(configs);
      const systems::Schema& schema = system->schema();
      if (std::any_of(schema.axes.begin(), schema.axes.end(), is_hardware_constant)) schemas_.push_back(schema);
    } catch (const InputError&) {
      continue;  // a system that takes models, and there is none
    }
  }
}

HardwareFile HardwareSystems::load(const std::string& name_or_path) {
  const std::string path = hardware_path(name_or_path, configs_);
  std::vector<Problem> fewest;
  std::string nearest;
  std::size_t max_suggestions = 0;
  std::vector<std::size_t> order(schemas_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (last_ < order.size()) std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(last_), order.end());
  for (const std::size_t i : order) {
    try {
      HardwareFile file = load_hardware(path, schemas_[i], configs_);
      last_ = i;
      return file;
    } catch (const InputError& error) {
      const std::size_t suggestions = suggestions_in(error.problems());
      const bool is_equal = error.problems().size() == fewest.size();
      if (!nearest.empty() && !(is_equal ? suggestions > max_suggestions : error.problems().size() < fewest.size())) {
        continue;
      }
      fewest = error.problems();
      nearest = schemas_[i].name;
      max_suggestions = suggestions;
    }
  }
  ProblemList problems;
  problems.add({path},
               fmt::format("no system can read this hardware file; '{}' reports the fewest problems:", nearest));
  for (const Problem& problem : fewest) problems.add(problem.where, problem.message);
  throw InputError(problems.problems());
}

std::vector<std::string> HardwareSystems::systems_of(const std::string& name_or_path) {
  std::vector<std::string> names;
  try {
    const HardwareFile file = load(name_or_path);
    for (std::size_t i = 0; i < schemas_.size(); ++i) {
      const bool may_fit = file.is_gpu || has_keys_of(file, schemas_[i]);
      if (i == last_ || (may_fit && is_hardware_of(file.path, schemas_[i], configs_))) {
        names.push_back(schemas_[i].name);
      }
    }
  } catch (const InputError&) {
    return {};
  }
  return names;
}

}  // namespace pimsweep::sweep
