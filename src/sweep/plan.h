#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/config_folders.h"
#include "base/hash.h"
#include "sweep/study.h"
#include "sweep/study_blocks.h"
#include "systems/system.h"

namespace pimsweep::sweep {

/// Options that determine the points in addition to the experiment file.
struct PlanOptions {
  /// Folders that are searched for names, after those that the experiment names.
  ConfigFolders configs;
  /// Only these studies; empty means all.
  std::vector<std::string> studies;
  /// --set key=value: sets an axis to one value in every study whose system has it; an error if there is none.
  std::vector<std::string> overrides;
  /// --where: an additional condition on the points of every selected study; empty means all points.
  std::string where = {};
  /// --draws: number of machines sampled around those of the hardware files, in every study; 0 keeps the setting of
  /// each study.
  std::uint64_t draws = 0;
  DrawMethod draw_method = DrawMethod::sobol;
  /// Only the points of this shard; searches have no shards.
  std::optional<Shard> shard = {};
  /// Points are fits of the constants of [study.calibration] instead of the rows themselves.
  bool calibrate = false;
  /// --draw-constants: sample only these constants and choices (each must occur in a study); empty means all.
  std::vector<std::string> draw_constants = {};
};

/// A fully resolved experiment file: a pure function of the file, its tables, the hardware files and the options.
///
/// The points of all studies are numbered consecutively, which is what the driver grants to ranks:
///
///     const Plan plan = load_plan("experiments/hypar.toml", {default_config_folders()});
///     const Plan::Location at = plan.locate(1000);
///     plan.studies[at.study].point(at.index, point);
///
/// Every rank reads the plan for itself; equal hash() values show that the ranks agree. A plan has at most 2^63 points.
struct Plan {
  std::string name;
  std::string path;
  /// Text of the experiment file.
  std::string text;
  /// Options that the plan was loaded with.
  PlanOptions options;
  /// All folders that are searched for names: those of the experiment, then those of the options.
  ConfigFolders configs;
  std::vector<Study> studies;

  std::uint64_t size() const;
  /// True if any study is a search.
  bool has_search() const;
  /// A point of the plan: its study and its index in the study.
  struct Location {
    std::size_t study;
    std::uint64_t index;
  };
  /// Throws std::out_of_range if global >= size().
  Location locate(std::uint64_t global) const;
  /// Index in the plan of the first point of a study.
  std::uint64_t offset(std::size_t study) const;
  /// Hash of everything that determines the points; equal on every rank.
  Hash128 hash() const;
};

/// Reads and checks an experiment file. All problems of the file, its tables and hardware files are reported together
/// in one InputError, with line and column.
Plan load_plan(const std::string& path, const PlanOptions& options);

/// Returns the schema of a system with the models of some folders; throws InputError for an unknown system.
using SchemaSource = std::function<systems::Schema(const std::string& system, const ConfigFolders& configs)>;

/// Reads an experiment file for systems outside the registry.
Plan load_plan(const std::string& path, const PlanOptions& options, const SchemaSource& schema_of);

/// Reads the text of an experiment file. Relative paths are resolved as if it were the file `path`.
Plan parse_plan(const std::string& text, const std::string& path, const PlanOptions& options,
                const SchemaSource& schema_of);

}  // namespace pimsweep::sweep
