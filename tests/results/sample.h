#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "results/results_file.h"
#include "results/study_view.h"

/// Made-up studies with every kind of column, for the tests of the room `results`.
namespace pimsweep::sample {

/// 2^60 + 1.
inline constexpr std::int64_t wide = (std::int64_t{1} << 60) + 1;

inline systems::Schema schema() {
  systems::Schema made;
  made.name = "sample";
  made.version = 3;
  const auto axis = [](const char* name, ValueType type, const char* unit, const char* doc) {
    return systems::Axis{name, type, unit, std::nullopt, std::nullopt, std::nullopt, {}, doc};
  };
  made.axes = {axis("hardware.noc.link_bandwidth", ValueType::real, "B/s", "link bandwidth"),
               axis("count", ValueType::integer, "1", "a count"),
               axis("fast", ValueType::boolean, "1", "a switch"),
               axis("model", ValueType::text, "1", "a model"),
               axis("mode", ValueType::text, "1", "the same text everywhere"),
               axis("wide", ValueType::integer, "1", "an integer that no double holds"),
               axis("level", ValueType::real, "V", "the same real everywhere"),
               axis("on", ValueType::boolean, "1", "true everywhere")};
  made.metrics = {{.name = "latency", .unit = "s", .doc = "time", .type = ValueType::real},
                  {.name = "layers", .unit = "1", .doc = "a count that may be missing", .type = ValueType::integer},
                  {.name = "scheme", .unit = "1", .doc = "a text", .type = ValueType::text}};
  made.tables = {{.name = "stages",
                  .doc = "one row for each stage",
                  .columns = {{.name = "stage", .doc = "number", .type = ValueType::integer},
                              {.name = "time", .unit = "s", .doc = "time", .type = ValueType::real},
                              {.name = "name", .doc = "name", .type = ValueType::text}}},
                 {.name = "empty", .doc = "no rows", .columns = {{.name = "x", .doc = "", .type = ValueType::real}}}};
  return made;
}

/// A record of the schema above, drawn from `random`: all states, missing metrics, texts with umlauts, 0 to 4 rows.
inline systems::Record record(const systems::Schema& schema, std::mt19937_64& random) {
  systems::Record made;
  made.reset(schema);
  made.status = static_cast<systems::Status>(random() % 5);
  if (made.status == systems::Status::not_run) return made;
  if (made.status != systems::Status::ok) made.message = "why: \u00e4 " + std::to_string(random() % 100);
  if (made.status == systems::Status::ok) {
    made.metrics[0] = static_cast<double>(random()) * 0x1p-64;
    if (random() % 2 == 0) made.metrics[1] = static_cast<double>(random() % 100);
    made.metrics[2] = "4x" + std::to_string(random() % 9);
    const std::int64_t rows = static_cast<std::int64_t>(random() % 5);
    for (std::int64_t row = 0; row < rows; ++row) {
      made.tables[0].emplace_back(row);
      made.tables[0].emplace_back(static_cast<double>(random() % 1000));
      made.tables[0].emplace_back(std::string("stage \u00fc"));
    }
  }
  return made;
}

/// A study of `size` points whose content depends on the seed alone.
class Study final : public results::StudyView {
 public:
  /// `told` says whether the columns say that they are constant.
  Study(std::string id, std::uint64_t size, unsigned seed, bool told = true) : id_(std::move(id)), size_(size) {
    std::mt19937_64 random(seed);
    for (std::uint64_t i = 0; i < size; ++i) {
      records_.push_back(record(schema_, random));
      inputs_of_.push_back({1e9 * static_cast<double>(i), static_cast<std::int64_t>(i % 7), i % 2 == 0,
                            std::string(i % 3 == 0 ? "swin-t" : "vit-b"), std::string("gr\u00fc\u00df"), wide, 0.25,
                            true, "layer " + std::to_string(i), 0.5});
    }
    for (const systems::Axis& axis : schema_.axes)
      inputs_.push_back({axis.name, axis.unit, axis.doc, "experiment", results::ColumnRole::axis, axis.type});
    if (told) {
      inputs_[4].constant = std::string("gr\u00fc\u00df");
      inputs_[5].constant = wide;
      inputs_[6].constant = 0.25;
      inputs_[7].constant = true;
    }
    inputs_.push_back({"label_layer", "1", "label layer", "point table", results::ColumnRole::label, ValueType::text});
    inputs_.push_back({"reference_latency", "s", "reference value of latency", "point table",
                       results::ColumnRole::reference, ValueType::real});
  }

  const std::string& id() const override { return id_; }
  const std::string& doc() const override { return doc_; }
  const systems::Schema& schema() const override { return schema_; }
  std::uint64_t size() const override { return size_; }
  const std::vector<results::ColumnInfo>& inputs() const override { return inputs_; }
  void row(std::uint64_t index, Row& row) override {
    row.inputs.clear();
    for (const Value& value : inputs_of_[index]) row.inputs.push_back(&value);
    row.identity = identity(index);
    row.record = records_[index];
    row.seconds = row.record.status == systems::Status::not_run ? std::numeric_limits<double>::quiet_NaN() : 0.25;
  }

  static Hash128 identity(std::uint64_t index) { return hash128("point " + std::to_string(index)); }
  const std::vector<Value>& inputs_of(std::uint64_t index) const { return inputs_of_[index]; }
  std::vector<systems::Record>& records() { return records_; }

 private:
  std::string id_;
  std::string doc_ = "a study";
  std::uint64_t size_;
  systems::Schema schema_ = sample::schema();
  std::vector<results::ColumnInfo> inputs_;
  std::vector<std::vector<Value>> inputs_of_;
  std::vector<systems::Record> records_;
};

inline std::vector<std::unique_ptr<results::StudyView>> studies() {
  std::vector<std::unique_ptr<results::StudyView>> made;
  // More than one chunk of texts and more than one block of rows.
  made.push_back(std::make_unique<Study>("big", 5000, 1));
  made.push_back(std::make_unique<Study>("small.1", 3, 2));
  made.push_back(std::make_unique<Study>("none", 0, 3));
  return made;
}

/// Equal, with NaN equal to NaN.
inline bool same(const Value& a, const Value& b) {
  const auto* left = std::get_if<double>(&a);
  const auto* right = std::get_if<double>(&b);
  return a == b || (left != nullptr && right != nullptr && std::isnan(*left) && std::isnan(*right));
}

inline bool same(const systems::Record& a, const systems::Record& b) {
  if (a.status != b.status || a.message != b.message || a.tables != b.tables) return false;
  return std::equal(a.metrics.begin(), a.metrics.end(), b.metrics.begin(), b.metrics.end(),
                    [](const Value& x, const Value& y) { return same(x, y); });
}

}  // namespace pimsweep::sample
