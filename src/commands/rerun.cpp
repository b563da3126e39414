#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <optional>

#include "commands/commands.h"
#include "commands/text_table.h"
#include "driver/evaluator.h"
#include "results/results_reader.h"
#include "results/stored_definitions.h"
#include "results/stored_network.h"
#include "sweep/axis_value.h"
#include "sweep/hardware_axis.h"
#include "workload/import/network_files.h"

namespace pimsweep::commands {

namespace {

/// The named study, or the file's only one.
std::string choose_study(const std::string& file, const std::vector<std::string>& named) {
  const std::vector<std::string> ids = results::study_ids(file);
  if (named.size() > 1) throw InputError("rerun takes only one --study");
  if (named.empty()) {
    if (ids.size() == 1) return ids.front();
    throw InputError(
        fmt::format("'{}' has {} studies, so --study must name one: {}", file, ids.size(), fmt::join(ids, ", ")));
  }
  if (std::find(ids.begin(), ids.end(), named.front()) != ids.end()) return named.front();
  throw InputError(fmt::format("'{}' has no study '{}'{}; studies: {}", file, named.front(),
                               suggestion(named.front(), ids), fmt::join(ids, ", ")));
}

/// The axes of a stored point, converted to the current schema.
struct Axes {
  std::vector<Value> values;
  /// Differences between the stored and the current axes, one sentence each.
  std::vector<std::string> changes;
};

std::optional<Value> converted(const Value& value, ValueType type) {
  if (type_of(value) == type) return value;
  if (type == ValueType::real && type_of(value) == ValueType::integer) return to_real(value);
  return std::nullopt;
}

Axes current_axes(const std::string& file, const systems::Schema& stored, const std::vector<Value>& values,
                  const systems::Schema& today) {
  Axes axes;
  ProblemList problems;
  for (const systems::Axis& axis : stored.axes) {
    // The axis `hardware` is redundant: the file stores the values of its constants.
    if (today.axis_index(axis.name) < 0 && axis.name != sweep::hardware_axis) {
      axes.changes.push_back(
          fmt::format("axis '{}' of the file no longer exists in system '{}' and is ignored", axis.name, today.name));
    }
  }
  for (const systems::Axis& axis : today.axes) {
    const int index = stored.axis_index(axis.name);
    if (index < 0) {
      if (!axis.default_value) {
        problems.add({file, 0, 0},
                     fmt::format("the file lacks axis '{}', which system '{}' now needs", axis.name, today.name));
        continue;
      }
      axes.values.push_back(*axis.default_value);
      axes.changes.push_back(
          fmt::format("the file lacks axis '{}'; its default {} is used", axis.name, to_text(*axis.default_value)));
      continue;
    }
    const Value& value = values[static_cast<std::size_t>(index)];
    const std::optional<Value> fitting = converted(value, axis.type);
    if (!fitting) {
      problems.add({file, 0, 0}, fmt::format("axis '{}' is {} in the file, but {} now", axis.name,
                                             name_of(type_of(value)), name_of(axis.type)));
      continue;
    }
    try {
      sweep::check_resolved(axis, *fitting);
    } catch (const InputError& error) {
      problems.add_at({file, 0, 0}, error);
    }
    axes.values.push_back(*fitting);
  }
  problems.throw_if_any();
  return axes;
}

/// Makes the network of a point that names it by its file, which need not exist any more.
void restore_network(const std::string& file, const systems::Schema& schema, const Axes& axes) {
  const int index = schema.axis_index("model");
  if (index < 0) return;
  const std::string& name = std::get<std::string>(axes.values[static_cast<std::size_t>(index)]);
  if (!workload::import::is_network_file(name)) return;
  workload::import::restore_network(name, results::stored_network(file, name));
}

/// The folders with what the results keep of models and training steps, which comes first.
ConfigFolders with_kept_definitions(const ConfigFolders& configs, const std::string& file) {
  ConfigFolders folders;
  const auto add = [&](std::vector<ConfigFolder>& list, std::string_view prefix) {
    ConfigFolder kept{file, false, results::stored_definitions(file, prefix)};
    if (!kept.kept.empty()) list.push_back(std::move(kept));
  };
  add(folders.models, results::model_prefix);
  add(folders.training, results::training_prefix);
  folders.append(configs);
  return folders;
}

/// One line of the comparison; a side without the value is empty.
struct Compared {
  std::string name;
  std::optional<Value> stored;
  std::optional<Value> now;
};

/// Bitwise equality, except that all NaN are equal, because each stands for a missing value.
bool equal(const Value& a, const Value& b) {
  const auto* x = std::get_if<double>(&a);
  const auto* y = std::get_if<double>(&b);
  if (x == nullptr || y == nullptr) return a == b;
  return std::bit_cast<std::uint64_t>(*x) == std::bit_cast<std::uint64_t>(*y) || (std::isnan(*x) && std::isnan(*y));
}

bool equal(const Compared& line) { return line.stored && line.now && equal(*line.stored, *line.now); }

/// Converts numbers of metrics and real columns to reals, as they are stored.
Value as_stored(const Value& value, bool exact_type) {
  if (exact_type || type_of(value) == ValueType::text) return value;
  return to_real(value);
}

/// The union of the names in both lists, those of the first list first.
template <typename Items>
std::vector<std::string> all_names(const Items& first, const Items& second) {
  std::vector<std::string> names;
  for (const Items* items : {&first, &second}) {
    for (const auto& item : *items) {
      if (std::find(names.begin(), names.end(), item.name) == names.end()) names.push_back(item.name);
    }
  }
  return names;
}

std::optional<Value> metric_of(const systems::Schema& schema, const systems::Record& record, const std::string& name) {
  const int index = schema.metric_index(name);
  if (index < 0) return std::nullopt;
  return as_stored(record.metrics[static_cast<std::size_t>(index)], false);
}

/// The cells of one column of a table; empty if the schema lacks it.
std::vector<Value> column_of(const systems::Schema& schema, const systems::Record& record, const std::string& table,
                             const std::string& column) {
  const int index = schema.table_index(table);
  if (index < 0) return {};
  const auto& columns = schema.tables[static_cast<std::size_t>(index)].columns;
  const auto& cells = record.tables[static_cast<std::size_t>(index)];
  std::vector<Value> found;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    const systems::Metric& described = columns[cell % columns.size()];
    if (described.name == column) found.push_back(as_stored(cells[cell], described.type != ValueType::real));
  }
  return found;
}

std::vector<systems::Metric> columns_of_table(const systems::Schema& schema, const std::string& table) {
  const int index = schema.table_index(table);
  return index < 0 ? std::vector<systems::Metric>{} : schema.tables[static_cast<std::size_t>(index)].columns;
}

std::vector<Compared> compare(const systems::Schema& then, const systems::Record& stored, const systems::Schema& today,
                              const systems::Record& now) {
  std::vector<Compared> lines;
  lines.push_back({"status", std::string(name_of(stored.status)), std::string(name_of(now.status))});
  lines.push_back({"message", stored.message, now.message});
  for (const std::string& name : all_names(then.metrics, today.metrics))
    lines.push_back({name, metric_of(then, stored, name), metric_of(today, now, name)});
  for (const std::string& table : all_names(then.tables, today.tables)) {
    for (const std::string& column : all_names(columns_of_table(then, table), columns_of_table(today, table))) {
      const std::vector<Value> old_cells = column_of(then, stored, table, column);
      const std::vector<Value> new_cells = column_of(today, now, table, column);
      for (std::size_t row = 0; row < std::max(old_cells.size(), new_cells.size()); ++row) {
        Compared& line = lines.emplace_back(Compared{fmt::format("{}[{}].{}", table, row, column), {}, {}});
        if (row < old_cells.size()) line.stored = old_cells[row];
        if (row < new_cells.size()) line.now = new_cells[row];
      }
    }
  }
  return lines;
}

std::string shown(const std::optional<Value>& value) {
  if (!value) return "-";
  return type_of(*value) == ValueType::text ? fmt::format("\"{}\"", std::get<std::string>(*value)) : to_text(*value);
}

/// Prints the point's stored and current identity; true if they are equal.
bool print_identity(systems::System& system, const systems::Point& point, const Hash128& stored,
                    const systems::Schema& then, const Axes& axes) {
  const systems::Schema& today = system.schema();
  std::string now;
  try {
    now = identity(system, point).text();
  } catch (const std::exception& error) {
    fmt::print("identity {}; it cannot be computed now: {}\n", stored.text(), error.what());
    return false;
  }
  if (now == stored.text()) {
    fmt::print("identity {}, unchanged\n", now);
    return true;
  }
  fmt::print("identity {}, but {} now:\n", stored.text(), now);
  if (then.version != today.version)
    fmt::print("  system '{}' had version {} and has version {} now\n", today.name, then.version, today.version);
  for (const std::string& change : axes.changes) fmt::print("  {}\n", change);
  if (then.version == today.version && axes.changes.empty())
    fmt::print("  the workload of the point has changed (for example, its model file)\n");
  return false;
}

}  // namespace

