#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "llm_points.h"
#include "sweep/hardware_file.h"

using namespace pimsweep;
using namespace pimsweep::llm_points;
using Catch::Matchers::Contains;
using systems::Record;
using systems::Status;

namespace {

using Overrides = SystemPoints::Overrides;

struct Machine {
  const char* hardware;
  std::vector<const char*> policies;
};

/// Machines with the policies that they can run.
std::vector<Machine> machines() {
  return {{"llm-8-a100", {"gpu"}},
          {"gpu-rtx-4090", {"gpu"}},
          {"llm-8-a100-attacc", {"gpu", "attacc", "attacc-ff"}},
          {"llm-ianus", {"gpu", "ianus"}},
          {"llm-titan-v-newton", {"gpu", "ianus"}}};
}

/// Runs `check(points, overrides)` on random points of all machines.
template <typename Check>
void on_random_points(int count, const Check& check) {
  std::mt19937 random(7);
  const auto draw = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(random); };
  for (const Machine& machine : machines()) {
    SystemPoints points = points_on(machine.hardware);
    for (const char* policy : machine.policies) {
      for (int i = 0; i < count; ++i) {
        const std::vector<const char*> models{"gpt2-xl", "llama-3.1-8b", "qwen3-8b", "qwen3-30b-a3b", "gpt2"};
        Overrides point{{"model", text(models[static_cast<std::size_t>(draw(0, 4))])},
                        {"policy", text(policy)},
                        {"batch", integer(draw(1, 24))},
                        {"context", integer(1 << draw(0, 11))},
                        {"new_tokens", integer(draw(1, 4))},
                        {"tensor_parallel", integer(1)}};
        check(points, point);
      }
    }
  }
}

}  // namespace

TEST_CASE("the energy of a step is that of its operators and of idle power, its time that of operators and host") {
  int ran = 0;
  on_random_points(40, [&](SystemPoints& points, const Overrides& point) {
    const Record record = points.record(point);
    if (record.status != Status::ok) return;
    ++ran;
    CHECK(sum(points, record, "energy") + points.metric(record, "idle_energy") ==
          Approx(points.metric(record, "energy")).epsilon(1e-12));
    CHECK(sum(points, record, "gpu_bytes") == Approx(points.metric(record, "gpu_bytes")).epsilon(1e-12));
    CHECK(sum(points, record, "operations") == Approx(points.metric(record, "operations")).epsilon(1e-12));
    const double host = points.metric(record, "time") - sum(points, record, "time");
    const bool has_host = points.metric(record, "time") > 0.3e-3;
    CHECK((std::abs(host) < 1e-9 || (has_host && host == Approx(0.3e-3))));
    CHECK(points.metric(record, "gpu_busy") <= 1 + 1e-12);
    CHECK(points.metric(record, "pim_busy") <= 1 + 1e-12);
  });
  CHECK(ran > 100);
}

TEST_CASE("no step gets shorter when batch, context or new tokens grow") {
  on_random_points(40, [](SystemPoints& points, const Overrides& point) {
    const Record base = points.record(point);
    if (base.status != Status::ok) return;
    for (const char* axis : {"batch", "context", "new_tokens"}) {
      Overrides more = point;
      const std::int64_t value = std::get<std::int64_t>(point.at(axis));
      more[axis] = integer(value + 1 + value / 3);
      const Record grown = points.record(more);
      if (grown.status != Status::ok) continue;
      INFO(axis << " from " << value << ", model " << std::get<std::string>(point.at("model")) << ", policy "
                << std::get<std::string>(point.at("policy")));
      CHECK(points.metric(grown, "time") >= points.metric(base, "time") * (1 - 1e-9));
    }
  });
}

TEST_CASE("no step takes less than its bytes at the bandwidth of the memory, or its operations at the peak") {
  SystemPoints points = points_on("gpu-a100");
  for (const char* model : {"llama-3.1-8b", "qwen3-30b-a3b", "gpt2-xl"}) {
    for (const std::int64_t batch : {1, 8, 64}) {
      const Record record = points.record({{"model", text(model)}, {"policy", text("gpu")}, {"batch", integer(batch)}});
      if (record.status != Status::ok) continue;
      const double time = points.metric(record, "time");
      CHECK(time >= points.metric(record, "gpu_bytes") / 2039e9);
      CHECK(time >= points.metric(record, "operations") / 312e12);
    }
  }
}

TEST_CASE("what does not fit into memory is infeasible, and says why") {
  SystemPoints points = points_on("gpu-a100");
  const Record weights = points.record({{"model", text("gpt3-175b")}, {"policy", text("gpu")}});
  CHECK(weights.status == Status::infeasible);
  CHECK_THAT(weights.message, Contains("the weights of gpt3-175b take 349.2 GB"));
  const Overrides many{
      {"model", text("llama-3.1-8b")}, {"policy", text("gpu")}, {"batch", integer(4096)}, {"context", integer(8191)}};
  const Record caches = points.record(many);
  CHECK(caches.status == Status::infeasible);
  CHECK_THAT(caches.message, Contains("room for"));
  // The largest batch that fits runs, one more does not.
  Overrides largest = many;
  const auto fits = static_cast<std::int64_t>(points.metric(caches, "largest_batch"));
  largest["batch"] = integer(fits);
  CHECK(points.record(largest).status == Status::ok);
  largest["batch"] = integer(fits + 1);
  CHECK(points.record(largest).status == Status::infeasible);
}

