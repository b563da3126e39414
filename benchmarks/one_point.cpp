// Evaluates one synthetic point and prints its cost: one_point N SECONDS. The program that against_other_tools.py lets
// shell loops, xargs, GNU parallel and Python start once for each point.
#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "systems/parts/parts.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: one_point N SECONDS\n");
    return 2;
  }
  const std::unique_ptr<pimsweep::systems::System> system = pimsweep::systems::parts::make_synthetic({});
  const pimsweep::systems::Schema& schema = system->schema();
  const pimsweep::Value number = static_cast<std::int64_t>(std::strtoll(argv[1], nullptr, 10));
  const pimsweep::Value cost = std::strtod(argv[2], nullptr);
  pimsweep::systems::Point point(schema.axes.size());
  for (std::size_t i = 0; i < schema.axes.size(); ++i) {
    const pimsweep::systems::Axis& axis = schema.axes[i];
    point.set(i, axis.name == "n" ? &number : axis.name == "cost_mean" ? &cost : &*axis.default_value);
  }
  pimsweep::systems::Record record;
  record.reset(schema);
  system->evaluate(point, record);
  fmt::print("{} {}\n", argv[1], pimsweep::to_real(record.metrics[0]));
  return 0;
}
