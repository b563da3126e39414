#include "sweep/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <system_error>

#include "base/posix_file.h"
#include "sweep/hardware_axis.h"
#include "sweep/include.h"
#include "sweep/study_builder.h"

namespace pimsweep::sweep {

namespace {

class Loader {
 public:
  Loader(const std::string& text, const std::string& path, const PlanOptions& options, const SchemaSource& schema_of)
      : options_(options), schema_of_(schema_of), directory_(std::filesystem::path(path).parent_path().string()) {
    plan_.text = text;
    plan_.path = path;
    plan_.options = options;
  }

  Plan load() {
    ExperimentFile experiment = read_experiment(plan_.text, plan_.path, problems_);
    add_included(experiment, directory_, plan_.text, problems_);
    check_study_ids(experiment.studies, problems_);
    plan_.name = experiment.name;
    plan_.configs = find_folders(experiment);
    StudyFiles files{HardwareLibrary(plan_.configs), ModelNames(plan_.configs), directory_};
    read_overrides();
    if (options_.draws > max_draws)
      problems_.add({fmt::format("--draws {}", options_.draws), 0, 0}, fmt::format("at most {} machines", max_draws));
    check_filter(experiment);
    for (const StudyBlock& block : experiment.studies) load_study(block, files);
    check_overrides();
    check_draw_constants();
    check_size();
    if (options_.shard && plan_.studies.empty())
      problems_.add({fmt::format("--shard {}/{}", options_.shard->number, options_.shard->count), 0, 0},
                    "no study has so many points");
    problems_.throw_if_any();
    return std::move(plan_);
  }

 private:
  /// The folders that the experiment names, then those of the options.
  ConfigFolders find_folders(const ExperimentFile& experiment) {
    const auto found = [&](const std::vector<PlacedText>& folders) {
      std::vector<ConfigFolder> result;
      for (const PlacedText& folder : folders) {
        std::error_code ignored;
        const std::filesystem::path path = (std::filesystem::path(directory_) / folder.text).lexically_normal();
        if (!std::filesystem::is_directory(path, ignored)) {
          problems_.add(folder.where, fmt::format("'{}' is not a directory", path.string()));
          continue;
        }
        result.push_back({path.string()});
      }
      return result;
    };
    ConfigFolders folders;
    folders.models = found(experiment.model_folders);
    folders.hardware = found(experiment.hardware_folders);
    folders.training = found(experiment.training_folders);
    folders.append(options_.configs);
    return folders;
  }

  void read_overrides() {
    std::set<std::string> axes;
    for (const std::string& text : options_.overrides) {
      const SourcePosition where{fmt::format("--set {}", text), 0, 0};
      const auto equals = text.find('=');
      if (equals == std::string::npos || equals == 0) {
        problems_.add(where, "expected an axis and its value, for example --set batch=4");
        continue;
      }
      const std::string axis = text.substr(0, equals);
      if (!axes.insert(axis).second) problems_.add(where, fmt::format("axis '{}' is set twice", axis));
      overrides_.push_back({axis, text.substr(equals + 1), where});
    }
  }

  bool is_selected(const std::string& id) const {
    return options_.studies.empty() ||
           std::find(options_.studies.begin(), options_.studies.end(), id) != options_.studies.end();
  }

  void check_filter(const ExperimentFile& experiment) {
    std::vector<std::string> ids;
    for (const StudyBlock& block : experiment.studies) ids.push_back(block.id.text);
    for (const std::string& id : options_.studies) {
      if (std::find(ids.begin(), ids.end(), id) != ids.end()) continue;
      problems_.add({fmt::format("--study {}", id), 0, 0},
                    fmt::format("unknown study{}; studies: {}", suggestion(id, ids), fmt::join(ids, ", ")));
    }
  }

  /// Checks every study, selected or not, so that a file is valid or invalid as a whole.
  void load_study(StudyBlock block, StudyFiles& files) {
    std::shared_ptr<const systems::Schema> schema = find_schema(block.system);
    if (schema == nullptr) return;
    take_draws(block);
    if (!options_.where.empty() && is_selected(block.id.text)) block.conditions.push_back(option_condition());
    if (block.uncertainty) schema = std::make_shared<const systems::Schema>(with_draw_axis(*schema));
    if (is_selected(block.id.text)) selected_.push_back(schema);
    files.shard = is_selected(block.id.text) ? options_.shard : std::nullopt;
    std::optional<Study> study = build_study(block, schema, files, overrides_, problems_);
    if (study && is_selected(block.id.text)) plan_.studies.push_back(std::move(*study));
  }

  /// The condition of --where, whose characters all have the same position.
  PlacedText option_condition() const {
    const SourcePosition where{fmt::format("--where \"{}\"", options_.where), 0, 0};
    return {options_.where, where, {}};
  }

