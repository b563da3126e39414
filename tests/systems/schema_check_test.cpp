#include "systems/schema_check.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace pimsweep;
using namespace pimsweep::systems;
using Catch::Matchers::Contains;

namespace {

std::vector<std::string> defects_of(const std::string& doc) {
  Schema schema;
  schema.name = "test";
  schema.metrics.push_back({"time", "s", doc});
  schema.main_metrics = {"time"};
  return schema_defects(schema);
}

}  // namespace

TEST_CASE("every doc of every system stands alone, and no name is declared twice") {
  for (const SystemEntry& entry : systems::systems()) {
    const auto system = entry.make("configs");
    for (const std::string& defect : schema_defects(system->schema())) {
      INFO(defect);
      CHECK(false);
    }
    CHECK(system->schema().name == entry.name);
  }
}

TEST_CASE("a doc that leans on the line above it is a defect") {
  CHECK(defects_of("time of a training step").empty());
  for (const char* doc : {"the same of the second segment", "its height with padding", "their share of the time",
                          "of these the largest", "whose layer it is", "two words", "time of a training step."}) {
    INFO(doc);
    CHECK(defects_of(doc).size() == 1);
  }
  CHECK(defects_of("a b c d e f g h i j k l m n o p q r s t u").size() == 1);
}

TEST_CASE("a reason for a missing value is a phrase") {
  Schema schema;
  schema.name = "test";
  schema.metrics.push_back({.name = "time", .unit = "s", .doc = "time of a training step"});
  schema.main_metrics = {"time"};
  for (const char* reason : {"", "policy gpu", "no partner model"}) {
    schema.metrics.front().absent = reason;
    CHECK(schema_defects(schema).empty());
  }
  for (const char* reason : {"gpu", "The policy is gpu."}) {
    schema.metrics.front().absent = reason;
    CHECK(schema_defects(schema).size() == 1);
  }
}

TEST_CASE("a name that is declared twice is a defect") {
  Schema schema;
  schema.name = "test";
  schema.tables.push_back({"rows", "one row for each layer", {{"layer", "1", "name of the layer"}}});
  schema.tables.front().columns.push_back(schema.tables.front().columns.front());
  schema.metrics.push_back({"time", "s", "time of a training step"});
  schema.main_metrics = {"time"};
  REQUIRE(schema_defects(schema).size() == 1);
  CHECK_THAT(schema_defects(schema).front(), Contains("column test/rows 'layer' is declared twice"));
  CHECK_THROWS_WITH(check_schema(schema), Contains("declared twice"));
}

TEST_CASE("a system says by which numbers its designs are compared") {
  Schema schema;
  schema.name = "test";
  schema.metrics.push_back({"bound", "1", "which resource limits the time", ValueType::text});
  REQUIRE(schema_defects(schema).size() == 1);
  CHECK_THAT(schema_defects(schema).front(), Contains("does not name a main metric"));
  for (const char* name : {"bound", "time"}) {
    schema.main_metrics = {name};
    CHECK(schema_defects(schema).size() == 1);
  }
}

TEST_CASE("an axis has the name of its kind") {
  Schema schema;
  schema.name = "test";
  schema.metrics.push_back({"time", "s", "time of a training step"});
  schema.main_metrics = {"time"};
  Axis& axis = schema.axes.emplace_back();
  axis.doc = "network of a training step";
  axis.name = "model";
  REQUIRE(schema_defects(schema).size() == 1);
  CHECK_THAT(schema_defects(schema).front(), Contains("its name belongs to kind 'model'"));
  axis.kind = AxisKind::model;
  CHECK(schema_defects(schema).empty());
  CHECK(schema.axis_index(AxisKind::model) == 0);
  CHECK(schema.axis_index(AxisKind::task) == -1);
  axis.name = "network";
  CHECK(schema_defects(schema).size() == 1);
}
