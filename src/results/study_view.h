#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/value.h"
#include "systems/system.h"

namespace pimsweep::results {

/// A column that is known before the run: an axis, or a label or reference column of a point table.
struct InputColumn {
  std::string name;
  std::string unit;
  std::string long_name;
  /// Origin of the values.
  std::string source;
  /// axis, label or reference.
  std::string role;
  ValueType type = ValueType::real;
  /// The value of every point, if the column does not vary.
  std::optional<Value> constant = {};
};

/// A study as the results file needs it: its columns, and inputs and result of each point.
class StudyView {
 public:
  virtual ~StudyView() = default;
  virtual const std::string& id() const = 0;
  /// The id in the experiment that the study is included from; otherwise its own.
  virtual const std::string& origin() const { return id(); }
  virtual const std::string& doc() const = 0;
  virtual const systems::Schema& schema() const = 0;
  virtual std::uint64_t size() const = 0;
  virtual const std::vector<InputColumn>& inputs() const = 0;

  /// One point. The pointers in `inputs` stay valid until the next call of row().
  struct Row {
    std::vector<const Value*> inputs;
    Hash128 identity;
    systems::Record record;
    /// NaN for a point that was not run.
    double seconds = 0;
  };
  virtual void row(std::uint64_t index, Row& row) = 0;
};

}  // namespace pimsweep::results
