#include "systems/serving/serving.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "base/csv.h"
#include "base/error.h"
#include "base/posix_file.h"
#include "systems/system_points.h"

using namespace pimsweep;
using namespace pimsweep::systems;
using Overrides = SystemPoints::Overrides;

namespace {

SystemPoints points_on(const std::string& hardware) {
  ConfigFolders configs("configs");
  configs.models.insert(configs.models.begin(), ConfigFolder{.path = "results/reference/serving"});
  return {serving::make_serving(configs), hardware};
}

Value whole(std::int64_t number) { return number; }
Value text(const char* words) { return std::string(words); }

/// Llama-3.1-8B with 200 requests of 512 and 64 tokens.
Overrides steady(double rate) {
  return {{"model", text("llama-3.1-8b")},
          {"request_rate", rate},
          {"requests", whole(200)},
          {"input_tokens", whole(512)},
          {"output_tokens", whole(64)},
          {"hardware.host.engine", Value{std::string("two-steps")}},
          {"hardware.host.two_steps.step_time", Value{0.3e-3}}};
}

Overrides with(Overrides point, const Overrides& others) {
  for (const auto& [name, value] : others) point[name] = value;
  return point;
}

}  // namespace

TEST_CASE("Latencies grow with the rate, until the queue does", "[serving]") {
  SystemPoints points = points_on("gpu-rtx-4090");
  double last = 0;
  for (const double rate : {0.5, 2.0, 4.0}) {
    const Record record = points.record(steady(rate));
    REQUIRE(record.status == Status::ok);
    CHECK(points.metric(record, "saturated") == 0);
    CHECK(points.metric(record, "load") < 1);
    CHECK(points.metric(record, "e2el_mean") > last);
    last = points.metric(record, "e2el_mean");
    CHECK(points.metric(record, "ttft_p50") <= points.metric(record, "ttft_p99"));
    CHECK(points.metric(record, "ttft_p99_low") < points.metric(record, "ttft_p99"));
    CHECK(points.metric(record, "ttft_p99_high") > points.metric(record, "ttft_p99"));
    CHECK(points.metric(record, "e2el_mean") > points.metric(record, "ttft_mean"));
  }
  // The latencies of a queue that grows depend on when the run ends.
  const Record record = points.record(steady(50));
  CHECK(points.metric(record, "saturated") == 1);
  CHECK(points.metric(record, "load") > 1);
  CHECK(std::isnan(points.metric(record, "e2el_mean")));
  CHECK(points.metric(record, "slo_met") == 0);
}

TEST_CASE("One request at a time has the sum of its steps", "[serving]") {
  SystemPoints points = points_on("gpu-rtx-4090");
  const Record record = points.record(
      with(steady(0), {{"arrivals", text("closed-loop")}, {"max_concurrency", whole(1)}, {"prefix_caching", false}}));
  REQUIRE(record.status == Status::ok);
  // Weights of 16 GB at 1 TB/s.
  CHECK(points.metric(record, "tpot_mean") == Approx(0.0175).epsilon(0.15));
  CHECK(points.metric(record, "itl_p50") == Approx(points.metric(record, "tpot_mean")).epsilon(0.02));
  CHECK(points.metric(record, "e2el_mean") ==
        Approx(points.metric(record, "ttft_mean") + 63 * points.metric(record, "tpot_mean")).epsilon(1e-9));
  CHECK(points.metric(record, "time") == Approx(200 * points.metric(record, "e2el_mean")).epsilon(1e-6));
  // Recorded at the ends of steps, the last of which leaves nothing running.
  CHECK(points.metric(record, "running_mean") == Approx(1).epsilon(0.02));
}

TEST_CASE("Blocks follow from memory", "[serving]") {
  SystemPoints points = points_on("gpu-rtx-4090");
  const auto blocks = [&](double reserved) {
    return points.metric(points.record(with(steady(1), {{"reserved_memory", reserved},
                                                        {"requests", whole(10)},
                                                        {"hardware.gpu.memory.capacity", 25250627584.0}})),
                         "kv_cache_blocks");
  };
  // vLLM had 2,588 on this GPU: inside the band of what activations, CUDA graphs and the context take.
  CHECK(blocks(1.8e9) < 2588);
  CHECK(blocks(0.8e9) > 2588);
  CHECK(blocks(0.8e9) - blocks(1.8e9) == Approx(1e9 / (1 << 21)).margin(1));
}

