#include "commands/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "base/quantity.h"
#include "commands/text_table.h"
#include "driver/evaluator.h"
#include "sweep/hardware_axis.h"

namespace pimsweep::commands {

namespace {

constexpr double step = 0.1;
constexpr std::size_t max_shares = 4;
constexpr std::size_t max_influences = 3;
constexpr double min_share = 0.01;
constexpr std::chrono::seconds limit{5};

double number_of(const systems::Record& record, int metric) {
  if (metric < 0 || record.status != systems::Status::ok) return systems::no_number;
  const auto* number = std::get_if<double>(&record.metrics[static_cast<std::size_t>(metric)]);
  return number == nullptr ? systems::no_number : *number;
}

std::vector<Verdict::Share> largest(std::vector<Verdict::Share> shares) {
  std::erase_if(shares, [](const Verdict::Share& share) { return !(share.share >= min_share); });
  std::ranges::stable_sort(shares, std::greater{}, &Verdict::Share::share);
  if (shares.size() > max_shares) shares.resize(max_shares);
  return shares;
}

/// Sums of the column `time` of a detail table by the texts of another column.
std::vector<Verdict::Share> shares_by(const systems::Table& table, const std::vector<Value>& cells, std::size_t time,
                                      std::size_t column) {
  std::map<std::string, double> sums;
  double whole = 0;
  for (std::size_t row = 0; row + table.columns.size() <= cells.size(); row += table.columns.size()) {
    const auto* seconds = std::get_if<double>(&cells[row + time]);
    if (seconds == nullptr || !std::isfinite(*seconds)) continue;
    sums[to_text(cells[row + column])] += *seconds;
    whole += *seconds;
  }
  std::vector<Verdict::Share> shares;
  shares.reserve(sums.size());
  for (const auto& [name, seconds] : sums) shares.push_back({name, seconds / whole});
  return largest(std::move(shares));
}

/// Shares of the time by its parts: metrics that the system declares one after the other, among those in seconds, and
/// that add up to its time.
void add_parts_of_time(const systems::Schema& schema, const systems::Record& record, Verdict& verdict) {
  const double time = number_of(record, schema.metric_index("time"));
  std::vector<Verdict::Share> parts;
  for (std::size_t i = 0; i < schema.metrics.size(); ++i) {
    const std::string& name = schema.metrics[i].name;
    const double seconds = number_of(record, static_cast<int>(i));
    if (schema.metrics[i].unit == "s" && name != "time" && !std::isnan(seconds))
      parts.push_back({name, seconds / time});
  }
  for (auto begin = parts.begin(); begin != parts.end(); ++begin) {
    double sum = begin->share;
    for (auto end = begin + 1; end != parts.end(); ++end) {
      sum += end->share;
      if (std::fabs(sum - 1) > 1e-9) continue;
      const std::vector<Verdict::Share> shares = largest({begin, end + 1});
      // Another time that is as long is not a part.
      if (shares.size() < 2) continue;
      verdict.shares.push_back({"part", shares});
      return;
    }
  }
}

/// Shares of the time in which the units are busy with the rows of a table that has a column for each unit. Units may
/// be busy at the same time.
void add_units(const systems::Table& table, const std::vector<Value>& cells, std::size_t time, Verdict& verdict) {
  constexpr std::array units{std::pair{"gpu_time", "GPU"}, std::pair{"pim_time", "PIM"},
                             std::pair{"link_time", "links"}};
  std::vector<Verdict::Share> shares;
  const auto sum_of = [&](std::size_t column) {
    double sum = 0;
    for (std::size_t row = 0; row + table.columns.size() <= cells.size(); row += table.columns.size())
      sum += to_real(cells[row + column]);
    return sum;
  };
  for (const auto& [name, unit] : units) {
    const auto column = std::ranges::find(table.columns, name, &systems::Metric::name);
    if (column == table.columns.end()) return;
    shares.push_back({unit, sum_of(static_cast<std::size_t>(column - table.columns.begin())) / sum_of(time)});
  }
  shares = largest(std::move(shares));
  if (!shares.empty()) verdict.shares.push_back({"unit", shares});
}

/// Shares of the resources that bound the rows of detail tables, of kinds of work and of units.
void add_shares_of_tables(const systems::Schema& schema, const systems::Record& record, Verdict& verdict) {
  constexpr std::array kinds{"bound", "kind", "phase", "operator", "type", "layer"};
  for (std::size_t i = 0; i < schema.tables.size(); ++i) {
    const systems::Table& table = schema.tables[i];
    const auto column_of = [&](std::string_view name) {
      return std::ranges::find(table.columns, name, &systems::Metric::name) - table.columns.begin();
    };
    const auto size = static_cast<std::ptrdiff_t>(table.columns.size());
    const bool has_time = column_of("time") != size;
    const std::ptrdiff_t time = column_of(has_time ? "time" : "compute_time");
    if (time == size || record.tables[i].empty()) continue;
    std::size_t added = 0;
    for (const char* kind : kinds) {
      const std::ptrdiff_t column = column_of(kind);
      if (column == size || table.columns[static_cast<std::size_t>(column)].type != ValueType::text || added == 2)
        continue;
      const auto shares =
          shares_by(table, record.tables[i], static_cast<std::size_t>(time), static_cast<std::size_t>(column));
      if (shares.empty()) continue;
      verdict.shares.push_back({has_time ? kind : fmt::format("{}, of compute_time", kind), shares});
      ++added;
    }
    if (added == 0) continue;
    add_units(table, record.tables[i], static_cast<std::size_t>(time), verdict);
    return;
  }
}

/// The parts that compute and use memory; the others are left out.
systems::Roofline roofline_of(systems::System& system, const systems::Point& point, const systems::Record& record) {
  auto* places = dynamic_cast<systems::HasRoofline*>(&system);
  if (places == nullptr)
    return {.reason = fmt::format("system '{}' does not count operations and bytes of memory", system.schema().name)};
  systems::Roofline roofline = places->roofline(point, record);
  std::erase_if(roofline.parts, [](const systems::RooflinePart& part) {
    return !(part.operations > 0 && part.memory_bytes > 0 && part.time > 0);
  });
  if (roofline.parts.empty() && roofline.reason.empty()) roofline.reason = "nothing computes and uses memory";
  return roofline;
}

/// Bound of the point: the resource that bounds most of its time, or the roof that its longest part is near.
std::string bound_of(const Verdict& verdict) {
  constexpr double near = 0.5;
  const auto bounds = std::ranges::find(verdict.shares, "bound", &Verdict::Shares::kind);
  if (bounds != verdict.shares.end()) return bounds->shares.front().name;
  if (!verdict.roofline.bound.empty()) return verdict.roofline.bound;
  const auto units = std::ranges::find(verdict.shares, "unit", &Verdict::Shares::kind);
  if (verdict.roofline.parts.empty() && units != verdict.shares.end())
    return fmt::format("{} ({:.0f} % of the time)", units->shares.front().name, 100 * units->shares.front().share);
  if (verdict.roofline.parts.empty()) return {};
  const systems::RooflinePart& part =
      *std::ranges::max_element(verdict.roofline.parts, {}, &systems::RooflinePart::time);
  const auto reached = [&](double amount, double peak) { return std::isnan(peak) ? 0 : amount / part.time / peak; };
  const double compute = reached(part.operations, part.peak_rate);
  const double memory = reached(part.memory_bytes, part.memory_bandwidth);
  if (std::max(compute, memory) >= near)
    return fmt::format("{} of {}", compute > memory ? "compute" : "memory", part.name);
  return fmt::format("neither compute nor memory of {} ({:.2g} % and {:.2g} % of their peaks)", part.name,
                     100 * compute, 100 * memory);
}

/// "3.1 TOPS of 125 TOPS (2.5 %)"; without a known peak, the first of them.
std::string share_text(double reached, double peak, const std::string& unit) {
  std::string text = format_quantity(reached, unit, 3);
  if (std::isnan(peak)) return text;
  return fmt::format("{} of {} ({:.2g} %)", text, format_quantity(peak, unit, 3), 100 * reached / peak);
}

std::string place_text(const systems::RooflinePart& part) {
  const double ridge = part.peak_rate / part.memory_bandwidth;
  return fmt::format(
      "{:.3g} OP/B{}: {}, {}", part.operations / part.memory_bytes,
      std::isnan(ridge) ? "" : fmt::format(", ridge at {:.3g}", ridge),
      share_text(part.operations / part.time, part.peak_rate, part.time_unit == "s" ? "OPS" : "OP/" + part.time_unit),
      share_text(part.memory_bytes / part.time, part.memory_bandwidth, "B/" + part.time_unit));
}

Json place_json(const systems::RooflinePart& part) {
  const auto number = [](double value) { return commands::json_of(std::optional(value)); };
  return {{"part", part.name},
          {"operations", part.operations},
          {"memory_bytes", part.memory_bytes},
          {"time", part.time},
          {"time_unit", part.time_unit},
          {"operations_per_byte", part.operations / part.memory_bytes},
          {"ridge_point", number(part.peak_rate / part.memory_bandwidth)},
          {"rate", part.operations / part.time},
          {"peak_rate", number(part.peak_rate)},
          {"bandwidth", part.memory_bytes / part.time},
          {"memory_bandwidth", number(part.memory_bandwidth)}};
}

/// A constant that is larger by a share; nothing where that is not another value, or not allowed.
std::optional<Value> moved(const systems::Axis& axis, const Value& value, double by) {
  const double number = to_real(value) * (1 + by);
  if ((axis.min && number < *axis.min) || (axis.max && number > *axis.max)) return std::nullopt;
  if (axis.type == ValueType::real) return number == to_real(value) ? std::nullopt : std::optional<Value>(number);
  const auto whole = static_cast<std::int64_t>(std::llround(number));
  return Value(whole) == value ? std::nullopt : std::optional<Value>(whole);
}

double change(systems::System& system, const systems::Point& point, std::size_t axis, double by, int metric,
              double nominal) {
  const std::optional<Value> value = moved(system.schema().axes[axis], point[axis], by);
  if (!value) return systems::no_number;
  systems::Point other = point;
  other.set(axis, &*value);
  systems::Record record;
  driver::evaluate_point(system, other, record);
  return number_of(record, metric) / nominal - 1;
}

double size_of(const Verdict::Influence& influence) {
  return std::max(std::isnan(influence.less) ? 0 : std::fabs(influence.less),
                  std::isnan(influence.more) ? 0 : std::fabs(influence.more));
}

void add_influences(systems::System& system, const systems::Point& point, int metric, Verdict& verdict) {
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<systems::Axis>& axes = system.schema().axes;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const bool is_number = axes[i].type == ValueType::real || axes[i].type == ValueType::integer;
    // Errors of a model do not belong to the machine.
    const bool is_error = axes[i].name.find(".error.") != std::string::npos;
    if (!sweep::is_hardware_constant(axes[i]) || !is_number || is_error) continue;
    ++verdict.constants;
    if (std::chrono::steady_clock::now() - begin > limit) continue;
    ++verdict.tried;
    const Verdict::Influence found{axes[i].name, change(system, point, i, -step, metric, verdict.value),
                                   change(system, point, i, step, metric, verdict.value)};
    if (size_of(found) > 1e-9) verdict.influences.push_back(found);
  }
  std::ranges::stable_sort(verdict.influences, std::greater{}, size_of);
  if (verdict.influences.size() > max_influences) verdict.influences.resize(max_influences);
}

std::string percent(double share) { return std::isnan(share) ? "no result" : fmt::format("{:+.2g} %", 100 * share); }

}  // namespace

