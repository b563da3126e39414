#include "sweep/hardware_axis.h"

#include <algorithm>
#include <string>
#include <utility>

namespace pimsweep::sweep {

systems::Schema with_hardware_axis(systems::Schema schema) {
  bool any = false;
  bool all_have_defaults = true;
  for (const systems::Axis& axis : schema.axes) {
    if (!is_hardware_constant(axis)) continue;
    any = true;
    all_have_defaults = all_have_defaults && axis.default_value;
  }
  if (!any) return schema;
  systems::Axis axis;
  axis.name = hardware_axis;
  axis.type = ValueType::text;
  axis.doc = "hardware file that the hardware constants come from";
  if (all_have_defaults) axis.default_value = std::string();
  schema.axes.push_back(std::move(axis));
  if (schema.axis_index(std::string(hardware_prefix) + std::string(memory_clock)) >= 0) {
    systems::Axis memory;
    memory.name = memory_axis;
    memory.type = ValueType::text;
    memory.doc = "hardware file of the memory that PIM works on (dram-*); empty: that of its own file";
    memory.default_value = std::string();
    schema.axes.push_back(std::move(memory));
  }
  return schema;
}

systems::Schema with_draw_axis(systems::Schema schema) {
  systems::Axis axis;
  axis.name = draw_axis;
  axis.type = ValueType::integer;
  axis.min = 0;
  axis.doc = "machine: 0 is nominal (hardware file), others are sampled";
  axis.default_value = std::int64_t{0};
  schema.axes.push_back(std::move(axis));
  return schema;
}

}  // namespace pimsweep::sweep
