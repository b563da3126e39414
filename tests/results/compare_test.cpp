#include "results/compare.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "results/results_file.h"
#include "sample.h"
#include "scratch_folder.h"

using namespace pimsweep::results;
using namespace pimsweep::systems;
using namespace pimsweep;

namespace {

/// A study whose points carry a label and a reference (named as said) beside the metric "latency".
class Measured final : public StudyView {
 public:
  Measured(std::vector<double> ours, std::vector<double> reference, const std::string& name)
      : ours_(std::move(ours)), reference_(reference.begin(), reference.end()) {
    schema_.name = "measured";
    schema_.metrics = {{.name = "latency", .unit = "s", .doc = "", .type = ValueType::real}};
    inputs_ = {{"label_layer", "1", "", "", ColumnRole::label, ValueType::text},
               {"reference_" + name, "s", "", "", ColumnRole::reference, ValueType::real}};
    for (std::size_t i = 0; i < ours_.size(); ++i) labels_.emplace_back("layer " + std::to_string(i));
  }
  const std::string& id() const override { return id_; }
  const std::string& doc() const override { return id_; }
  const Schema& schema() const override { return schema_; }
  std::uint64_t size() const override { return ours_.size(); }
  const std::vector<ColumnInfo>& inputs() const override { return inputs_; }
  void row(std::uint64_t index, Row& row) override {
    row.inputs = {&labels_[index], &reference_[index]};
    row.record.reset(schema_);
    row.record.status = Status::ok;
    row.record.metrics[0] = ours_[index];
  }

 private:
  std::string id_ = "measured";
  Schema schema_;
  std::vector<ColumnInfo> inputs_;
  std::vector<double> ours_;
  std::vector<Value> reference_;
  std::vector<Value> labels_;
};

std::vector<Comparison> compare(std::vector<double> ours, std::vector<double> reference,
                                const std::string& name = "latency") {
  const ScratchFolder scratch;
  std::vector<std::unique_ptr<StudyView>> studies;
  studies.push_back(std::make_unique<Measured>(std::move(ours), std::move(reference), name));
  write_results(scratch.file("a.h5"), {"x", "", {}}, studies, {});
  return compare_with_references(scratch.file("a.h5"));
}

}  // namespace

TEST_CASE("deviations of known numbers") {
  const double missing = std::numeric_limits<double>::quiet_NaN();
  // Relative deviations +10 %, -20 %, +50 %, 0; two points lack one side.
  const auto compared = compare({11, 8, 15, 10, missing, 3}, {10, 10, 10, 10, 10, missing});
  REQUIRE(compared.size() == 1);
  CHECK(compared[0].count == 4);
  CHECK(compared[0].deviation.mean == Approx(0.1));
  CHECK(compared[0].deviation.median == Approx(0.15));
  CHECK(compared[0].deviation.percentile95 == Approx(0.2 + 0.85 * 0.3));
  CHECK(compared[0].deviation.worst == Approx(0.5));
  CHECK(compared[0].worst_point == 2);
  CHECK(compared[0].worst_labels == "layer = layer 2");
}

TEST_CASE("deviations keep their laws on random numbers") {
  std::mt19937_64 random(31);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> ours;
    std::vector<double> reference;
    for (std::size_t i = 0; i < 1 + random() % 50; ++i) {
      ours.push_back(1 + static_cast<double>(random() % 1000));
      reference.push_back(1 + static_cast<double>(random() % 1000));
    }
    const Comparison one = compare(ours, reference)[0];
    CHECK(one.count == ours.size());
    CHECK(one.deviation.median <= one.deviation.percentile95);
    CHECK(one.deviation.percentile95 <= Approx(std::abs(one.deviation.worst)));
    CHECK(one.deviation.worst ==
          Approx((ours[one.worst_point] - reference[one.worst_point]) / reference[one.worst_point]));
    // Scaling both sides changes nothing.
    for (double& value : ours) value *= 8;
    for (double& value : reference) value *= 8;
    CHECK(compare(ours, reference)[0].deviation.mean == Approx(one.deviation.mean));
  }
}

TEST_CASE("a reference without a metric is an error with the nearest name") {
  CHECK_THROWS_WITH(compare({1}, {1}, "latencey"), Catch::Contains("latencey") && Catch::Contains("'latency'"));
}

TEST_CASE("a file without references is an error") {
  const ScratchFolder scratch;
  std::vector<std::unique_ptr<StudyView>> none;
  write_results(scratch.file("a.h5"), {"x", "", {}}, none, {});
  CHECK_THROWS_AS(compare_with_references(scratch.file("a.h5")), InputError);
}

TEST_CASE("infinite numbers have no deviation") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> ours(40, 1.0);
  std::vector<double> reference(40, 2.0);
  for (std::size_t i = 0; i < 30; i += 3) ours[i] = reference[i] = -infinity;
  for (std::size_t i = 1; i < 30; i += 3) reference[i] = infinity;
  const std::vector<Comparison> found = compare(ours, reference);
  REQUIRE(found.size() == 1);
  CHECK(found[0].count == 20);
  CHECK(found[0].deviation.mean == Approx(-0.5));
}
