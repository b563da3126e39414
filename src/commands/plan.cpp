#include "sweep/plan.h"

#include <fmt/format.h>

#include "commands/commands.h"
#include "commands/text_table.h"

namespace pimsweep::commands {

int check(const std::string& experiment, const PlanOptions& options) {
  const Plan plan = load_plan(experiment, options);
  fmt::print("{}: ok, {} {}, {} {}\n", experiment, plan.studies.size(), plan.studies.size() == 1 ? "study" : "studies",
             plan.size(), plan.size() == 1 ? "point" : "points");
  return 0;
}

int plan(const std::string& experiment, const PlanOptions& options, bool name_only) {
  const Plan plan = load_plan(experiment, options);
  if (name_only) {
    fmt::print("{}\n", plan.name);
    return 0;
  }
  TextTable table({"study", "system", "points", "first", "varies"});
  for (std::size_t i = 0; i < plan.studies.size(); ++i) {
    const Study& study = plan.studies[i];
    std::string varies;
    for (std::size_t axis = 0; axis < study.schema().axes.size(); ++axis) {
      if (!study.varies(axis)) continue;
      if (!varies.empty()) varies += ", ";
      varies += study.schema().axes[axis].name;
    }
    table.add({study.id(), study.system(), std::to_string(study.size()), std::to_string(plan.offset(i)), varies});
  }
  fmt::print("{}\n{}{} points in all\n", plan.name, table.aligned(), plan.size());
  return 0;
}

}  // namespace pimsweep::commands
