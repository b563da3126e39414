#include <algorithm>
#include <string>

#include "expect.h"
#include "machine.h"
#include "readers.h"
#include "sweep/plan.h"

namespace pimsweep::fuzz {

namespace {

void look_at(const sweep::Study& study) {
  systems::Point point(study.schema().axes.size());
  for (const std::uint64_t index : {std::uint64_t{0}, study.size() / 2, study.size() - 1}) {
    if (index >= study.size()) continue;
    study.point(index, point);
    for (std::size_t axis = 0; axis < point.size(); ++axis) {
      to_text(point[axis]);
      study.origin_of(axis, point);
    }
  }
  study.hash();
}

}  // namespace

/// An experiment file, then a line "---" and lines of changes as --set takes them.
void read_experiment(std::string_view input) {
  const auto [text, changes] = split(input);
  sweep::PlanOptions options;
  for (std::string_view rest = changes; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    options.overrides.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  options.configs = config_folder();
  expect_input_error([&, file = std::string(text)] {
    const sweep::Plan plan = sweep::parse_plan(
        file, config_folder() + "/x.toml", options,
        [](const std::string& system, const ConfigFolders& /*configs*/) { return schema_named(system); });
    for (const sweep::Study& study : plan.studies) look_at(study);
  });
}

}  // namespace pimsweep::fuzz
