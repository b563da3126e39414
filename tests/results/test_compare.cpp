#include <catch2/catch.hpp>

#include "base/error.h"
#include "fake_study.h"
#include "results/compare.h"
#include "results/results_file.h"
#include "scratch.h"

namespace pimsweep {
namespace {

/// Points with the given latencies and references.
std::string write(const test::Scratch& scratch, const std::vector<std::pair<double, double>>& pairs,
                  const std::string& reference) {
  auto inputs = test::fake_inputs();
  inputs.back().name = "reference_" + reference;
  auto study = std::make_unique<test::FakeStudy>("one", test::fake_schema(), inputs);
  int n = 0;
  for (const auto& [latency, expected] : pairs) {
    const std::string label = "layer" + std::to_string(n);
    study->add({1.0, std::string("a"), true, std::int64_t{n++}, label, expected}, test::fake_record(latency, "", 0));
  }
  std::vector<std::unique_ptr<StudyView>> studies;
  studies.push_back(std::move(study));
  write_results(scratch / "x.h5", {"test", "", {}}, studies, {});
  return scratch / "x.h5";
}

}  // namespace

TEST_CASE("deviations from a reference column", "[compare]") {
  const test::Scratch scratch;
  const auto found = compare_with_references(write(scratch, {{11, 10}, {8, 10}, {10, 10}, {0, 0}}, "latency"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].metric == "latency");
  CHECK(found[0].count == 4);
  CHECK(found[0].mean == Approx((0.1 - 0.2) / 4));
  CHECK(found[0].median == Approx(0.05));
  CHECK(found[0].percentile95 == Approx(0.2 - 0.15 * 0.1));
  CHECK(found[0].worst == Approx(-0.2));
  CHECK(found[0].worst_point == 1);
  CHECK(found[0].worst_labels == "layer = layer1");
}

TEST_CASE("a reference without its metric is an error that names the metrics", "[compare]") {
  const test::Scratch scratch;
  CHECK_THROWS_WITH(compare_with_references(write(scratch, {{1, 1}}, "latancy")),
                    Catch::Contains("did you mean 'latency'"));
}

}  // namespace pimsweep
