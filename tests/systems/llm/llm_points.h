#pragma once

#include <string>

#include "systems/llm/llm.h"
#include "systems/system_points.h"

namespace pimsweep::llm_points {

inline SystemPoints points_on(const std::string& hardware) {
  return SystemPoints(systems::llm::make_llm(ConfigFolders("configs")), hardware);
}

inline Value integer(std::int64_t value) { return Value{value}; }
inline Value text(const char* value) { return Value{std::string(value)}; }

/// Sum of a column of table by_operator.
inline double sum(SystemPoints& points, const systems::Record& record, const std::string& column) {
  double total = 0;
  for (const Value& value : points.column(record, "by_operator", column)) total += to_real(value);
  return total;
}

}  // namespace pimsweep::llm_points
