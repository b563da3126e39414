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
#include "sweep/plan.h"
#include "sweep/sample_range.h"
#include "sweep/search_settings.h"
#include "workload/import/network_files.h"

namespace pimsweep::sweep {

/// One factor of a study's product: settings of one or more axes that change together.
struct Factor {
  struct Column {
    std::size_t axis;
    std::vector<Value> values;
    /// Index of the value at each step; nullptr if there is a separate value for each step.
    std::shared_ptr<const std::vector<std::uint32_t>> choice;

    const Value& at(std::uint64_t step) const { return values[choice == nullptr ? step : (*choice)[step]]; }
    std::uint64_t steps() const { return choice == nullptr ? values.size() : choice->size(); }
  };
  std::uint64_t size = 0;
  std::vector<Column> columns;
  /// Axes with computed values, which only the factor of the sample has.
  std::vector<SampledColumn> sampled;

  /// Sets the axes of the factor to their values at a step.
  void set(std::uint64_t step, systems::Point& point) const;
};

/// Machines drawn around those of the hardware files. The last factor of a study is the axis `draw`: 0 stands for the
/// constants of the files, others for drawn ones.
struct DrawnMachines {
  DrawMethod method = DrawMethod::sobol;
  std::int64_t seed = 0;
  /// Without those of the files.
  std::uint64_t count = 0;
  /// The factor that has the axis `hardware`, with the file of each of its steps; nothing if there is one file.
  std::optional<std::size_t> file_factor;
  std::shared_ptr<const std::vector<std::uint32_t>> file;
  struct Constant {
    std::size_t axis = 0;
    /// Those of the first file, one for each draw, then those of the next.
    std::vector<Value> values;
  };
  std::vector<Constant> constants;
};

/// Content of a study: the values of all axes, in factored form. A factor's column overrides the constant.
struct Study::Data {
  std::string id;
  std::string origin;
  std::string doc;
  std::shared_ptr<const systems::Schema> schema;
  std::vector<std::shared_ptr<const HardwareFile>> hardware;
  /// The networks that the axis `model` names by their files.
  std::vector<std::shared_ptr<const workload::import::NetworkFile>> networks;
  /// Where the study begins, and where it first names each value of the axis `model`.
  SourcePosition where;
  std::map<std::string, SourcePosition, std::less<>> model_places;
  /// What defines the models and training steps that the study names, as far as it is not installed.
  DefinitionTexts definitions;
  /// One for each axis of the schema.
  std::vector<Value> constants;
  /// Source of the value; empty for an axis that takes it from the hardware file.
  std::vector<std::string> sources;
  std::vector<bool> varies;
  /// How the first factor is drawn, if it is a sample.
  struct Draws {
    SampleMethod method;
    std::int64_t seed;
  };
  std::optional<Draws> sample;
  /// The machines of [study.uncertainty].
  std::optional<DrawnMachines> machines;
  /// First factor slowest. stride[f] is the number of points for one step of factor f.
  std::vector<Factor> factors;
  std::vector<std::uint64_t> strides;
  /// Points of the product.
  std::uint64_t size = 1;
  /// Points of the product that satisfy the conditions; empty if there is no condition.
  std::optional<RankedBitSet> kept;
  std::vector<std::string> conditions;
  /// Empty for a study whose points are those of the product.
  std::optional<SearchSettings> search;
  /// Columns that accompany the factor of the point table.
  std::size_t table_factor = 0;
  std::vector<CarriedColumn> carried;
  std::vector<std::vector<Value>> carried_values;

  std::uint64_t digit(std::uint64_t product_index, std::size_t factor) const {
    return product_index / strides[factor] % factors[factor].size;
  }
  /// Sets the axes that belong to factors.
  void set_factors(std::uint64_t product_index, systems::Point& point) const;
  /// Replaces the constants of the hardware file by those of the draw.
  void set_drawn(std::uint64_t product_index, systems::Point& point) const;
  std::uint64_t product_index(std::uint64_t index) const { return kept ? kept->member(index) : index; }
};

}  // namespace pimsweep::sweep
