#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "sweep/bit_set.h"
#include "sweep/calibration.h"
#include "sweep/derived_metrics.h"
#include "sweep/hardware_file.h"
#include "sweep/model_names.h"
#include "sweep/sample_range.h"
#include "sweep/search_settings.h"
#include "sweep/study_blocks.h"
#include "systems/value_origin.h"
#include "workload/import/network_files.h"

namespace pimsweep::sweep {

class Study;

/// One factor of the product of a study: one or more axes that change together.
struct Factor {
  struct Column {
    std::size_t axis;
    std::vector<Value> values;
    /// Index of the value at each step; nullptr if each step has its own value.
    std::shared_ptr<const std::vector<std::uint32_t>> choice;

    const Value& at(std::uint64_t step) const { return values[choice == nullptr ? step : (*choice)[step]]; }
    std::uint64_t steps() const { return choice == nullptr ? values.size() : choice->size(); }
  };
  std::uint64_t size = 0;
  std::vector<Column> columns;
  /// Axes with computed values; only in the factor of a sample.
  std::vector<SampledColumn> sampled;

  /// Sets the axes of the factor to their values at a step.
  void set(std::uint64_t step, systems::Point& point) const;
};

/// Machines sampled around those of the hardware files. The last factor of the study is the axis `draw`: 0 is the
/// nominal machine with the constants of the file, other values are sampled machines.
struct SampledMachines {
  DrawMethod method = DrawMethod::sobol;
  std::int64_t seed = 0;
  /// Number of sampled machines, without the nominal ones.
  std::uint64_t count = 0;
  struct Constant {
    std::size_t axis = 0;
    /// The factor of the axis `hardware` or `memory`, and the index of the file at each of its steps; empty if there is
    /// one file.
    std::optional<std::size_t> file_factor;
    std::shared_ptr<const std::vector<std::uint32_t>> file;
    /// One value for each draw with the first file, then with the second, and so on.
    std::vector<Value> values;
  };
  std::vector<Constant> constants;
};

/// Content of a study: the values of all axes, in factored form. A column of a factor overrides the constant.
struct StudyData {
  std::string id;
  std::string origin;
  std::string doc;
  std::shared_ptr<const systems::Schema> schema;
  std::vector<std::shared_ptr<const HardwareFile>> hardware;
  /// The network files that the axis `model` names.
  std::vector<std::shared_ptr<const workload::import::NetworkFile>> networks;
  /// Position of the study, and the first position of each value of the axis `model`.
  SourcePosition where;
  std::map<std::string, SourcePosition, std::less<>> model_places;
  /// Definitions of the models and training steps that the study names, except installed ones.
  DefinitionTexts definitions;
  /// One value for each axis of the schema.
  std::vector<Value> constants;
  /// For an axis that follows the hardware file, only the kind is given.
  std::vector<systems::ValueOrigin> origins;
  std::vector<bool> varies;
  /// Sampling of the first factor.
  struct Draws {
    SampleMethod method;
    std::int64_t seed;
  };
  std::optional<Draws> sample;
  /// The sampled machines of [study.uncertainty].
  std::optional<SampledMachines> machines;
  /// First factor slowest. stride[f] is the number of points for one step of factor f.
  std::vector<Factor> factors;
  std::vector<std::uint64_t> strides;
  /// Points of the product.
  std::uint64_t size = 1;
  /// Points of the product that satisfy the conditions; empty without conditions.
  std::optional<RankedBitSet> kept;
  std::vector<std::string> conditions;
  std::vector<DerivedMetric> derived;
  /// Empty for a plain product.
  std::optional<SearchSettings> search;
  std::optional<Calibration> calibration;
  /// For a study whose points fit constants: the study with their rows.
  std::shared_ptr<const Study> rows;
  /// Columns that accompany the factor of the point table.
  std::size_t table_factor = 0;
  std::vector<CarriedColumn> carried;
  std::vector<std::vector<Value>> carried_values;

  std::uint64_t digit(std::uint64_t product_index, std::size_t factor) const {
    return product_index / strides[factor] % factors[factor].size;
  }
  /// Sets the axes of all factors.
  void set_factors(std::uint64_t product_index, systems::Point& point) const;
  /// Replaces the constants of the hardware file by those of the sampled machine.
  void set_sampled_constants(std::uint64_t product_index, systems::Point& point) const;
  std::uint64_t product_index(std::uint64_t index) const { return kept ? kept->member(index) : index; }
};

/// True if each factor has a value for each of its steps. Otherwise an empty list or a zip of unequal lists has been
/// reported.
bool is_whole(const StudyData& data);

/// Multiplies the factors: sets strides, size, and which axes vary. Returns false and reports a problem at
/// `where` if the product has more than 2^63 points.
bool multiply(StudyData& data, const SourcePosition& where, ProblemList& problems);

}  // namespace pimsweep::sweep
