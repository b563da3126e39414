// evaluate EXPERIMENT: the metrics of the first point of each study.
#include <fmt/format.h>

#include <exception>

#include "base/value.h"
#include "sweep/plan.h"
#include "systems/system.h"

namespace {

void print_first_point(const pimsweep::sweep::Study& study, const pimsweep::ConfigFolders& configs) {
  namespace systems = pimsweep::systems;
  const std::unique_ptr<systems::System> system = systems::make_system(study.system(), configs);
  systems::Point point(study.schema().axes.size());
  study.point(0, point);
  systems::Record record;
  record.reset(system->schema());
  system->evaluate(point, record);
  for (std::size_t i = 0; i < record.metrics.size(); ++i) {
    const systems::Metric& metric = system->schema().metrics[i];
    fmt::print("{} {} = {} {}\n", study.id(), metric.name, pimsweep::to_text(record.metrics[i]), metric.unit);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: evaluate EXPERIMENT\n");
    return 2;
  }
  try {
    pimsweep::sweep::PlanOptions options;
    options.configs = pimsweep::ConfigFolders(CONFIGS);
    const pimsweep::sweep::Plan plan = pimsweep::sweep::load_plan(argv[1], options);
    for (const pimsweep::sweep::Study& study : plan.studies) print_first_point(study, plan.configs);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
