#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "results/study_view.h"

namespace pimsweep::test {

/// A study held in memory: rows are inputs and records, as given.
class FakeStudy final : public results::StudyView {
 public:
  FakeStudy(std::string id, systems::Schema schema, std::vector<results::ColumnInfo> inputs)
      : id_(std::move(id)), schema_(std::move(schema)), inputs_(std::move(inputs)) {}

  void add(std::vector<Value> inputs, systems::Record record) {
    rows_.push_back(std::move(inputs));
    records_.push_back(std::move(record));
  }

  const std::string& id() const override { return id_; }
  const std::string& doc() const override { return id_; }
  const systems::Schema& schema() const override { return schema_; }
  std::uint64_t size() const override { return rows_.size(); }
  const std::vector<results::ColumnInfo>& inputs() const override { return inputs_; }
  void row(std::uint64_t index, Row& row) override {
    row.inputs.clear();
    for (const Value& value : rows_[index]) row.inputs.push_back(&value);
    row.identity = hash128(id_ + std::to_string(index));
    row.record = records_[index];
    row.seconds = 0.5 * static_cast<double>(index);
  }

 private:
  std::string id_;
  systems::Schema schema_;
  std::vector<results::ColumnInfo> inputs_;
  std::vector<std::vector<Value>> rows_;
  std::vector<systems::Record> records_;
};

/// Two real metrics, a text one and a detail table.
inline systems::Schema fake_schema() {
  systems::Schema schema;
  schema.name = "fake";
  schema.version = 3;
  schema.metrics = {{"latency", "s", "how long", ValueType::real},
                    {"energy", "J", "how much", ValueType::real},
                    {"winner", "1", "which one", ValueType::text}};
  schema.tables = {{"stages",
                    "stage by stage",
                    {{"stage", "1", "number", ValueType::integer}, {"share", "1", "part", ValueType::real}}}};
  return schema;
}

/// Axes x (real), policy (text), fast (boolean), n (integer); label and reference.
inline std::vector<results::ColumnInfo> fake_inputs() {
  return {{"x", "Hz", "a real axis", "experiment", results::ColumnRole::axis, ValueType::real},
          {"policy", "1", "a text axis", "experiment", results::ColumnRole::axis, ValueType::text},
          {"fast", "1", "a boolean axis", "default", results::ColumnRole::axis, ValueType::boolean},
          {"n", "1", "an integer axis", "experiment", results::ColumnRole::axis, ValueType::integer},
          {"label_layer", "1", "", "points.csv", results::ColumnRole::label, ValueType::text},
          {"reference_latency", "s", "", "points.csv", results::ColumnRole::reference, ValueType::real}};
}

inline systems::Record fake_record(double latency, std::string winner, int stages) {
  systems::Record record;
  record.reset(fake_schema());
  record.status = systems::Status::ok;
  record.metrics[0] = latency;
  record.metrics[1] = 2 * latency;
  record.metrics[2] = std::move(winner);
  for (int stage = 1; stage <= stages; ++stage) {
    record.tables[0].emplace_back(std::int64_t{stage});
    record.tables[0].emplace_back(1.0 / stage);
  }
  return record;
}

}  // namespace pimsweep::test