  /// Applies --draws to all studies except samples and searches. Without it, a study without `samples` has one machine.
  void take_draws(StudyBlock& block) const {
    if (options_.draws > 0 && options_.draws <= max_draws && !block.sample && !block.search) {
      if (!block.uncertainty) block.uncertainty.emplace().where = block.where;
      block.uncertainty->samples = options_.draws;
      block.uncertainty->method = options_.draw_method;
      block.uncertainty->only = options_.draw_constants;
    }
    if (block.uncertainty && block.uncertainty->samples == 0) block.uncertainty.reset();
  }

  std::shared_ptr<const systems::Schema> find_schema(const PlacedText& system) {
    if (!system.is_given()) return nullptr;  // reported already
    if (const auto known = schemas_.find(system.text); known != schemas_.end()) return known->second;
    try {
      auto schema = std::make_shared<const systems::Schema>(with_hardware_axis(schema_of_(system.text, plan_.configs)));
      return schemas_.emplace(system.text, std::move(schema)).first->second;
    } catch (const InputError& error) {
      problems_.add_at(system.where, error);
      return nullptr;
    }
  }

  void check_overrides() {
    for (const Override& change : overrides_) {
      std::vector<std::string> names;
      for (const auto& schema : selected_) {
        for (const systems::Axis& axis : schema->axes) names.push_back(axis.name);
      }
      if (std::find(names.begin(), names.end(), change.axis) != names.end()) continue;
      problems_.add(change.where,
                    fmt::format("no study has an axis '{}'{}", change.axis, suggestion(change.axis, names)));
    }
  }

  void check_draw_constants() {
    std::vector<std::string> drawn;
    std::vector<std::string> names;
    for (const Study& study : plan_.studies) {
      for (std::size_t axis = 0; axis < study.schema().axes.size(); ++axis) {
        names.push_back(study.schema().axes[axis].name);
        if (study.is_drawn(axis)) drawn.push_back(names.back());
      }
    }
    // A study with problems is missing from the plan.
    if (!problems_.problems().empty()) return;
    for (const std::string& name : options_.draw_constants) {
      if (std::ranges::find(drawn, name) == drawn.end())
        problems_.add({fmt::format("--draw-constants {}", name), 0, 0},
                      fmt::format("no study samples this constant{}", suggestion(name, names)));
    }
  }

  void check_size() {
    std::uint64_t size = 0;
    for (const Study& study : plan_.studies) {
      if (study.size() > std::uint64_t{std::numeric_limits<std::int64_t>::max()} - size) {
        problems_.add({plan_.path, 0, 0}, "the experiment has more than 2^63 points");
        return;
      }
      size += study.size();
    }
  }

  const PlanOptions& options_;
  const SchemaSource& schema_of_;
  const std::string directory_;
  Plan plan_;
  ProblemList problems_;
  std::vector<Override> overrides_;
  /// Systems of the selected studies.
  std::vector<std::shared_ptr<const systems::Schema>> selected_;
  std::map<std::string, std::shared_ptr<const systems::Schema>> schemas_;
};

}  // namespace

std::uint64_t Plan::size() const { return offset(studies.size()); }

bool Plan::has_search() const {
  return std::ranges::any_of(studies, [](const Study& study) { return study.search() != nullptr; });
}

std::uint64_t Plan::offset(std::size_t study) const {
  std::uint64_t points = 0;
  for (std::size_t i = 0; i < study; ++i) points += studies[i].size();
  return points;
}

Plan::Location Plan::locate(std::uint64_t global) const {
  std::uint64_t index = global;
  for (std::size_t i = 0; i < studies.size(); ++i) {
    if (index < studies[i].size()) return {i, index};
    index -= studies[i].size();
  }
  throw std::out_of_range(fmt::format("point {} of {}", global, size()));
}

Hash128 Plan::hash() const {
  std::string hashes;
  for (const Study& study : studies) hashes += study.hash().text();
  return hash128(hashes);
}

Plan load_plan(const std::string& path, const PlanOptions& options) {
  return load_plan(path, options, [](const std::string& system, const ConfigFolders& configs) {
    return systems::Schema(systems::make_system(system, configs)->schema());
  });
}

Plan load_plan(const std::string& path, const PlanOptions& options, const SchemaSource& schema_of) {
  const std::string text = read_file(path);
  if (text.starts_with("\x89HDF\r\n\x1a\n")) {
    throw InputError(
        fmt::format("'{0}' is a results file, not an experiment: `pimsweep show {0}` tabulates it, rerun and trace "
                    "evaluate a point",
                    path));
  }
  return parse_plan(text, path, options, schema_of);
}

Plan parse_plan(const std::string& text, const std::string& path, const PlanOptions& options,
                const SchemaSource& schema_of) {
  return Loader(text, path, options, schema_of).load();
}

}  // namespace pimsweep::sweep