TEST_CASE("The highest rate within the service levels meets them, and a higher one does not", "[serving]") {
  SystemPoints points = points_on("gpu-rtx-4090");
  const Record found = points.record(with(steady(1), {{"find_max_rate", true}}));
  const double rate = points.metric(found, "max_request_rate");
  CHECK(rate > 1);
  CHECK(points.metric(points.record(steady(rate * 0.999)), "slo_met") == 1);
  CHECK(points.metric(points.record(steady(rate * 1.1)), "slo_met") == 0);
  // All metrics are those at this rate, which is that of the arrivals up to the last one.
  CHECK(points.metric(found, "slo_met") == 1);
  const double offered = points.metric(points.record(steady(1)), "load") / points.metric(found, "load") * rate;
  const Record same = points.record(steady(rate / offered));
  CHECK(points.metric(found, "e2el_mean") == Approx(points.metric(same, "e2el_mean")).epsilon(0.01));
  CHECK(points.metric(found, "energy_per_token") == Approx(points.metric(same, "energy_per_token")).epsilon(0.01));
}

// Errors of the modeled kernels are in docs/serving.md; nothing is fitted to these runs.
TEST_CASE("Measured runs are near with modeled kernels", "[serving]") {
  const CsvTable runs = parse_csv(read_file("results/reference/serving/measured.csv"), "measured.csv");
  REQUIRE(runs.rows.size() == 2);
  for (const std::vector<CsvCell>& row : runs.rows) {
    const auto cell = [&](const char* column) -> const std::string& {
      return row[static_cast<std::size_t>(runs.column(column))].text;
    };
    CAPTURE(cell("trace"));
    SystemPoints points = points_on(cell("hardware"));
    const Record record = points.record({{"model", text("llama-3.1-8b")},
                                         {"arrivals", text("trace")},
                                         {"trace", cell("trace")},
                                         {"requests", whole(0)},
                                         {"max_num_seqs", whole(std::stoll(cell("max_num_seqs")))},
                                         {"num_gpu_blocks", whole(std::stoll(cell("num_gpu_blocks")))},
                                         {"hardware.host.engine", Value{std::string("two-steps")}},
                                         {"hardware.host.two_steps.step_time", Value{0.3e-3}}});
    REQUIRE(record.status == Status::ok);
    // The run on the RTX 4090 lacks memory, the other one does not.
    const bool lacks_memory = cell("num_gpu_blocks") != "0";
    for (const std::string statistic : {"mean", "p50", "p90", "p99"}) {
      const auto error = [&](const std::string& latency) {
        const std::string metric = fmt::format("{}_{}", latency, statistic);
        return std::abs(points.metric(record, metric) / std::stod(cell(metric.c_str())) - 1);
      };
      CAPTURE(statistic);
      CHECK(error("tpot") < (lacks_memory ? 0.03 : 0.04));
      CHECK(error("e2el") < (lacks_memory ? 0.03 : 0.05));
      CHECK(error("ttft") < (lacks_memory ? 0.04 : 0.12));
    }
    CHECK(points.metric(record, "saturated") == 1);
    CHECK(points.metric(record, "prefix_hit_tokens") == (lacks_memory ? Approx(4848).epsilon(0.2) : Approx(19504)));
    const double preemptions = points.metric(record, "preemptions");
    CHECK(preemptions <= (lacks_memory ? 230 : 0));
    CHECK(preemptions >= (lacks_memory ? 160 : 0));
  }
}