TEST_CASE("a policy that needs PIM is infeasible without it") {
  SystemPoints points = points_on("gpu-a100");
  const Record record = points.record({{"model", text("llama-3.1-8b")}, {"policy", text("attacc")}});
  CHECK(record.status == Status::infeasible);
  CHECK_THAT(record.message, Contains("policy attacc needs PIM"));
}

TEST_CASE("a query is its prompts and its steps") {
  SystemPoints points = points_on("gpu-a100");
  Overrides query{{"model", text("llama-3.1-8b")}, {"policy", text("gpu")}, {"phase", text("query")},
                  {"context", integer(512)},       {"batch", integer(4)},   {"new_tokens", integer(101)}};
  const Record whole = points.record(query);
  Overrides prompts = query;
  prompts["phase"] = text("prefill");
  prompts["new_tokens"] = integer(1);
  const Record first = points.record(prompts);
  CHECK(points.metric(whole, "time_to_first_token") == points.metric(first, "time_to_first_token"));
  CHECK(points.metric(whole, "time") ==
        Approx(points.metric(first, "time") + 100 * points.metric(whole, "time_per_token")));
  // Between the steps at its ends.
  Overrides step = query;
  step["phase"] = text("decode");
  step["new_tokens"] = integer(1);
  CHECK(points.metric(whole, "time_per_token") >= points.metric(points.record(step), "time_per_token"));
  step["context"] = integer(612);
  CHECK(points.metric(whole, "time_per_token") <= points.metric(points.record(step), "time_per_token"));
}

TEST_CASE("attention on PIM and pipelined heads never make a step longer than without a pipeline") {
  SystemPoints points = points_on("llm-8-a100-attacc");
  for (const std::int64_t batch : {1, 16, 64}) {
    for (const std::int64_t context : {128, 2048, 8192}) {
      Overrides point{{"model", text("llama-2-70b")},
                      {"policy", text("attacc")},
                      {"batch", integer(batch)},
                      {"context", integer(context)}};
      double before = 1e9;
      for (const char* pipelining : {"none", "transfers", "projections"}) {
        point["pipelining"] = text(pipelining);
        const Record record = points.record(point);
        REQUIRE(record.status == Status::ok);
        CHECK(points.metric(record, "time") <= before);
        before = points.metric(record, "time");
      }
      point["policy"] = text("attacc-ff");
      CHECK(points.metric(points.record(point), "time") <= before);
    }
  }
}

TEST_CASE("a pipeline of stages has their number of batches in flight") {
  SystemPoints points = points_on("llm-8-a100");
  Overrides point{{"model", text("llama-2-70b")}, {"policy", text("gpu")}, {"batch", integer(8)}};
  point["tensor_parallel"] = integer(1);
  const Record one = points.record(point);
  point["tensor_parallel"] = integer(2);
  point["pipeline_parallel"] = integer(4);
  const Record four = points.record(point);
  CHECK(one.status == Status::infeasible);
  REQUIRE(four.status == Status::ok);
  CHECK(points.metric(four, "tokens_per_second") > 3 * 8 / points.metric(four, "time_per_token"));
  CHECK(points.metric(four, "tokens_per_second") <= 4 * 8 / points.metric(four, "time_per_token"));
  point["pipeline_parallel"] = integer(8);
  CHECK_THROWS_WITH(points.record(point), Contains("needs 16 GPUs, but the machine has 8"));
}

TEST_CASE("CENT's contexts that do not fit its memory are infeasible") {
  SystemPoints points = points_on("llm-cent");
  const Record record =
      points.record({{"model", text("llama-2-70b")}, {"policy", text("pim-all")}, {"context", integer(30975)}});
  CHECK(record.status == Status::infeasible);
  CHECK_THAT(record.message, Contains("35.58 GB on a device, which has 17.18 GB"));
}

TEST_CASE("points that CENT's machine cannot run are refused") {
  SystemPoints cent = points_on("llm-cent");
  Overrides point{{"model", text("llama-2-7b")}, {"policy", text("gpu")}};
  CHECK_THAT(cent.record(point).message, Contains("policy gpu needs GPUs"));
  point["policy"] = text("pim-all");
  const Record one = cent.record(point);
  REQUIRE(one.status == Status::ok);
  // Four tokens take four times as long as the last of them.
  point["new_tokens"] = integer(4);
  const Record four = cent.record(point);
  CHECK(cent.metric(four, "time") == Approx(4 * cent.metric(four, "time_per_token")));
  CHECK(cent.metric(four, "time_per_token") >= cent.metric(one, "time_per_token"));
  point["phase"] = text("mixed");
  CHECK_THROWS_WITH(cent.record(point), Contains("phase mixed is not supported"));
}