Verdict judge(systems::System& system, const systems::Point& point, const systems::Record& record) {
  Verdict verdict;
  const systems::Schema& schema = system.schema();
  int metric = -1;
  for (auto name = schema.main_metrics.begin(); name != schema.main_metrics.end() && metric < 0; ++name) {
    if (!std::isnan(number_of(record, schema.metric_index(*name)))) metric = schema.metric_index(*name);
  }
  if (metric < 0) return verdict;
  verdict.metric = schema.metrics[static_cast<std::size_t>(metric)].name;
  verdict.unit = schema.metrics[static_cast<std::size_t>(metric)].unit;
  verdict.value = number_of(record, metric);
  add_parts_of_time(schema, record, verdict);
  add_shares_of_tables(schema, record, verdict);
  verdict.roofline = roofline_of(system, point, record);
  if (const int bound = schema.metric_index("bound"); bound >= 0)
    verdict.bound = to_text(record.metrics[static_cast<std::size_t>(bound)]);
  else
    verdict.bound = bound_of(verdict);
  add_influences(system, point, metric, verdict);
  return verdict;
}

std::string Verdict::text(std::size_t width) const {
  TextTable table({"verdict", ""});
  table.add({"  " + metric, format_quantity(value, unit)});
  if (!bound.empty()) table.add({"  bound", bound});
  for (const Shares& found : shares) {
    std::string list;
    for (const Share& share : found.shares)
      list += fmt::format("{}{} {:.0f} %", list.empty() ? "" : ", ", share.name, 100 * share.share);
    table.add({"  by " + found.kind, list});
  }
  for (const systems::RooflinePart& part : roofline.parts) table.add({"  roofline of " + part.name, place_text(part)});
  if (roofline.parts.empty()) table.add({"  roofline", "none: " + roofline.reason});
  for (const Influence& influence : influences)
    table.add({fmt::format("  {}", influence.constant), fmt::format("10 % more: {} {}, 10 % less: {}", metric,
                                                                    percent(influence.more), percent(influence.less))});
  if (influences.empty())
    table.add({"  constants", fmt::format("{} stays the same when one of them is 10 % larger or smaller", metric)});
  return table.wrapped(width) +
         fmt::format("{} of {} constants of the hardware were moved one at a time\n", tried, constants);
}

Json Verdict::json() const {
  Json all = Json::object();
  for (const Shares& found : shares) {
    Json list = Json::object();
    for (const Share& share : found.shares) list[share.name] = share.share;
    all[found.kind] = list;
  }
  Json constants_moved = Json::array();
  for (const Influence& influence : influences) {
    constants_moved.push_back({{"constant", influence.constant},
                               {"less", json_of(std::optional(influence.less))},
                               {"more", json_of(std::optional(influence.more))}});
  }
  Json places = Json::array();
  for (const systems::RooflinePart& part : roofline.parts) places.push_back(place_json(part));
  return {{"metric", metric}, {"unit", unit},          {"roofline", places}, {"no_roofline", roofline.reason},
          {"value", value},   {"bound", bound},        {"shares", all},      {"influences", constants_moved},
          {"tried", tried},   {"constants", constants}};
}

}  // namespace pimsweep::commands
