#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/value.h"
#include "results/columns.h"
#include "systems/system.h"

namespace pimsweep::results {

/// A detail table that is known as a whole.
struct FilledTable {
  systems::Table table;
  struct Row {
    /// The point of the study that the row belongs to.
    std::uint64_t point = 0;
    std::vector<Value> cells;
  };
  std::vector<Row> rows;
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
  /// The last metrics of the schema that the experiment derives from the others.
  virtual std::size_t derived_metrics() const { return 0; }
  /// Further attributes of the study, each with its text.
  virtual std::vector<std::pair<std::string, std::string>> attributes() const { return {}; }
  virtual std::uint64_t size() const = 0;
  /// The columns that are known before results are read: axes, labels and references of a point table, and
  /// properties of the point in a search.
  virtual const std::vector<ColumnInfo>& inputs() const = 0;
  /// Tables besides those of the schema.
  virtual const std::vector<FilledTable>& tables() const {
    static const std::vector<FilledTable> none;
    return none;
  }

  /// One point. The pointers in `inputs` stay valid until the next call of row(). Called once for each point, in
  /// ascending order.
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
