#include "systems/renamed.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "systems/system.h"

using namespace pimsweep;
using namespace pimsweep::systems;

namespace {

template <typename Items>
bool has_name(const Items& items, std::string_view name) {
  return std::any_of(items.begin(), items.end(), [&](const auto& item) { return item.name == name; });
}

/// Whether a system has an axis, a metric or a column of a detail table of this name. Each system with hardware
/// constants has an axis `hardware`, which no schema lists.
bool has_key(const Schema& schema, std::string_view name) {
  if (name == "hardware") {
    return std::any_of(schema.axes.begin(), schema.axes.end(),
                       [](const Axis& axis) { return axis.name.starts_with("hardware."); });
  }
  return has_name(schema.axes, name) || has_name(schema.metrics, name) ||
         std::any_of(schema.tables.begin(), schema.tables.end(),
                     [&](const Table& table) { return has_name(table.columns, name); });
}

std::vector<Schema> all_schemas() {
  std::vector<Schema> schemas;
  for (const SystemEntry& entry : systems::systems()) schemas.push_back(entry.make("configs")->schema());
  return schemas;
}

bool has(const std::vector<std::string>& choices, std::string_view choice) {
  return std::find(choices.begin(), choices.end(), choice) != choices.end();
}

}  // namespace

TEST_CASE("every old name is gone, and every new one is there") {
  const std::vector<Schema> schemas = all_schemas();
  for (const RenamedKey& key : renamed_keys()) {
    INFO(key.owner << ": " << key.old_name);
    const auto schema =
        std::find_if(schemas.begin(), schemas.end(), [&](const Schema& known) { return known.name == key.owner; });
    REQUIRE(schema != schemas.end());
    CHECK_FALSE(has_key(*schema, key.old_name));
    CHECK(has_key(*schema, key.now) == key.has_new_name());
  }
}

TEST_CASE("every old value is one of an axis that has lost it") {
  const std::vector<Schema> schemas = all_schemas();
  for (const RenamedValue& value : renamed_values()) {
    INFO(value.axis << ": " << value.old_text);
    std::size_t axes = 0;
    for (const Schema& schema : schemas) {
      const int index = schema.axis_index(value.axis);
      if (index < 0) continue;
      const std::vector<std::string>& choices = schema.axes[static_cast<std::size_t>(index)].choices;
      if (!has(choices, value.beside)) continue;
      ++axes;
      CHECK_FALSE(has(choices, value.old_text));
    }
    CHECK(axes >= 1);
  }
}

TEST_CASE("an old name or value is told with what it is now") {
  const std::vector<std::string> names{"time", "energy"};
  CHECK(unknown_name_hint("hypar", "step_time", names) == "; 'step_time' is called 'time' since version 0.2");
  CHECK(unknown_name_hint("pimflow", "preset", names) == "; 'preset' is part of the hardware file since version 0.2");
  const std::vector<std::string> systems{"dram", "allspark"};
  CHECK(unknown_name_hint(systems, "latency", names) == "; 'latency' is called 'time' since version 0.2");
  CHECK(unknown_name_hint(systems, "enrgy", names) == " (did you mean 'energy'?)");

  const std::vector<std::string> allspark{"branch", "allspark"};
  CHECK(unknown_value_hint("policy", "gpu", allspark) == "; 'gpu' is execution = \"gpu\" since version 0.2");
  const std::vector<std::string> regression{"ols", "k-neighbors"};
  CHECK(unknown_value_hint("performance_model", "k-neighbours", regression) ==
        "; 'k-neighbours' is called 'k-neighbors' since version 0.2");
}

TEST_CASE("what was never an old name of a system gets the nearest one") {
  const std::vector<std::string> names{"batch", "model"};
  CHECK(unknown_name_hint("dram", "bacth", names) == " (did you mean 'batch'?)");
  CHECK(unknown_name_hint("noc", "preset", names).empty());
  const std::vector<std::string> policies{"data", "hypar"};
  CHECK(unknown_value_hint("policy", "gpu", policies).empty());
  CHECK(unknown_value_hint("policy", "hypr", policies) == " (did you mean 'hypar'?)");
}