int rerun(const std::string& file, const std::vector<std::string>& studies, std::int64_t index, bool all,
          const ConfigFolders& configs) {
  const std::string study = choose_study(file, studies);
  const systems::Schema then = results::stored_schema(file, study);
  results::StudyReader reader(file, study, then);
  const auto number = static_cast<std::uint64_t>(index);
  if (index < 0 || number >= reader.size()) {
    throw InputError(reader.size() == 0
                         ? fmt::format("study '{}' of '{}' has no points", study, file)
                         : fmt::format("--point {}: the points of study '{}' in '{}' are numbered 0 to {}", index,
                                       study, file, reader.size() - 1));
  }
  results::JournalEntry stored;
  reader.read(number, stored);
  if (stored.record.status == systems::Status::not_run) {
    throw InputError(fmt::format("point {} of study '{}' in '{}' was not run: there is no result to compare with",
                                 number, study, file));
  }
  std::vector<Value> values;
  reader.read_axes(number, values);

  const auto system = systems::make_system(then.name, with_kept_definitions(configs, file));
  const systems::Schema& today = system->schema();
  const Axes axes = current_axes(file, then, values, today);
  systems::Point point(axes.values.size());
  for (std::size_t i = 0; i < axes.values.size(); ++i) point.set(i, &axes.values[i]);

  restore_network(file, today, axes);
  fmt::print("point {} of study {} (system {} version {})\n", number, study, then.name, then.version);
  const bool same_identity = print_identity(*system, point, stored.identity, then, axes);
  systems::Record now;
  driver::evaluate_point(*system, point, now);

  const std::vector<Compared> lines = compare(then, stored.record, today, now);
  TextTable table({"value", "stored", "now", ""});
  std::size_t different = 0;
  for (const Compared& line : lines) {
    const bool same = equal(line);
    if (!same) ++different;
    if (all || !same) table.add({line.name, shown(line.stored), shown(line.now), same ? "" : "differs"});
  }
  if (table.size() > 0) fmt::print("\n{}\n", table.aligned());
  if (different == 0)
    fmt::print("all {} values are equal bit for bit\n", lines.size());
  else
    fmt::print("{} of {} values differ\n", different, lines.size());
  return different == 0 && same_identity ? 0 : 1;
}

}  // namespace pimsweep::commands
