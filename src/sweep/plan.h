#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/config_folders.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/value.h"
#include "sweep/experiment_file.h"
#include "sweep/hardware_file.h"
#include "sweep/model_names.h"
#include "systems/system.h"

namespace pimsweep::sweep {

class ChosenPoints;
struct SearchSettings;

/// A column of a point table that is carried into the results untouched: label_<name> or reference_<name>.
struct CarriedColumn {
  enum class Role : std::uint8_t { label, reference };
  std::string name;
  Role role = Role::label;
  ValueType type = ValueType::text;
};

/// One study: a product of factors over the axes of a system. Points are not stored: a point is decoded from its index
/// by mixed radix, with the first factor slowest, and a sample's values are computed from it. Conditions exclude points
/// of the product. The points of a search are chosen from the product while it runs (docs/search.md).
class Study {
 public:
  struct Data;
  explicit Study(std::shared_ptr<const Data> data);

  const std::string& id() const;
  /// The id in the experiment that the study is included from; otherwise its own.
  const std::string& origin() const;
  /// The study's title or description, if the file gives one.
  const std::string& doc() const;
  const std::string& system() const;
  const systems::Schema& schema() const;
  /// The files that the axis `hardware` names, in the order of the experiment.
  const std::vector<std::shared_ptr<const HardwareFile>>& hardware() const;
  /// What defines the models and training steps that the study names, as far as it is not installed.
  const DefinitionTexts& definitions() const;
  /// Number of points; of a search the most that it may choose.
  std::uint64_t size() const;
  /// The search that chooses the points; nullptr for a study whose points are those of a product.
  const SearchSettings* search() const;
  /// The whole product that a search chooses from, as a study.
  Study space() const;
  /// Makes a point of the product the point `index` of this search. Copies of the study share its points.
  void choose(std::uint64_t index, std::uint64_t product_index) const;
  /// The point of the product that point `index` of this search is, or not_chosen.
  std::uint64_t chosen(std::uint64_t index) const;
  static constexpr std::uint64_t not_chosen = ~std::uint64_t{0};
  /// Fills `point` (made with schema().axes.size()) with pointers to values that the study owns and with computed
  /// numbers. Needs index < size(); does not allocate. A point that a search has not chosen yet stands for some point
  /// of the product, from which costs can be estimated.
  void point(std::uint64_t index, systems::Point& point) const;
  /// Where the values of an axis come from: "experiment", "sample (sobol, seed 3)", "hardware <name>: <source>" (for
  /// each file, joined by "; "), "default".
  std::string value_source(std::size_t axis) const;
  /// Where the value of an axis at one point comes from.
  std::string value_source(std::size_t axis, const systems::Point& point) const;
  /// True for a constant taken from the point's hardware file: it varies only with the axis `hardware`.
  bool follows_hardware(std::size_t axis) const;
  /// True if the axis takes more than one value in this study.
  bool varies(std::size_t axis) const;
  /// True if the axis is drawn for the machines of `[study.uncertainty]`.
  bool is_drawn(std::size_t axis) const;
  const std::vector<CarriedColumn>& carried() const;
  const Value& carried_value(std::size_t column, std::uint64_t index) const;
  /// Where the experiment first names a model, or where the study begins.
  const SourcePosition& model_place(std::string_view model) const;
  /// One point for each combination of values that some axes of the schema take in this study, for at most `limit`.
  struct Combinations {
    /// Indices of points in the study.
    std::vector<std::uint64_t> points;
    /// Whether every combination has a point.
    bool complete = true;
  };
  Combinations combinations(const std::vector<std::size_t>& axes, std::uint64_t limit) const;
  /// Hash of everything that determines the points: id, system and its version, axes, values in their order, the draws
  /// of a sample, conditions, carried columns.
  Hash128 hash() const;

 private:
  std::uint64_t product_index(std::uint64_t index) const;

  std::shared_ptr<const Data> data_;
  /// Of a search.
  std::shared_ptr<ChosenPoints> chosen_;
};

/// Inputs besides the experiment file that determine the points.
struct PlanOptions {
  /// Where names are looked for, after the folders that the experiment names.
  ConfigFolders configs;
  /// Only these studies; empty means all.
  std::vector<std::string> studies;
  /// --set key=value: replaces the axis by this one value in every study whose system has it (an error if none has).
  std::vector<std::string> overrides;
  /// --where: only points that satisfy this condition too, in every selected study; empty means all.
  std::string where = {};
  /// --draws: machines drawn around those of the hardware files, in every study; 0 leaves that to the studies.
  std::uint64_t draws = 0;
  DrawMethod draw_method = DrawMethod::sobol;
  /// --draw-constants: only these constants and choices are drawn (an error if no study draws one); empty means all.
  std::vector<std::string> draw_constants = {};
};

/// An experiment file, fully resolved: a pure function of the file, its tables, the hardware files and the options.
struct Plan {
  std::string name;
  std::string path;
  /// The experiment file, verbatim.
  std::string text;
  /// Options that it was loaded with.
  PlanOptions options;
  /// All folders in which names are looked for: those of the experiment, then those of the options.
  ConfigFolders configs;
  std::vector<Study> studies;

  std::uint64_t size() const;
  /// Whether any study is a search.
  bool has_search() const;
  /// A point of the plan as its study and its index in the study.
  struct Location {
    std::size_t study;
    std::uint64_t index;
  };
  /// Throws std::out_of_range at size() and beyond.
  Location locate(std::uint64_t global) const;
  /// Number of a study's first point in the plan.
  std::uint64_t offset(std::size_t study) const;
  /// Hash of everything that determines the points; equal on every rank.
  Hash128 hash() const;
};

/// Reads and checks an experiment file. All problems of the file, its tables and hardware files are reported together
/// in one InputError, with line and column.
Plan load_plan(const std::string& path, const PlanOptions& options);

/// Returns the schema of a system with models of some folders; throws InputError if there is no such system.
using SchemaSource = std::function<systems::Schema(const std::string& system, const ConfigFolders& configs)>;

/// Reads an experiment file for systems that are not in the registry.
Plan load_plan(const std::string& path, const PlanOptions& options, const SchemaSource& schema_of);

/// Reads the text of an experiment file. What it names is looked for as if it were the file `path`.
Plan parse_plan(const std::string& text, const std::string& path, const PlanOptions& options,
                const SchemaSource& schema_of);

}  // namespace pimsweep::sweep
