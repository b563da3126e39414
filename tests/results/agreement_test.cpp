#include "results/agreement.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "base/error.h"
#include "results/pareto.h"
#include "results/results_file.h"
#include "results/study_view.h"
#include "scratch_folder.h"

using namespace pimsweep::results;
using namespace pimsweep::systems;
using namespace pimsweep;

namespace {

struct Result {
  std::string fidelity;
  std::int64_t size;
  double latency;
  double energy;
};

/// Designs of one axis, at several fidelities.
class Designs final : public StudyView {
 public:
  explicit Designs(std::vector<Result> results) : results_(std::move(results)) {
    schema_.name = "made-up";
    schema_.axes = {Axis{"fidelity", ValueType::text, "1", {}, {}, {}, {}, ""},
                    Axis{"size", ValueType::integer, "1", {}, {}, {}, {}, ""}};
    schema_.metrics = {{.name = "latency", .unit = "s", .doc = ""}, {.name = "energy", .unit = "J", .doc = ""}};
    inputs_ = {{"fidelity", "1", "", "", ColumnRole::axis, ValueType::text},
               {"size", "1", "", "", ColumnRole::axis, ValueType::integer}};
    for (const Result& result : results_) values_.push_back({result.fidelity, result.size});
  }
  const std::string& id() const override { return id_; }
  const std::string& doc() const override { return id_; }
  const Schema& schema() const override { return schema_; }
  std::uint64_t size() const override { return results_.size(); }
  const std::vector<InputColumn>& inputs() const override { return inputs_; }
  void row(std::uint64_t index, Row& row) override {
    row.inputs = {&values_[index][0], &values_[index][1]};
    row.record.reset(schema_);
    row.record.status = Status::ok;
    row.record.metrics = {results_[index].latency, results_[index].energy};
  }

 private:
  std::string id_ = "designs";
  Schema schema_;
  std::vector<InputColumn> inputs_;
  std::vector<Result> results_;
  std::vector<std::vector<Value>> values_;
};

FidelityAgreement agree(std::vector<Result> results, const std::vector<std::string>& objectives = {},
                        const std::vector<std::string>& group_by = {}) {
  const ScratchFolder scratch;
  std::vector<std::unique_ptr<StudyView>> studies;
  studies.push_back(std::make_unique<Designs>(std::move(results)));
  write_results(scratch.file("a.h5"), {"x", "", {}}, studies, {});
  return compare_fidelities(scratch.file("a.h5"), {objectives, group_by});
}

/// By the definition.
std::vector<std::size_t> front_by_trying(const std::vector<std::vector<double>>& columns) {
  std::vector<std::size_t> front;
  const std::size_t rows = columns.front().size();
  for (std::size_t row = 0; row < rows; ++row) {
    bool dominated = false;
    for (std::size_t other = 0; other < rows; ++other) {
      bool no_larger = true;
      bool smaller = false;
      for (const std::vector<double>& column : columns) {
        no_larger = no_larger && column[other] <= column[row];
        smaller = smaller || column[other] < column[row];
      }
      dominated = dominated || (no_larger && smaller);
    }
    if (!dominated) front.push_back(row);
  }
  return front;
}

}  // namespace

TEST_CASE("fidelities of known numbers") {
  const double missing = std::numeric_limits<double>::quiet_NaN();
  const FidelityAgreement agreement = agree({{"analytic", 1, 9, 1},
                                             {"analytic", 2, 22, 3},
                                             {"analytic", 3, 30, 2},
                                             {"cycle", 3, 30, 2},
                                             {"cycle", 2, 20, 3},
                                             {"cycle", 1, 10, 4},
                                             {"cycle", 4, 1, 1},
                                             {"analytic", 5, 1, 1},
                                             {"analytic", 6, 1, 1},
                                             {"cycle", 6, missing, 1}});
  REQUIRE(agreement.metrics.size() == 2);
  const MetricAgreement& latency = agreement.metrics.front();
  CHECK(latency.finer == "cycle");
  CHECK(latency.coarser == "analytic");
  CHECK(latency.metric == "latency");
  // Sizes 1, 2 and 3: 4 to 6 lack one of the two.
  CHECK(latency.pairs == 3);
  CHECK(latency.deviation.mean == Approx(0).margin(1e-12));
  CHECK(latency.deviation.median == Approx(0.1));
  CHECK(latency.rank_correlation == Approx(1));
  CHECK(agreement.metrics.back().pairs == 4);
  REQUIRE(agreement.fronts.size() == 1);
  const FrontAgreement& front = agreement.fronts.front();
  CHECK(front.objectives == std::vector<std::string>{"latency", "energy"});
  CHECK(front.designs == 3);
  CHECK(front.finer_front == 3);    // (10, 4), (20, 3), (30, 2)
  CHECK(front.coarser_front == 1);  // (9, 1)
  CHECK(front.common == 1);
  CHECK(front.regret == Approx(0).margin(1e-12));
}

TEST_CASE("a coarser fidelity that takes the wrong design pays for it") {
  const std::vector<Result> results{
      {"event", 1, 10, 1}, {"event", 2, 15, 1}, {"analytic", 1, 8, 1}, {"analytic", 2, 7, 1}};
  CHECK(agree(results, {"latency"}).fronts.front().regret == Approx(0.5));
  CHECK(agree(results, {"latency"}).fronts.front().common == 0);
  // Apart, each is the best of its group.
  CHECK(agree(results, {"latency"}, {"size"}).fronts.front().worst_regret == 0);
  CHECK(agree(results, {"latency"}, {"size"}).fronts.front().groups == 2);
  CHECK_THROWS_WITH(agree(results, {}, {"sise"}), Catch::Contains("'size'"));
  CHECK(agree(results).metrics.front().rank_correlation == Approx(-1));
  CHECK(std::isnan(agree(results).metrics.back().rank_correlation));
  CHECK_THROWS_WITH(agree(results, {"latencie"}), Catch::Contains("latencie") && Catch::Contains("'latency'"));
  CHECK(agree({{"cycle", 1, 1, 1}}).metrics.empty());
}

TEST_CASE("ranks that are shared are shared on both sides") {
  const std::vector<double> a{1, 2, 2, 3};
  const std::vector<double> b{10, 20, 30, 30};
  // Ranks 0, 1.5, 1.5, 3 and 0, 1, 2.5, 2.5: covariance 3.75, variances 4.5 and 4.5.
  CHECK(rank_correlation(a, b) == Approx(3.75 / 4.5));
}

TEST_CASE("the Pareto front is that of the definition") {
  std::mt19937 random(1);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<std::vector<double>> columns(1 + random() % 4, std::vector<double>(random() % 40));
    for (std::vector<double>& column : columns) {
      for (double& number : column) number = static_cast<double>(random() % 12);
    }
    const std::vector<std::span<const double>> spans(columns.begin(), columns.end());
    CHECK(pareto_front(spans) == front_by_trying(columns));
  }
}
