#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sweep/plan.h"

namespace pimsweep {

/// One factor of a study's product: settings of one or more axes that change together.
struct Factor {
  struct Column {
    std::size_t axis;
    std::vector<Value> values;
  };
  std::uint64_t size = 0;
  std::vector<Column> columns;
};

/// What a study holds: the values of all axes, factored. A factor's column takes the place of the constant.
struct Study::Data {
  std::string id;
  std::string doc;
  std::shared_ptr<const Schema> schema;
  std::shared_ptr<const HardwareFile> hardware;
  /// One for each axis of the schema.
  std::vector<Value> constants;
  std::vector<std::string> sources;
  std::vector<bool> varies;
  /// First factor slowest. stride[f] is the number of points for one step of factor f.
  std::vector<Factor> factors;
  std::vector<std::uint64_t> strides;
  std::uint64_t size = 1;
  /// Columns that ride along with the factor of the point table, the last one.
  std::vector<CarriedColumn> carried;
  std::vector<std::vector<Value>> carried_values;
};

}  // namespace pimsweep
