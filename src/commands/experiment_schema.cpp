#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "base/quantity.h"
#include "commands/commands.h"
#include "commands/json.h"
#include "sweep/experiment_file.h"
#include "sweep/hardware_axis.h"
#include "sweep/hardware_file.h"

/// JSON schema (draft-07) of experiment files, for editors.
namespace pimsweep::commands {

namespace {

Json text_schema(const std::string& doc) { return {{"type", "string"}, {"description", doc}}; }

/// One value of an axis. Quantities are texts with a unit; "@NAME" stands for a list of the file.
Json value_schema(const systems::Axis& axis) {
  if (axis.type == ValueType::boolean) return {{"type", "boolean"}};
  if (axis.type == ValueType::text) {
    const bool is_open = axis.choices.empty() || axis.kind == systems::AxisKind::model;
    if (!is_open) return {{"type", "string"}, {"enum", axis.choices}};
    if (axis.choices.empty()) return {{"type", "string"}};
    // Editors offer the names; paths of network files are allowed too.
    return {{"anyOf", {{{"enum", axis.choices}}, {{"type", "string"}, {"pattern", "[./]"}}}}};
  }
  if (axis.unit != "1") return {{"type", "string"}, {"pattern", "^\\s*[-+]?[0-9.]"}};
  Json number{{"type", axis.type == ValueType::integer ? "integer" : "number"}};
  if (axis.min) number["minimum"] = *axis.min;
  if (axis.max) number["maximum"] = *axis.max;
  return number;
}

std::string doc_of(const systems::Axis& axis) {
  std::string doc = axis.doc;
  if (axis.unit != "1") doc += fmt::format(" [{}]", axis.unit);
  if (axis.default_value) doc += fmt::format("; default {}", to_text(*axis.default_value));
  return doc;
}

Json named_list() { return {{"type", "string"}, {"pattern", "^@"}}; }

/// A list of values, or the name of a list of the file.
Json list_schema(const systems::Axis& axis) {
  const Json item{{"anyOf", {value_schema(axis), named_list()}}};
  const Json list{{"type", "array"}, {"minItems", 1}, {"items", item}};
  return {{"description", doc_of(axis)}, {"anyOf", {list, named_list()}}};
}

Json list_or_value_schema(const systems::Axis& axis) {
  Json schema = list_schema(axis);
  schema["anyOf"].push_back(value_schema(axis));
  return schema;
}

Json one_value_schema(const systems::Axis& axis) {
  Json schema = value_schema(axis);
  schema["description"] = doc_of(axis);
  return schema;
}

Json object_schema(const std::string& doc, Json properties) {
  return {
      {"type", "object"}, {"description", doc}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}

/// Keys of a study whose values are tables with a language of their own.
Json open_table(const std::string& doc) { return {{"type", "object"}, {"description", doc}}; }

Json study_schema(const systems::Schema& schema) {
  Json fixed = Json::object();
  Json lists = Json::object();
  Json zipped = Json::object();
  for (const systems::Axis& axis : schema.axes) {
    fixed[axis.name] = one_value_schema(axis);
    lists[axis.name] = list_or_value_schema(axis);
    zipped[axis.name] = list_schema(axis);
    if (axis.name == sweep::hardware_axis) fixed[axis.name] = list_or_value_schema(axis);
  }
  const auto add = [&](const char* key, Json value) { fixed[key] = std::move(value); };
  add("id", {{"type", "string"}, {"pattern", "^[A-Za-z0-9_.-]+$"}, {"description", "name of the study"}});
  add("system", {{"const", schema.name}, {"description", schema.doc}});
  add("doc", text_schema("description, stored with the results"));
  add("where", {{"type", {"string", "array"}}, {"description", "condition that all points satisfy"}});
  add("unknown_operators", text_schema("treatment of unknown operators of network files"));
  add("first_dimension", text_schema("meaning of the first dimension of a network file's input"));
  add("axes", object_schema("lists of values; the study is their product, the first axis slowest", lists));
  add("zip", {{"type", "array"}, {"items", object_schema("lists that advance together", zipped)}});
  add("table", open_table("points from a CSV file"));
  add("sample", open_table("random or quasi-random points from ranges"));
  add("derived", {{"type", "object"},
                  {"description", "metrics computed from others, as in edp = \"time * energy\""},
                  {"additionalProperties", {{"type", "string"}}}});
  add("uncertainty", open_table("sampled machines"));
  add("calibration", open_table("constants fitted to measurements"));
  if (schema.axis_index("search") < 0) add("search", open_table("search instead of a grid"));
  Json study = object_schema("one sweep of a system", std::move(fixed));
  study["required"] = {"id", "system"};
  return study;
}

Json folders_schema(const std::string& doc) {
  return {{"anyOf", {{{"type", "string"}}, {{"type", "array"}, {"items", {{"type", "string"}}}}}},
          {"description", doc}};
}

}  // namespace

int experiment_schema(const std::vector<std::string>& systems, const ConfigFolders& configs) {
  std::vector<std::string> names = systems;
  if (names.empty()) {
    for (const systems::SystemEntry& entry : systems::systems()) names.push_back(entry.name);
  }
  Json definitions = Json::object();
  Json branches = Json::array();
  for (const std::string& name : names) {
    systems::Schema schema = sweep::with_hardware_axis(systems::make_system(name, configs)->schema());
    if (const int axis = schema.axis_index(sweep::hardware_axis); axis >= 0)
      schema.axes[static_cast<std::size_t>(axis)].doc +=
          fmt::format(": {}", fmt::join(sweep::hardware_names_for(schema, configs), ", "));
    definitions[name] = study_schema(schema);
    branches.push_back({{"if", {{"properties", {{"system", {{"const", name}}}}}}},
                        {"then", {{"$ref", fmt::format("#/definitions/{}", name)}}}});
  }
  const Json study{{"type", "object"},
                   {"required", {"id", "system"}},
                   {"properties", {{"system", {{"enum", names}}}}},
                   {"allOf", branches}};
  Json properties{{"name", {{"type", "string"}, {"pattern", "^[A-Za-z0-9_.-]+$"}}},
                  {"doc", text_schema("description of the experiment")},
                  {"format", {{"type", "integer"}}},
                  {"model_folders", folders_schema("folders with models, relative to the file")},
                  {"hardware_folders", folders_schema("folders with hardware files, relative to the file")},
                  {"training_folders", folders_schema("folders with training steps, relative to the file")},
                  {"lists", open_table("lists that studies name as \"@NAME\"")},
                  {"include", {{"type", "array"}, {"items", {{"type", "object"}}}}},
                  {"study", {{"type", "array"}, {"minItems", 1}, {"items", study}}}};
  Json document = object_schema("experiment file of pimsweep", std::move(properties));
  document["$schema"] = "http://json-schema.org/draft-07/schema#";
  document["title"] = "pimsweep experiment";
  document["required"] = {"name"};
  document["definitions"] = std::move(definitions);
  fmt::print("{}", text_of(document));
  return driver::exit_all_done;
}

}  // namespace pimsweep::commands
