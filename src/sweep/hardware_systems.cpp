#include "sweep/hardware_systems.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

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

HardwareSystems::HardwareSystems(ConfigFolders configs) : configs_(std::move(configs)) {}

const systems::Schema* HardwareSystems::schema(std::size_t system) {
  const auto [entry, is_new] = schemas_.try_emplace(system);
  std::optional<systems::Schema>& schema = entry->second;
  if (is_new) {
    try {
      schema = systems::systems()[system].make(configs_)->schema();
      if (std::ranges::none_of(schema->axes, is_hardware_constant)) schema.reset();
    } catch (const InputError&) {
      // A system that takes models, and there is none.
    }
  }
  return schema ? &*schema : nullptr;
}

HardwareFile HardwareSystems::load(const std::string& name_or_path) {
  const std::string path = hardware_path(name_or_path, configs_);
  std::vector<Problem> fewest;
  std::string nearest;
  std::size_t max_suggestions = 0;
  std::vector<std::size_t> order(systems::systems().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::rotate(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(last_), order.end());
  for (const std::size_t i : order) {
    const systems::Schema* known = schema(i);
    if (known == nullptr) continue;
    try {
      HardwareFile file = load_hardware(path, *known, configs_);
      last_ = i;
      return file;
    } catch (const InputError& error) {
      const std::size_t suggestions = suggestions_in(error.problems());
      const bool is_equal = error.problems().size() == fewest.size();
      if (!nearest.empty() && !(is_equal ? suggestions > max_suggestions : error.problems().size() < fewest.size())) {
        continue;
      }
      fewest = error.problems();
      nearest = known->name;
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
    for (std::size_t i = 0; i < systems::systems().size(); ++i) {
      const systems::Schema* known = schema(i);
      if (known == nullptr) continue;
      const bool may_fit = file.is_gpu || has_keys_of(file, *known);
      if (i == last_ || (may_fit && is_hardware_of(file.path, *known, configs_))) names.push_back(known->name);
    }
  } catch (const InputError&) {
    return {};
  }
  return names;
}

}  // namespace pimsweep::sweep
