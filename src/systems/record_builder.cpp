#include "systems/record_builder.h"

#include <stdexcept>
#include <string>

namespace pimsweep::systems {

void RecordBuilder::put(std::string_view metric, Value value) {
  const int index = schema_.metric_index(metric);
  if (index < 0) throw std::logic_error("no metric " + std::string(metric));
  record_.metrics[static_cast<std::size_t>(index)] = std::move(value);
}

void RecordBuilder::add(std::string_view table, std::initializer_list<Value> row) {
  const int index = schema_.table_index(table);
  if (index < 0) throw std::logic_error("no table " + std::string(table));
  std::vector<Value>& cells = record_.tables[static_cast<std::size_t>(index)];
  cells.insert(cells.end(), row);
}

}  // namespace pimsweep::systems
