// Machines and policies of NeuPIMs, PAPI and Duplex, skewed experts and sequences of different lengths.
#include <catch2/catch.hpp>
#include <random>

#include "llm_points.h"

using namespace pimsweep;
using namespace pimsweep::llm_points;
using Catch::Matchers::Contains;
using systems::Record;
using systems::Status;

namespace {

using Overrides = SystemPoints::Overrides;

Overrides with(Overrides point, const std::string& axis, const Value& value) {
  point[axis] = value;
  return point;
}

double time_of(SystemPoints& points, const Overrides& point) {
  const Record record = points.record(point);
  INFO(record.message);
  REQUIRE(record.status == Status::ok);
  return points.metric(record, "time");
}

const Overrides neupims{{"model", text("gpt3-13b")},
                        {"policy", text("neupims")},
                        {"tensor_parallel", integer(4)},
                        {"batch", integer(256)},
                        {"context", integer(376)}};
const Overrides mixtral{{"model", text("mixtral-8x7b")}, {"policy", text("duplex")}, {"batch", integer(32)}};

}  // namespace

TEST_CASE("two batches that take turns are between their sum and the longer side, whatever the machine") {
  SystemPoints points = points_on("llm-neupims");
  std::mt19937 random(5);
  for (int i = 0; i < 60; ++i) {
    Overrides point = neupims;
    point["batch"] = integer(std::uniform_int_distribution<int>(2, 400)(random));
    point["context"] = integer(std::uniform_int_distribution<int>(1, 200)(random));
    point["hardware.pim.channel.tile"] = integer(std::uniform_int_distribution<int>(20, 2000)(random));
    if (i % 2 == 0) point["lengths"] = text("log-normal");
    const Record record = points.record(point);
    CAPTURE(i, record.message);
    REQUIRE(record.status == Status::ok);
    const double time = points.metric(record, "time");
    CHECK(sum(points, record, "time") == Approx(time).epsilon(1e-12));
    CHECK(points.metric(record, "gpu_busy") <= 1 + 1e-12);
    CHECK(points.metric(record, "pim_busy") <= 1 + 1e-12);
    const double alone =
        sum(points, record, "gpu_time") + sum(points, record, "pim_time") + sum(points, record, "link_time");
    CHECK(time <= alone * (1 + 1e-12));
    point["hardware.pim.dual_row_buffer"] = Value{false};
    CHECK(time_of(points, point) == Approx(alone).epsilon(1e-9));
  }
}

TEST_CASE("requests on channels: NeuPIMs' greedy rule is no worse than requests in turn, equal lengths know no rule") {
  SystemPoints points = points_on("llm-neupims");
  Overrides drawn = with(neupims, "lengths", text("log-normal"));
  drawn["length_sigma"] = Value{1.0};
  const double in_turn = time_of(points, with(drawn, "channel_assignment", text("round-robin")));
  const double greedy = time_of(points, with(drawn, "channel_assignment", text("greedy")));
  CHECK(greedy < in_turn);
  CHECK(time_of(points, with(neupims, "channel_assignment", text("round-robin"))) == time_of(points, neupims));
}

TEST_CASE("PAPI runs products on PIM up to its threshold of operations for each weight") {
  SystemPoints points = points_on("llm-papi");
  const Overrides point{{"model", text("llama-65b")}, {"policy", text("papi")},  {"tensor_parallel", integer(4)},
                        {"batch", integer(4)},        {"context", integer(512)}, {"new_tokens", integer(4)}};
  const auto share_of_products = [&](double threshold) {
    const Record record = points.record(with(point, "hardware.pim.intensity_threshold", Value{threshold}));
    REQUIRE(record.status == Status::ok);
    const std::vector<Value> kinds = points.column(record, "by_operator", "kind");
    const std::vector<Value> shares = points.column(record, "by_operator", "pim_share");
    double sum = 0;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (std::get<std::string>(kinds[i]) == "attention") CHECK(to_real(shares[i]) == 1);
      if (std::get<std::string>(kinds[i]) == "linear") sum += to_real(shares[i]);
    }
    return sum;
  };
  CHECK(share_of_products(16) > 3);
  CHECK(share_of_products(15.9) == 0);
}

TEST_CASE("Duplex divides experts in steps without a prompt, and that is never slower") {
  SystemPoints points = points_on("llm-duplex");
  for (const double exponent : {0.0, 1.0, 2.0}) {
    Overrides point = with(mixtral, "routing", text("zipf"));
    point["routing_exponent"] = Value{exponent};
    CAPTURE(exponent);
    const double time = time_of(points, point);
    // Without units for GEMMs, experts are all on the GPUs.
    CHECK(time <= time_of(points, with(point, "hardware.pim.rated.products.rate", Value{0.0})) * (1 + 1e-12));
    CHECK(time <= time_of(points, with(point, "policy", text("attacc"))) * 1.2);
  }
  const Record mixed = points.record(with(mixtral, "phase", text("mixed")));
  REQUIRE(mixed.status == Status::ok);
  const std::vector<Value> kinds = points.column(mixed, "by_operator", "kind");
  const std::vector<Value> shares = points.column(mixed, "by_operator", "pim_share");
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (std::get<std::string>(kinds[i]) == "experts") CHECK(to_real(shares[i]) == 0);
  }
}

TEST_CASE("skewed experts: uniform routing is Zipf's without an exponent, and skew leaves fewer weights to read") {
  SystemPoints points = points_on("llm-8-h200");
  const Overrides point{{"model", text("qwen3-30b-a3b")},
                        {"policy", text("gpu")},
                        {"batch", integer(16)},
                        {"tensor_parallel", integer(4)}};
  const auto bytes = [&](const Overrides& overrides) { return points.metric(points.record(overrides), "gpu_bytes"); };
  Overrides zipf = with(point, "routing", text("zipf"));
  zipf["routing_exponent"] = Value{0.0};
  CHECK(bytes(zipf) == Approx(bytes(point)).epsilon(1e-9));
  CHECK(time_of(points, zipf) == Approx(time_of(points, point)).epsilon(0.05));
  zipf["routing_exponent"] = Value{1.5};
  CHECK(bytes(zipf) < bytes(point));
}

TEST_CASE("loads that a point cannot have are refused") {
  SystemPoints points = points_on("llm-8-h200");
  const Overrides point{{"model", text("qwen3-30b-a3b")},
                        {"policy", text("gpu")},
                        {"lengths", text("log-normal")},
                        {"tensor_parallel", integer(4)}};
  CHECK_THROWS_WITH(points.record(with(point, "phase", text("query"))), Contains("equal lengths only"));
  CHECK_THROWS_WITH(points.record(with(point, "batch", integer(100000))), Contains("up to 65536"));
  CHECK_THROWS_WITH(points.record(with(point, "lengths", text("table"))), Contains("no table '.csv'"));
  Overrides routed = with(point, "routing", text("table"));
  routed["routing_table"] = text("none");
  CHECK_THROWS_WITH(points.record(routed), Contains("no table 'none.csv'"));
}
