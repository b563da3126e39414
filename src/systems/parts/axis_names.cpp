#include "systems/parts/axis_names.h"

namespace pimsweep::systems::parts {

std::vector<std::string> axis_names(const Schema& schema) {
  std::vector<std::string> names;
  names.reserve(schema.axes.size());
  for (const Axis& axis : schema.axes) names.push_back(axis.name);
  return names;
}

}  // namespace pimsweep::systems::parts
