#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "base/value.h"
#include "systems/system.h"

namespace pimsweep::results {

/// A column that is known before anything runs: an axis, or a label or reference carried from a point table.
struct InputColumn {
  std::string name;
  std::string unit;
  std::string long_name;
  /// Where the value comes from.
  std::string source;
  /// axis, label or reference.
  std::string role;
  ValueType type = ValueType::real;
  /// The value of every point, if the column does not vary.
  std::optional<Value> constant = {};
};

/// A study as the results file needs it: what its columns are, and each point's inputs and result.
class StudyView {
 public:
  virtual ~StudyView() = default;
  virtual const std::string& id() const = 0;
  virtual const std::string& doc() const = 0;
  virtual const systems::Schema& schema() const = 0;
  virtual std::uint64_t size() const = 0;
  virtual const std::vector<InputColumn>& inputs() const = 0;

  /// Everything about one point. The pointers of `inputs` stay valid until the next call.
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