TEST_CASE("Policies of PIM serve requests", "[serving]") {
  const auto record_of = [](const char* hardware, const char* policy, const char* model) {
    SystemPoints points = points_on(hardware);
    const Record record =
        points.record(with(steady(1), {{"policy", text(policy)}, {"model", text(model)}, {"requests", whole(40)}}));
    CAPTURE(hardware, policy, record.message);
    REQUIRE(record.status == Status::ok);
    CHECK(points.metric(record, "pim_busy") > 0);
    return points.metric(record, "tpot_mean");
  };
  record_of("llm-8-a100-attacc", "attacc", "llama-2-70b");
  record_of("llm-8-a100-attacc", "attacc-ff", "llama-2-70b");
  record_of("llm-neupims", "neupims", "gpt3-6.7b");
  record_of("llm-papi", "papi", "opt-66b");
  record_of("llm-duplex", "duplex", "mixtral-8x7b");
}

TEST_CASE("Requests stay in the channels of NeuPIMs, which fill unevenly", "[serving]") {
  SystemPoints points = points_on("llm-neupims");
  const auto record_of = [&](const char* placement, const Overrides& others) {
    Record record = points.record(with(steady(0), with({{"arrivals", text("closed-loop")},
                                                        {"max_concurrency", whole(64)},
                                                        {"requests", whole(150)},
                                                        {"lengths", text("log-normal")},
                                                        {"hardware.gpu.count", whole(1)},
                                                        {"policy", text("neupims")},
                                                        {"channel_placement", text(placement)}},
                                                       others)));
    CAPTURE(placement, record.message);
    REQUIRE(record.status == Status::ok);
    return record;
  };
  const auto imbalance = [&](const char* placement) {
    return points.metric(record_of(placement, {}), "channel_imbalance");
  };
  // Assigned again in each step for nothing, channels are as even as lengths allow.
  CHECK(imbalance("each-step") < imbalance("min-tokens"));
  CHECK(imbalance("min-tokens") < imbalance("round-robin"));
  // Hits lie in the channel of the request unless they are copied.
  const Overrides prefixes{{"shared_prefix_share", 0.5}};
  const Record near = record_of("min-tokens", prefixes);
  const Record copied = record_of("min-tokens", with(prefixes, {{"copy_prefix_hits", true}}));
  CHECK(points.metric(near, "copied_tokens") == 0);
  CHECK(points.metric(copied, "copied_tokens") > 0);
  CHECK(points.metric(copied, "prefix_hit_tokens") > points.metric(near, "prefix_hit_tokens"));
  // A channel of 32 is the memory of a request.
  const Record small = points.record(with(
      steady(1), {{"hardware.gpu.count", whole(1)}, {"policy", text("neupims")}, {"num_gpu_blocks", whole(32 * 35)}}));
  CHECK_THAT(small.message, Catch::Contains("needs 36 blocks of a PIM channel, which has 34"));
  const Record fixed = points.record(with(
      steady(1), {{"hardware.gpu.count", whole(1)}, {"policy", text("neupims")}, {"engine", text("static-batches")}}));
  CHECK_THAT(fixed.message, Catch::Contains("set channel_placement to each-step"));
}

TEST_CASE("The best of a step is not slower than any policy where all have the same steps", "[serving]") {
  for (const char* hardware : {"llm-8-a100-attacc", "llm-duplex"}) {
    SystemPoints points = points_on(hardware);
    const auto time = [&](const char* policy) {
      const Record record = points.record(with(steady(0), {{"arrivals", text("closed-loop")},
                                                           {"max_concurrency", whole(1)},
                                                           {"requests", whole(3)},
                                                           {"model", text("llama-2-70b")},
                                                           {"policy", text(policy)}}));
      CAPTURE(hardware, policy, record.message);
      REQUIRE(record.status == Status::ok);
      return points.metric(record, "time");
    };
    const double best = time("best-of-step");
    CHECK(best <= time("attacc"));
    CHECK(best <= time("papi"));
    CHECK(best > 0);
  }
}

