#include "systems/record_check.h"

#include <catch2/catch.hpp>
#include <limits>

#include "systems/column_table.h"

using namespace pimsweep;
using namespace pimsweep::systems;
using Catch::Matchers::Contains;

namespace {

struct Numbers {
  double time = 2;
  std::optional<double> card_time = {};
  double gain = -0.5;
  std::int64_t nodes = 3;
};

struct LayerRow {
  std::int64_t layer = 1;
  double time = 1;
};

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A record of one row, written by tables as systems do it.
class Written {
 public:
  Written() {
    const Numbers& n = metrics_.layout();
    metrics_.quantity(n.time, "time", "s", "time of a step")
        .quantity(n.card_time, "card_time", "s", "time of the GPU in a step", "policies without a GPU")
        .quantity(n.gain, "gain", "1", "gain of the step over the baseline")
        .may_be_negative()
        .count(n.nodes, "nodes", "nodes that work in a step");
    layers_.count(layers_.layout().layer, "layer", "number of the layer, from 1")
        .quantity(layers_.layout().time, "time", "s", "time of the layer in a step");
    schema_.metrics = metrics_.columns();
    layers_.attach(schema_);
  }

  std::string fault_of(const Numbers& numbers, const LayerRow& row = {}, Status status = Status::ok) {
    Record record;
    record.reset(schema_);
    record.status = status;
    metrics_.write(numbers, record);
    layers_.add(row, record);
    return record_fault(schema_, record);
  }
  const Schema& schema() const { return schema_; }

 private:
  MetricTable<Numbers> metrics_;
  RowTable<LayerRow> layers_{"layers", "one row for each layer"};
  Schema schema_;
};

}  // namespace

TEST_CASE("numbers in the range of their metric are not a fault") {
  Written written;
  CHECK(written.fault_of({}).empty());
  CHECK(written.fault_of({.card_time = 1.0}).empty());
  CHECK(written.fault_of({.time = 0}).empty());
  CHECK(written.schema().metrics[1].absent == "policies without a GPU");
  CHECK(written.schema().metrics[2].range == Range::any);
}

TEST_CASE("a negative number is a fault unless its metric may be negative") {
  Written written;
  CHECK(written.fault_of({.time = -765472.7}) ==
        "metric 'time' is -765472.7 s, but cannot be negative (an overflow or a fault of the model)");
  CHECK_THAT(written.fault_of({.nodes = -3}), Contains("metric 'nodes' is -3"));
  CHECK_THAT(written.fault_of({.card_time = -1.0}), Contains("metric 'card_time' is -1 s"));
  CHECK_THAT(written.fault_of({}, {.layer = 1, .time = -1}), Contains("column 'time' of table 'layers' is -1 s"));
  CHECK_THAT(written.fault_of({}, {.layer = -1, .time = 1}), Contains("column 'layer' of table 'layers' is -1"));
}

TEST_CASE("infinity is a fault everywhere") {
  Written written;
  CHECK_THAT(written.fault_of({.time = infinity}), Contains("metric 'time' is infinite"));
  CHECK_THAT(written.fault_of({.card_time = infinity}), Contains("'card_time' is infinite"));
  CHECK_THAT(written.fault_of({.gain = -infinity}), Contains("'gain' is infinite"));
  CHECK_THAT(written.fault_of({}, {.layer = 1, .time = infinity}), Contains("table 'layers' is infinite"));
  CHECK_THAT(written.fault_of({.time = infinity}, {}, Status::infeasible), Contains("is infinite"));
}

TEST_CASE("a number may be missing with a reason, or where the point is not ok") {
  Written written;
  CHECK_THAT(written.fault_of({.time = no_number}), Contains("metric 'time' has no value (NaN)"));
  CHECK_THAT(written.fault_of({}, {.layer = 1, .time = no_number}), Contains("has no value"));
  CHECK(written.fault_of({.time = no_number}, {}, Status::infeasible).empty());
  CHECK(written.fault_of({.card_time = no_number}).empty());
}

TEST_CASE("cells that do not suit the schema are faults") {
  Written written;
  Record record;
  record.reset(written.schema());
  record.metrics.pop_back();
  CHECK(record_fault(written.schema(), record) == "3 metrics instead of 4");
  record.reset(written.schema());
  record.metrics[0] = std::string("two");
  CHECK(record_fault(written.schema(), record) == "metric 'time' is text");
  record.reset(written.schema());
  record.tables[0] = {std::int64_t{1}};
  CHECK(record_fault(written.schema(), record) == "table 'layers' ends in an unfinished row");
  record.tables[0] = {1.5, 1.0};
  CHECK_THAT(record_fault(written.schema(), record), Contains("column 'layer' of table 'layers' is real"));
}
