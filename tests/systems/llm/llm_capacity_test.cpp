#include <catch2/catch.hpp>

#include "llm_points.h"

using namespace pimsweep;
using namespace pimsweep::llm_points;
using Catch::Matchers::Contains;
using systems::Record;
using systems::Status;

namespace {

using Overrides = SystemPoints::Overrides;

const Overrides llama_70b{{"model", text("llama-2-70b")}, {"context", integer(2048)}};

Overrides with(Overrides point, const char* axis, const Value& value) {
  point[axis] = value;
  return point;
}

}  // namespace

TEST_CASE("PIM with a memory of its own takes no more feed-forward weights than it has room for") {
  SystemPoints points = points_on("llm-8-a100-attacc");
  const Overrides shared = with(with(llama_70b, "policy", text("attacc-ff")), "batch", integer(64));
  const Record roomy = points.record(shared);
  REQUIRE(roomy.status == Status::ok);
  const double weights = points.metric(roomy, "pim_weight_bytes");
  const double cache = points.metric(roomy, "cache_bytes");
  CHECK(weights > 0);
  // Of five stacks: all that is wanted and the caches fit, half of these weights, none of them.
  const auto record_with_room = [&](double bytes) {
    return points.record(with(shared, "hardware.pim.memory", Value{(cache + bytes) / 5}));
  };
  const Record exact = record_with_room(1.001 * weights);
  const Record half = record_with_room(weights / 2);
  const Record none = record_with_room(1);
  CHECK(points.metric(exact, "time") == points.metric(roomy, "time"));
  CHECK(points.metric(half, "pim_weight_bytes") == Approx(weights / 2));
  CHECK(points.metric(half, "time") > points.metric(exact, "time"));
  CHECK(points.metric(none, "time") > points.metric(half, "time"));
  const Record attacc = points.record(with(shared, "policy", text("attacc")));
  CHECK(points.metric(attacc, "pim_weight_bytes") == 0);
  // But for messages of next to nothing.
  CHECK(points.metric(none, "time") == Approx(points.metric(attacc, "time")).epsilon(0.07));
  // Room for batches is that of KV caches, whatever the share.
  CHECK(points.metric(roomy, "largest_batch") == points.metric(attacc, "largest_batch"));
}

TEST_CASE("weights that PIM alone multiplies have to fit beside KV caches") {
  SystemPoints points = points_on("llm-8-a100-attacc");
  const Overrides all = with(with(llama_70b, "policy", text("pim-all")), "hardware.pim.memory", Value{5e9});
  const Record fits = points.record(all);
  REQUIRE(fits.status == Status::ok);
  CHECK(points.metric(fits, "pim_weight_bytes") > 0.9 * points.metric(fits, "weight_bytes"));
  const Record small = points.record(with(all, "hardware.pim.memory", Value{3e9}));
  CHECK(small.status == Status::infeasible);
  CHECK_THAT(small.message, Contains("of weights in the PIM of each GPU"));
  // The memory of IANUS is PIM: the weights are there already.
  SystemPoints ianus = points_on("llm-ianus");
  CHECK(ianus.metric(ianus.record({{"model", text("gpt2-xl")}, {"policy", text("ianus")}}), "pim_weight_bytes") == 0);
}

TEST_CASE("queries beyond memory wait until others have ended") {
  SystemPoints points = points_on("gpu-a100");
  const Overrides query{{"model", text("llama-3.1-8b")}, {"policy", text("gpu")},  {"phase", text("query")},
                        {"context", integer(4096)},      {"batch", integer(1000)}, {"new_tokens", integer(256)},
                        {"queueing", text("queue")}};
  const Record refused = points.record(with(query, "queueing", text("refuse")));
  CHECK(refused.status == Status::infeasible);
  const auto largest = static_cast<std::int64_t>(points.metric(refused, "largest_batch"));
  REQUIRE(largest > 10);
  const auto time_of = [&](std::int64_t batch) {
    const Record record = points.record(with(query, "batch", integer(batch)));
    REQUIRE(record.status == Status::ok);
    return points.metric(record, "time");
  };
  CHECK(time_of(3 * largest) == Approx(3 * time_of(largest)));
  CHECK(time_of(2 * largest + 5) == Approx(2 * time_of(largest) + time_of(5)));
  const Record full = points.record(with(query, "batch", integer(largest)));
  const Record queued = points.record(with(query, "batch", integer(2 * largest)));
  CHECK_THAT(points.text(queued, "caveat"), Contains("queued"));
  CHECK(points.metric(queued, "tokens_per_second") == Approx(points.metric(full, "tokens_per_second")));
  CHECK(points.metric(queued, "time_per_token") == Approx(points.metric(full, "time_per_token")));
  CHECK(points.metric(queued, "energy") == Approx(2 * points.metric(full, "energy")));
  CHECK(points.metric(queued, "cache_bytes") == points.metric(full, "cache_bytes"));
  CHECK(points.metric(queued, "time_to_first_token") == points.metric(full, "time_to_first_token"));
  CHECK(points.metric(queued, "gpu_busy") <= 1 + 1e-12);
  // A step of sequences that are all running has nothing to queue, and no queue makes room for weights.
  CHECK(points.record(with(query, "phase", text("decode"))).status == Status::infeasible);
  CHECK(points.record(with(query, "model", text("gpt3-175b"))).status == Status::infeasible);
}

TEST_CASE("the largest batch within a TPOT bound is the last one within it") {
  for (const char* policy : {"gpu", "attacc", "attacc-ff"}) {
    SystemPoints points = points_on("llm-8-a100-attacc");
    Overrides point = with(llama_70b, "policy", text(policy));
    point["time_bound"] = Value{25e-3};
    const Record bounded = points.record(point);
    const double batch = points.metric(bounded, "largest_bounded_batch");
    const double room = points.metric(bounded, "largest_batch");
    REQUIRE(batch >= 1);
    REQUIRE(batch <= room);
    point["batch"] = integer(static_cast<std::int64_t>(batch));
    const Record at = points.record(point);
    CHECK(points.metric(at, "time_per_token") <= 25e-3);
    CHECK(points.metric(at, "tokens_per_second") == Approx(points.metric(bounded, "bounded_tokens_per_second")));
    CHECK(points.metric(at, "largest_bounded_batch") == batch);
    if (batch < room) {
      point["batch"] = integer(static_cast<std::int64_t>(batch) + 1);
      CHECK(points.metric(points.record(point), "time_per_token") > 25e-3);
    }
    // What the point itself costs does not depend on the bound; one that no batch keeps leaves none.
    CHECK(points.metric(bounded, "time") ==
          points.metric(points.record(with(llama_70b, "policy", text(policy))), "time"));
    point["batch"] = integer(1);
    point["time_bound"] = Value{1e-6};
    const Record none = points.record(point);
    CHECK(points.metric(none, "largest_bounded_batch") == 0);
    CHECK(points.metric(none, "bounded_tokens_per_second") == 0);
  }
}
