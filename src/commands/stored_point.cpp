#include "commands/stored_point.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>

#include "base/error.h"
#include "commands/point_number.h"
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
  if (named.size() > 1) throw InputError("one point is of one study: --study may be given once");
  if (named.empty()) {
    if (ids.size() == 1) return ids.front();
    throw InputError(
        fmt::format("'{}' has {} studies, so --study must name one: {}", file, ids.size(), fmt::join(ids, ", ")));
  }
  if (std::find(ids.begin(), ids.end(), named.front()) != ids.end()) return named.front();
  throw InputError(fmt::format("'{}' has no study '{}'{}; studies: {}", file, named.front(),
                               suggestion(named.front(), ids), fmt::join(ids, ", ")));
}

std::optional<Value> converted(const Value& value, ValueType type) {
  if (type_of(value) == type) return value;
  if (type == ValueType::real && type_of(value) == ValueType::integer) return to_real(value);
  return std::nullopt;
}

/// Sets axes and changes.
void bring_axes_up_to_date(const StoredPoint& point, RevivedPoint& revived) {
  const std::string& file = point.file;
  const systems::Schema& stored = point.schema;
  const systems::Schema& today = revived.system->schema();
  ProblemList problems;
  for (const systems::Axis& axis : stored.axes) {
    // The axis `hardware` is redundant: the file stores the values of its constants.
    if (today.axis_index(axis.name) < 0 && axis.name != sweep::hardware_axis && axis.name != sweep::memory_axis) {
      revived.changes.push_back(
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
      revived.axes.push_back(*axis.default_value);
      revived.changes.push_back(
          fmt::format("the file lacks axis '{}'; its default {} is used", axis.name, to_text(*axis.default_value)));
      continue;
    }
    const Value& value = point.axes[static_cast<std::size_t>(index)];
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
    revived.axes.push_back(*fitting);
  }
  problems.throw_if_any();
}

/// Makes the network of a point that names it by its file, which need not exist any more.
void restore_network(const std::string& file, const RevivedPoint& revived) {
  const int index = revived.system->schema().axis_index(systems::AxisKind::model);
  if (index < 0) return;
  const std::string& name = std::get<std::string>(revived.axes[static_cast<std::size_t>(index)]);
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

}  // namespace

bool is_results_file(const std::string& path) {
  constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";
  std::array<char, signature.size()> begin{};
  std::ifstream(path, std::ios::binary).read(begin.data(), begin.size());
  return std::string_view(begin.data(), begin.size()) == signature;
}

StoredPoint read_stored_point(const std::string& file, const std::vector<std::string>& studies, std::int64_t given) {
  StoredPoint point{
      .file = file, .study = choose_study(file, studies), .number = 0, .schema = {}, .axes = {}, .entry = {}};
  point.schema = results::stored_schema(file, point.study);
  results::StudyReader reader(file, point.study, point.schema);
  point.number = point_number(given, reader.size(), fmt::format("study '{}' in '{}'", point.study, file));
  reader.read(point.number, point.entry);
  if (point.entry.record.status == systems::Status::not_run) {
    throw InputError(
        fmt::format("point {} of study '{}' in '{}' was not run: there is no result", point.number, point.study, file));
  }
  reader.read_axes(point.number, point.axes);
  return point;
}

systems::Point RevivedPoint::point() const {
  systems::Point point(axes.size());
  for (std::size_t i = 0; i < axes.size(); ++i) point.set(i, &axes[i]);
  return point;
}

RevivedPoint revive(const StoredPoint& stored, const ConfigFolders& configs) {
  RevivedPoint revived;
  revived.system = systems::make_system(stored.schema.name, with_kept_definitions(configs, stored.file));
  bring_axes_up_to_date(stored, revived);
  restore_network(stored.file, revived);
  return revived;
}

}  // namespace pimsweep::commands
