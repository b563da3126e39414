#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "base/value.h"
#include "sweep/hardware_file.h"
#include "sweep/model_names.h"
#include "sweep/study_blocks.h"
#include "systems/system.h"
#include "systems/value_origin.h"

namespace pimsweep::sweep {

struct Calibration;
class ChosenPoints;
struct DerivedMetric;
struct SearchSettings;
struct StudyData;

/// One study of a plan: the points at which a system is evaluated, in a fixed order.
///
/// The points form a product of factors over the axes of the system, such as three models times four array sizes. They
/// are not stored: a point is decoded from its index by mixed radix, with the first factor slowest, and the values of a
/// sample are computed from the index. Conditions exclude points of the product. The points of a search are chosen from
/// the product while it runs (docs/search.md).
///
///     const Study& study = plan.studies.front();
///     systems::Point point(study.schema().axes.size());
///     for (std::uint64_t index = 0; index < study.size(); ++index) {
///       study.point(index, point);  // values by the order of study.schema().axes
///       system.evaluate(point, record);
///     }
///
/// A Study is a cheap handle: copies share their values, which live as long as any copy, and the points that a search
/// has chosen. Reading is thread-safe, choose() is not. A product has at most 2^63 points, at most 2^32 of them if it
/// has conditions.
class Study {
 public:
  explicit Study(std::shared_ptr<const StudyData> data);

  const std::string& id() const;
  /// For an included study, its id in the experiment that defines it; otherwise id().
  const std::string& origin() const;
  /// Title or description; empty if the file does not have one.
  const std::string& doc() const;
  const std::string& system() const;
  const systems::Schema& schema() const;
  /// The files named by the axis `hardware`, in the order of the experiment.
  const std::vector<std::shared_ptr<const HardwareFile>>& hardware() const;
  /// Definitions of the models and training steps that the study names, except installed ones.
  const DefinitionTexts& definitions() const;
  /// Number of points; for a search, the maximum number that it may choose.
  std::uint64_t size() const;
  /// The search that chooses the points; nullptr for a plain product.
  const SearchSettings* search() const;
  /// `[study.calibration]`, or nullptr.
  const Calibration* calibration() const;
  /// For a study whose points fit constants: the study with their rows; nullptr for all others.
  const Study* rows() const;
  /// The whole product from which a search chooses, as a study.
  Study space() const;
  /// Sets point `index` of this search to a point of the product, in all copies of the study.
  void choose(std::uint64_t index, std::uint64_t product_index) const;
  /// The point of the product that was chosen as point `index` of this search, or not_chosen.
  std::uint64_t chosen(std::uint64_t index) const;
  static constexpr std::uint64_t not_chosen = ~std::uint64_t{0};
  /// Fills `point` (made with schema().axes.size()) with pointers to values that the study owns and with computed
  /// numbers. Requires index < size(); does not allocate. For a point that a search has not chosen yet, fills in an
  /// arbitrary point of the product, from which costs can be estimated.
  void point(std::uint64_t index, systems::Point& point) const;
  /// Origin of the values of an axis. Its text is "experiment", "sample (sobol, seed 3)", "hardware <name>: <source>"
  /// (for each file, joined by "; ") or "default".
  systems::ValueOrigin origin_of(std::size_t axis) const;
  /// Origin of the value of an axis at one point.
  systems::ValueOrigin origin_of(std::size_t axis, const systems::Point& point) const;
  /// True for a constant that comes from the hardware file of the point: it varies only with the axis `hardware`.
  bool follows_hardware(std::size_t axis) const;
  /// True if the axis takes more than one value in this study.
  bool varies(std::size_t axis) const;
  /// True if `[study.uncertainty]` samples the axis.
  bool is_drawn(std::size_t axis) const;
  /// The metrics of [study.derived]. They do not belong to the identity of points.
  const std::vector<DerivedMetric>& derived() const;
  const std::vector<CarriedColumn>& carried() const;
  const Value& carried_value(std::size_t column, std::uint64_t index) const;
  /// Position at which the experiment first names a model, or that of the study.
  const SourcePosition& model_place(std::string_view model) const;
  /// One point for each combination of values of some axes in this study, at most `limit` combinations.
  struct Combinations {
    /// Indices of points in the study.
    std::vector<std::uint64_t> points;
    /// True if every combination has a point.
    bool complete = true;
  };
  Combinations combinations(const std::vector<std::size_t>& axes, std::uint64_t limit) const;
  /// Hash of everything that determines the points: id, system and its version, axes, ordered values, random draws of a
  /// sample, conditions and carried columns.
  Hash128 hash() const;

 private:
  std::uint64_t product_index(std::uint64_t index) const;

  std::shared_ptr<const StudyData> data_;
  /// nullptr for a study that is not a search.
  std::shared_ptr<ChosenPoints> chosen_;
};

}  // namespace pimsweep::sweep
