#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <optional>

#include "base/message.h"
#include "commands/commands.h"
#include "commands/stored_point.h"
#include "commands/text_table.h"
#include "driver/evaluator.h"

namespace pimsweep::commands {

namespace {

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

bool is_equal(const Compared& line) { return line.stored && line.now && equal(*line.stored, *line.now); }

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

/// Texts for people are in quotes, which show an empty one.
std::string shown(const std::optional<Value>& value, bool in_quotes) {
  if (!value) return "-";
  return in_quotes && type_of(*value) == ValueType::text ? fmt::format("\"{}\"", std::get<std::string>(*value))
                                                         : to_text(*value);
}

/// All lines, or those that differ.
TextTable table_of(const std::vector<Compared>& lines, bool all, bool in_quotes) {
  TextTable table({"value", "stored", "now", "result"});
  for (const Compared& line : lines) {
    const bool same = is_equal(line);
    if (all || !same)
      table.add({line.name, shown(line.stored, in_quotes), shown(line.now, in_quotes), same ? "equal" : "differs"});
  }
  return table;
}

/// The identity that the point would have now; empty if it cannot be computed, after the reason.
std::string identity_now(const RevivedPoint& revived) {
  try {
    return identity(*revived.system, revived.point()).text();
  } catch (const std::exception& error) {
    print_warning("the identity cannot be computed now: {}", error.what());
    return {};
  }
}

void print_identity(const StoredPoint& point, const RevivedPoint& revived, const std::string& now) {
  const systems::Schema& then = point.schema;
  const systems::Schema& today = revived.system->schema();
  const std::string stored = point.entry.identity.text();
  fmt::print("point {} of study {} (system {} version {})\n", point.number, point.study, then.name, then.version);
  if (now == stored) fmt::print("identity {}, unchanged\n", now);
  if (now == stored || now.empty()) return;
  fmt::print("identity {}, but {} now:\n", stored, now);
  if (then.version != today.version)
    fmt::print("  system '{}' had version {} and has version {} now\n", today.name, then.version, today.version);
  for (const std::string& change : revived.changes) fmt::print("  {}\n", change);
  if (then.version == today.version && revived.changes.empty())
    fmt::print("  the workload of the point has changed (for example, its model file)\n");
}

}  // namespace

int rerun(const std::string& file, const std::vector<std::string>& studies, std::int64_t index, bool all,
          const OutputForm& form, const ConfigFolders& configs) {
  const StoredPoint stored = read_stored_point(file, studies, index);
  RevivedPoint revived = revive(stored, configs);
  const std::string identity = identity_now(revived);
  if (form.has_text()) print_identity(stored, revived, identity);
  systems::Record now;
  driver::evaluate_point(*revived.system, revived.point(), now);

  std::vector<Compared> lines = compare(stored.schema, stored.entry.record, revived.system->schema(), now);
  const std::size_t values = lines.size();
  const auto different = values - static_cast<std::size_t>(std::ranges::count_if(lines, is_equal));
  lines.insert(lines.begin(), {"identity", stored.entry.identity.text(), identity});
  write_table(table_of(lines, all, false), form, {});
  if (form.has_text()) {
    const TextTable table = table_of(lines, all, true);
    if (table.size() > 0) fmt::print("\n{}\n", table.aligned());
    if (different == 0)
      fmt::print("all {} values are equal bit for bit\n", values);
    else
      fmt::print("{} of {} values differ\n", different, values);
  }
  return different == 0 && is_equal(lines.front()) ? 0 : 1;
}

}  // namespace pimsweep::commands
