#include "systems/system.h"

namespace pimsweep {

namespace {

template <typename Items>
int index_of(const Items& items, std::string_view name) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

int Schema::axis_index(std::string_view axis) const { return index_of(axes, axis); }
int Schema::metric_index(std::string_view metric) const { return index_of(metrics, metric); }
int Schema::table_index(std::string_view table) const { return index_of(tables, table); }

std::string_view name_of(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::infeasible:
      return "infeasible";
    case Status::failed:
      return "failed";
    case Status::crashed:
      return "crashed";
    case Status::not_run:
      return "not_run";
  }
  return "unknown";
}

void Record::reset(const Schema& schema) {
  status = Status::not_run;
  message.clear();
  metrics.resize(schema.metrics.size());
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (schema.metrics[i].type == ValueType::text) {
      if (auto* text = std::get_if<std::string>(&metrics[i]))
        text->clear();
      else
        metrics[i] = std::string{};
    } else {
      metrics[i] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  tables.resize(schema.tables.size());
  for (auto& rows : tables) rows.clear();
}

}  // namespace pimsweep
