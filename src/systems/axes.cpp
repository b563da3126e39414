#include "systems/axes.h"

#include <stdexcept>

namespace pimsweep::systems {

Axis text_axis(std::string name, std::optional<Value> default_value, std::vector<std::string> choices,
               std::string doc) {
  return {std::move(name), ValueType::text, "1", std::move(default_value), {}, {}, std::move(choices), std::move(doc)};
}

Axis flag_axis(std::string name, bool default_value, std::string doc) {
  return {std::move(name), ValueType::boolean, "1", Value{default_value}, {}, {}, {}, std::move(doc)};
}

Axis count_axis(std::string name, std::optional<Value> default_value, double min, double max, std::string doc) {
  return {std::move(name), ValueType::integer, "1", std::move(default_value), min, max, {}, std::move(doc)};
}

Axis quantity_axis(std::string name, std::string unit, double min, double max, std::string doc) {
  return {std::move(name), ValueType::real, std::move(unit), {}, min, max, {}, std::move(doc)};
}

std::size_t axis_at(const Schema& schema, std::string_view name) {
  const int index = schema.axis_index(name);
  if (index < 0) throw std::logic_error("no axis " + std::string(name));
  return static_cast<std::size_t>(index);
}

}  // namespace pimsweep::systems
