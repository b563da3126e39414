#include "systems/schema_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "systems/timeline.h"

namespace pimsweep::systems {

namespace {

constexpr std::size_t min_words = 3;
constexpr std::size_t max_words = 20;

/// First words of docs that depend on the preceding line.
constexpr std::array<std::string_view, 10> leaning{"the same", "its ",        "their ", "of these", "of those",
                                                   "of that",  "of the same", "whose ", "these ",   "those "};

std::size_t words_in(const std::string& text) {
  std::istringstream words(text);
  std::size_t count = 0;
  for (std::string word; words >> word;) ++count;
  return count;
}

/// The defect of a doc; empty if it stands alone.
std::string fault_of(const std::string& doc) {
  const std::size_t words = words_in(doc);
  if (words < min_words || words > max_words) {
    return fmt::format("has {} words, not {} to {}", words, min_words, max_words);
  }
  const auto* found =
      std::find_if(leaning.begin(), leaning.end(), [&](std::string_view begin) { return doc.starts_with(begin); });
  if (found != leaning.end()) return fmt::format("begins with '{}'", *found);
  return doc.ends_with('.') ? "ends with a period" : std::string();
}

/// Reasons follow a colon, and end without a period.
void check_absent(const std::vector<Metric>& columns, const std::string& owner, std::vector<std::string>& defects) {
  constexpr std::size_t min_words_of_reason = 2;
  for (const Metric& column : columns) {
    if (column.absent.empty()) continue;
    if (words_in(column.absent) >= min_words_of_reason && !column.absent.ends_with('.')) continue;
    defects.push_back(
        fmt::format("the reason why {} '{}' may be absent is not a phrase: \"{}\"", owner, column.name, column.absent));
  }
}

/// An axis has the name of its kind, and a name that belongs to a kind is not used for anything else.
void check_kinds(const Schema& schema, std::vector<std::string>& defects) {
  for (const Axis& axis : schema.axes) {
    const AxisKind named = value_of(axis_kind_names, axis.name).value_or(AxisKind::setting);
    if (axis.kind == named) continue;
    defects.push_back(fmt::format("axis '{}' of system {} is of kind '{}', but its name belongs to kind '{}'",
                                  axis.name, schema.name, word_of(axis_kind_names, axis.kind),
                                  word_of(axis_kind_names, named)));
  }
}

/// Checks names and docs of axes, metrics or columns.
template <typename Items>
void check(const Items& items, const std::string& owner, std::vector<std::string>& defects) {
  std::set<std::string> names;
  for (const auto& item : items) {
    if (!names.insert(item.name).second) defects.push_back(fmt::format("{} '{}' is declared twice", owner, item.name));
    if (const std::string fault = fault_of(item.doc); !fault.empty()) {
      defects.push_back(fmt::format("the doc of {} '{}' {}: \"{}\"", owner, item.name, fault, item.doc));
    }
  }
}

}  // namespace

std::vector<std::string> schema_defects(const Schema& schema) {
  std::vector<std::string> defects;
  check(schema.axes, fmt::format("axis {}", schema.name), defects);
  check_kinds(schema, defects);
  check(schema.metrics, fmt::format("metric {}", schema.name), defects);
  check_absent(schema.metrics, fmt::format("metric {}", schema.name), defects);
  check(schema.tables, fmt::format("table {}", schema.name), defects);
  if (schema.main_metrics.empty()) defects.push_back(fmt::format("system {} does not name a main metric", schema.name));
  for (const std::string& name : schema.main_metrics) {
    const int index = schema.metric_index(name);
    if (index >= 0 && schema.metrics[static_cast<std::size_t>(index)].type == ValueType::real) continue;
    defects.push_back(fmt::format("main metric '{}' of system {} is not a numeric metric", name, schema.name));
  }
  for (const Table& table : schema.tables) {
    const std::string owner = fmt::format("column {}/{}", schema.name, table.name);
    check(table.columns, owner, defects);
    check_absent(table.columns, owner, defects);
    for (const std::string& fault : timeline_defects(table)) {
      defects.push_back(fmt::format("timeline {}/{} {}", schema.name, table.name, fault));
    }
  }
  return defects;
}

void check_schema(const Schema& schema) {
  const std::vector<std::string> defects = schema_defects(schema);
  if (!defects.empty()) throw std::logic_error(fmt::format("{}", fmt::join(defects, "; ")));
}

}  // namespace pimsweep::systems