TEST_CASE("an error of the model is a factor on one class of kernels, never below the peaks of the GPU") {
  SystemPoints points = points_on("gpu-a100");
  const Overrides point{{"model", text("qwen3-30b-a3b")}, {"policy", text("gpu")},   {"phase", text("mixed")},
                        {"batch", integer(16)},           {"context", integer(512)}, {"chunk", integer(256)}};
  const std::vector<std::pair<std::string, std::vector<std::string>>> classes{
      {"elementwise", {"embedding", "norm", "rotary", "activation"}},
      {"products", {"linear", "head"}},
      {"decode_attention", {"attention"}},
      {"prefill_attention", {"prompt-attention"}},
      {"experts", {"experts"}},
      {"sampler", {"sampling"}}};
  const Record base = points.record(point);
  REQUIRE(base.status == Status::ok);
  const std::vector<Value> kinds = points.column(base, "by_operator", "kind");
  const std::vector<Value> bytes = points.column(base, "by_operator", "gpu_bytes");
  const std::vector<Value> before = points.column(base, "by_operator", "gpu_time");
  for (const auto& [name, its_kinds] : classes) {
    for (const double factor : {1.5, 1e-3}) {
      Overrides changed = point;
      changed["hardware.gpu.error." + name] = Value{factor};
      const Record record = points.record(changed);
      const std::vector<Value> after = points.column(record, "by_operator", "gpu_time");
      for (std::size_t i = 0; i < kinds.size(); ++i) {
        INFO(name << " " << factor << " " << std::get<std::string>(kinds[i]));
        const bool is_in_class = std::ranges::find(its_kinds, std::get<std::string>(kinds[i])) != its_kinds.end();
        const double least = to_real(bytes[i]) / 2039e9;
        if (!is_in_class) {
          CHECK(to_real(after[i]) == to_real(before[i]));
        } else if (factor > 1) {
          CHECK(to_real(after[i]) == Approx(factor * to_real(before[i])));
        } else {
          CHECK(to_real(after[i]) < to_real(before[i]));
          CHECK(to_real(after[i]) >= least * (1 - 1e-12));
        }
      }
    }
  }
}

TEST_CASE("the error of GEMMs of one shape averages out over the shapes of a step") {
  SystemPoints points = points_on("gpu-a100");
  Overrides point{
      {"model", text("llama-3.1-8b")}, {"policy", text("gpu")}, {"batch", integer(16)}, {"context", integer(512)}};
  const Record base = points.record(point);
  const std::vector<Value> kinds = points.column(base, "by_operator", "kind");
  const std::vector<Value> before = points.column(base, "by_operator", "gpu_time");
  point["hardware.gpu.error.products_by_shape"] = Value{1.5};
  const std::vector<Value> after = points.column(points.record(point), "by_operator", "gpu_time");
  // Weights of a block: projections of 4096 x 6144 and 4096 x 4096, 4096 x 28672 and 14336 x 4096; once 4096 x 128256.
  const std::vector<double> weights{32 * 1.5, 32, 32 * 7, 32 * 3.5, 31.3125};
  double sum = 0;
  double squares = 0;
  for (const double weight : weights) {
    sum += weight;
    squares += weight * weight;
  }
  const double factor = std::pow(1.5, std::sqrt(squares) / sum);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const std::string& kind = std::get<std::string>(kinds[i]);
    const bool is_gemm = kind == "linear" || kind == "head";
    CAPTURE(kind);
    CHECK(to_real(after[i]) == Approx((is_gemm ? factor : 1) * to_real(before[i])));
  }
}

TEST_CASE("the file of a GPU is a machine of one such GPU, and constants that the system does not use are ignored") {
  const std::unique_ptr<systems::System> llm = systems::llm::make_llm(ConfigFolders("configs"));
  const sweep::HardwareFile file = sweep::load_hardware("gpu-h100", llm->schema(), "configs");
  CHECK(std::get<std::int64_t>(file.constants.at("gpu.count").value) == 1);
  CHECK(std::get<double>(file.constants.at("gpu.sm.count").value) == 132);
  CHECK(std::get<std::string>(file.constants.at("host.engine").value) == "two-steps");
  CHECK(file.constants.count("gpu.sm.registers") == 0);
  const std::string misspelled = "[card]\nvalue = \"a\"\nsource = \"s\"\n[sm.cuont]\nvalue = 1\nsource = \"s\"\n";
  CHECK_THROWS_WITH(sweep::parse_hardware(misspelled, "gpu-x.toml", llm->schema(), "configs"),
                    Catch::Contains("does not have a hardware constant 'gpu.sm.cuont'"));
}
