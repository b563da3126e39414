#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/quantity.h"
#include "base/words.h"
#include "commands/broken_files.h"
#include "commands/commands.h"
#include "commands/model_view.h"
#include "commands/terminal.h"
#include "commands/text_table.h"
#include "sweep/hardware_axis.h"
#include "sweep/hardware_systems.h"

namespace pimsweep::commands {

namespace {

std::string joined(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : " | ") + item;
  return text;
}

std::string range_of(const systems::Axis& axis, bool whole) {
  constexpr std::size_t max_shown = 10;
  if (axis.choices.size() > max_shown && !whole) {
    return fmt::format("{} | ... | {} ({})", axis.choices.front(), axis.choices.back(), axis.choices.size());
  }
  if (!axis.choices.empty()) return joined(axis.choices);
  if (!axis.min && !axis.max) return "";
  const auto bound = [&](const std::optional<double>& value, const char* open) {
    if (!value) return std::string(open);
    return axis.unit == "1" ? fmt::format("{}", *value) : format_quantity(*value, axis.unit);
  };
  return bound(axis.min, "-inf") + " .. " + bound(axis.max, "inf");
}

/// Empty for text.
std::string range_of(const systems::Metric& metric) {
  if (metric.type == ValueType::text) return "";
  return metric.range == systems::Range::non_negative ? "0 .. inf" : "-inf .. inf";
}

std::string default_of(const systems::Axis& axis) {
  if (axis.default_value) return to_text(*axis.default_value);
  return sweep::is_hardware_constant(axis) ? "(hardware file)" : "(required)";
}

/// The names of the systems that `name` selects: all if it is empty.
std::vector<std::string> selected_systems(const std::string& name) {
  if (!name.empty()) return {name};
  std::vector<std::string> names;
  for (const systems::SystemEntry& entry : systems::systems()) names.push_back(entry.name);
  return names;
}

TextTable list_systems(const std::string& name, const ConfigFolders& configs) {
  TextTable table({"system", "version", "axes", "metrics", "tables", "doc"});
  for (const std::string& system_name : selected_systems(name)) {
    const auto system = systems::make_system(system_name, configs);
    const systems::Schema& schema = system->schema();
    table.add({schema.name, std::to_string(schema.version), std::to_string(schema.axes.size()),
               std::to_string(schema.metrics.size()), std::to_string(schema.tables.size()), schema.doc});
  }
  return table;
}

/// Long lists of allowed values are cut where a person reads them.
TextTable list_axes(const std::string& name, bool whole, const ConfigFolders& configs) {
  TextTable table({"system", "axis", "type", "unit", "default", "allowed", "doc"});
  for (const std::string& system_name : selected_systems(name)) {
    const auto system = systems::make_system(system_name, configs);
    for (const systems::Axis& axis : sweep::with_hardware_axis(system->schema()).axes) {
      table.add({system_name, axis.name, std::string(name_of(axis.type)), axis.unit, default_of(axis),
                 range_of(axis, whole), axis.doc});
    }
  }
  return table;
}

/// Why a metric may be absent has a column of its own for scripts, and stands behind the doc for people.
TextTable list_metrics(const std::string& name, bool is_for_people, const ConfigFolders& configs) {
  std::vector<std::string> headings{"system", "table", "metric", "type", "unit", "range", "doc"};
  if (!is_for_people) headings.emplace_back("absent");
  TextTable table(headings);
  for (const std::string& system_name : selected_systems(name)) {
    const auto system = systems::make_system(system_name, configs);
    const systems::Schema& schema = system->schema();
    const auto add = [&](const std::string& where, const systems::Metric& metric) {
      std::vector<std::string> row{
          system_name,      where,     metric.name, std::string(name_of(metric.type)), metric.unit,
          range_of(metric), metric.doc};
      if (!is_for_people)
        row.push_back(metric.absent);
      else if (!metric.absent.empty())
        row.back() += fmt::format(" (absent: {})", metric.absent);
      table.add(std::move(row));
    };
    for (const systems::Metric& metric : schema.metrics) add("", metric);
    for (const systems::Table& detail : schema.tables) {
      for (const systems::Metric& column : detail.columns) add(detail.name, column);
    }
  }
  return table;
}

TextTable list_policies(const std::string& name) {
  TextTable table({"system", "policy", "doc"});
  std::vector<std::string> known;
  for (const systems::SystemEntry& entry : systems::systems()) {
    known.push_back(entry.name);
    if (!name.empty() && entry.name != name) continue;
    if (entry.policies == nullptr) continue;
    for (const systems::PolicyInfo& policy : entry.policies()) table.add({entry.name, policy.name, policy.doc});
  }
  if (!name.empty() && std::find(known.begin(), known.end(), name) == known.end()) {
    throw InputError(
        fmt::format("there is no system '{}'{}; systems: {}", name, suggestion(name, known), joined(known)));
  }
  return table;
}

TextTable list_models(const std::string& name, const ConfigFolders& configs) {
  using Installed = workload::DefinitionIndex::Installed;
  const workload::ModelLibrary library(configs.models, name.empty() ? Installed::at_once : Installed::when_used);
  const std::vector<std::string> transformers = library.vision_transformers();
  TextTable table({"model", "family", "image_px", "parameters", "macs", "weights", "branches", "file"});
  const std::vector<std::string> names = name.empty() ? std::vector<std::string>{} : std::vector{name};
  for (const std::string& model : selected_models(library, names)) {
    const std::int64_t image_px = shown_size(library, model, {});
    const workload::OperatorGraph graph = library.graph(model, image_px);
    const workload::DefinitionIndex::File* file = library.index().file_of(model);
    table.add({model, library.family(model), std::to_string(image_px), std::to_string(graph.parameters()),
               std::to_string(graph.macs()), std::to_string(graph.weights()),
               std::find(transformers.begin(), transformers.end(), model) == transformers.end() ? "no" : "yes",
               file == nullptr ? name : file->path});
  }
  return table;
}

/// The constants of one file.
TextTable list_constants(const std::string& name, sweep::HardwareSystems& systems) {
  const sweep::HardwareFile file = systems.load(name);
  TextTable table({"hardware", "key", "value (SI)", "calibrated to", "source"});
  for (const auto& [key, constant] : file.constants)
    table.add({file.short_name, key, to_text(constant.value), joined(constant.calibrated_to), constant.source});
  return table;
}

/// All files, or those that the system `for_system` takes.
TextTable list_hardware(const std::string& name, const std::string& for_system, const ConfigFolders& configs) {
  sweep::HardwareSystems systems(configs);
  if (!name.empty()) return list_constants(name, systems);
  if (!for_system.empty()) systems::make_system(for_system, configs);  // throws if there is none
  TextTable table({"hardware", "systems", "constants", "doc", "file"});
  for (const std::string& hardware : sweep::hardware_names(configs)) {
    const std::vector<std::string> takers = systems.systems_of(hardware);
    if (takers.empty()) continue;  // the warning tells
    if (!for_system.empty() && std::ranges::find(takers, for_system) == takers.end()) continue;
    const sweep::HardwareFile file = systems.load(hardware);
    table.add({file.short_name, fmt::format("{}", fmt::join(takers, " ")), std::to_string(file.constants.size()),
               file.doc, file.path});
  }
  return table;
}

/// Arguments of `pimsweep list`.
struct Listing {
  const std::string& name;
  /// Hardware of this system alone; empty: all.
  const std::string& for_system;
  /// For scripts: long lists of allowed values are not cut, and every fact has its column.
  bool whole;
  const ConfigFolders& configs;
};

/// Lists by name.
constexpr std::array subjects{
    Word{"systems", +[](const Listing& l) { return list_systems(l.name, l.configs); }},
    Word{"axes", +[](const Listing& l) { return list_axes(l.name, l.whole, l.configs); }},
    Word{"metrics", +[](const Listing& l) { return list_metrics(l.name, !l.whole, l.configs); }},
    Word{"models", +[](const Listing& l) { return list_models(l.name, l.configs); }},
    Word{"hardware", +[](const Listing& l) { return list_hardware(l.name, l.for_system, l.configs); }},
    Word{"policies", +[](const Listing& l) { return list_policies(l.name); }},
};

/// Fits the columns to a terminal. The system is not repeated where there is one.
void print_fitted(const TextTable& table, bool is_one_system) {
  constexpr std::array<std::string_view, 10> order{"system",   "file", "constants", "version", "weights",
                                                   "branches", "type", "range",     "tables",  "image_px"};
  constexpr std::array<std::string_view, 3> movable{"allowed", "calibrated to", "default"};
  const std::span<const std::string_view> droppable(order);
  std::vector<std::string> dropped;
  fmt::print("{}",
             table.described(terminal_columns(), is_one_system ? droppable : droppable.subspan(1), movable, dropped));
  if (is_one_system) std::erase(dropped, "system");
  if (!dropped.empty()) fmt::print("not shown: {} (--csv and --json have them)\n", fmt::join(dropped, ", "));
}

}  // namespace

std::vector<std::string> list_subjects() { return names_of(subjects); }

int list(const std::string& what, const std::string& name, const std::string& for_system, const OutputForm& form,
         const ConfigFolders& configs) {
  const auto table_of = value_of(subjects, what);
  if (what == "operators") throw InputError("the operators of a model are shown by `pimsweep model NAME`");
  if (!table_of) {
    throw InputError(fmt::format("cannot list '{}'{}; choose from {}", what, suggestion(what, list_subjects()),
                                 joined(list_subjects())));
  }
  if (!for_system.empty() && what != "hardware") throw InputError("--for SYSTEM is for `pimsweep list hardware`");
  const TextTable table = (*table_of)({name, for_system, !form.has_text() || !form.csv.empty(), configs});
  print_warnings(find_broken_files(configs));
  if (form.has_text())
    print_fitted(table, !name.empty() && (what == "axes" || what == "metrics" || what == "policies"));
  write_table(
      table, form,
      {"version", "axes", "metrics", "tables", "image_px", "parameters", "macs", "weights", "constants", "value (SI)"});
  return 0;
}

}  // namespace pimsweep::commands