TEST_CASE("Steps are padded to the sizes of captured graphs", "[serving]") {
  SystemPoints points = points_on("gpu-h100");
  const auto tpot = [&](std::int64_t running, const char* engine) {
    const Record record = points.record(with(steady(0), {{"arrivals", text("closed-loop")},
                                                         {"max_concurrency", whole(running)},
                                                         {"requests", whole(running)},
                                                         {"hardware.host.engine", text(engine)}}));
    CAPTURE(record.message);
    REQUIRE(record.status == Status::ok);
    return points.metric(record, "tpot_p50") - (std::string(engine) == "none" ? 0 : 0.3e-3);
  };
  // 33 decodes are padded to 40. Steps that end prompts are padded too, which moves little.
  CHECK(tpot(33, "two-steps") > tpot(33, "none") * 1.0001);
  CHECK(tpot(40, "two-steps") == Approx(tpot(40, "none")).epsilon(1e-4));
}

TEST_CASE("Experts of a model are spread over GPUs", "[serving]") {
  SystemPoints points = points_on("llm-duplex-h100");
  const auto point = [](std::int64_t groups) {
    return with(steady(1),
                {{"model", text("mixtral-8x7b")}, {"requests", whole(40)}, {"expert_parallel", whole(groups)}});
  };
  const Record divided = points.record(point(1));
  const Record spread = points.record(point(4));
  REQUIRE(divided.status == Status::ok);
  REQUIRE(spread.status == Status::ok);
  // At a batch of a few tokens, the GPU with the most experts decides.
  CHECK(points.metric(spread, "tpot_mean") > points.metric(divided, "tpot_mean"));
  CHECK_THROWS_WITH(points.record(point(3)), Catch::Contains("expert_parallel is 3, which does not divide the 4 GPUs"));
  CHECK_THROWS_WITH(points.record(with(point(2), {{"model", text("llama-3.1-8b")}})),
                    Catch::Contains("expert_parallel is for models with experts"));
}

TEST_CASE("What cannot be served says why", "[serving]") {
  SystemPoints points = points_on("gpu-rtx-4090");
  const auto message = [&](const Overrides& others) {
    const Record record = points.record(with(steady(1), others));
    CHECK(record.status == Status::infeasible);
    return record.message;
  };
  CHECK_THAT(message({{"model", text("llama-2-70b")}}), Catch::Contains("the weights of llama-2-70b take"));
  CHECK_THAT(message({{"num_gpu_blocks", whole(36)}}),
             Catch::Contains("request 0 of 576 tokens needs 36 blocks of the KV cache, which has 35"));
  CHECK_THAT(message({{"input_tokens", whole(200000)}}), Catch::Contains("has a context of 131072"));
  CHECK_THAT(message({{"policy", text("attacc")}}), Catch::Contains("needs PIM, which the machine lacks"));
  CHECK_THROWS_WITH(points.record(with(steady(1), {{"tensor_parallel", whole(2)}})),
                    Catch::Contains("needs 2 GPUs, but the machine has 1"));
}

TEST_CASE("A point has the same bits whatever was evaluated before", "[serving]") {
  SystemPoints points = points_on("gpu-rtx-4090");
  const Record first = points.record(steady(2));
  points.record(steady(30));
  points.record(with(steady(2), {{"engine", text("static-batches")}}));
  points.record(with(steady(2), {{"find_max_rate", true}}));
  const Record again = points.record(steady(2));
  REQUIRE(again.metrics.size() == first.metrics.size());
  // Missing numbers are not equal to themselves.
  for (std::size_t i = 0; i < first.metrics.size(); ++i) CHECK(to_text(again.metrics[i]) == to_text(first.metrics[i]));
}

TEST_CASE("Tables of requests and steps agree with the metrics", "[serving]") {
  SystemPoints points = points_on("gpu-rtx-4090");
  const Record record = points.record(with(steady(2), {{"record_timeline", true}}));
  CHECK(points.column(record, "request_times", "request").size() == 200);
  CHECK(static_cast<double>(points.column(record, "step_times", "kind").size()) == points.metric(record, "steps"));
  CHECK(points.record(steady(2)).tables.front().empty());
  const Record pressed = points.record(with(steady(50), {{"record_timeline", true}, {"num_gpu_blocks", whole(200)}}));
  const std::int64_t preemptions = std::get<std::int64_t>(points.column(pressed, "step_times", "preemptions").back());
  CHECK(preemptions > 0);
  CHECK(static_cast<double>(preemptions) == points.metric(pressed, "preemptions"));
}
