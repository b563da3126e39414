// Policy llm-optimal: never above another policy, never below its lower bound, whatever the machine.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "llm_points.h"

using namespace pimsweep;
using namespace pimsweep::llm_points;
using systems::Record;
using systems::Status;

namespace {

using Overrides = SystemPoints::Overrides;

struct Base {
  const char* hardware;
  std::vector<const char*> models;
};

const std::vector<Base>& bases() {
  static const std::vector<Base> all{{"llm-8-a100-attacc", {"llama-3.1-70b", "gpt3-30b"}},
                                     {"llm-neupims", {"gpt3-13b", "llama-3.1-8b"}},
                                     {"llm-duplex", {"mixtral-8x7b", "llama-3.1-8b"}},
                                     {"llm-papi", {"opt-66b", "gpt3-30b"}},
                                     {"llm-ianus", {"gpt2-xl", "gpt2"}}};
  return all;
}

constexpr std::array scaled_constants{"hardware.gpu.memory.bandwidth",
                                      "hardware.gpu.clock",
                                      "hardware.link.bandwidth",
                                      "hardware.link.reduce_latency",
                                      "hardware.pim.link.bandwidth",
                                      "hardware.pim.link.latency",
                                      "hardware.pim.stack.clock",
                                      "hardware.pim.channel.clock",
                                      "hardware.pim.aim.clock",
                                      "hardware.pim.rated.attention.bandwidth",
                                      "hardware.pim.rated.attention.rate",
                                      "hardware.pim.rated.products.bandwidth",
                                      "hardware.pim.rated.products.rate",
                                      "hardware.pim.rated.latency",
                                      "hardware.gpu.kernels.dense_latency",
                                      "hardware.gpu.kernels.experts_latency"};

class RandomMachines {
 public:
  explicit RandomMachines(unsigned seed) : random_(seed) {
    for (const Base& base : bases()) {
      points_.push_back(points_on(base.hardware));
      file_values_.push_back(points_.back().values({{"model", text("gpt2")}, {"policy", text("gpu")}}));
    }
  }

  /// A machine around one of the files, each constant by a factor of up to ten to either side, with a step.
  std::pair<SystemPoints*, Overrides> next() {
    const auto base = static_cast<std::size_t>(draw(0, static_cast<int>(bases().size()) - 1));
    SystemPoints& points = points_[base];
    Overrides point{{"policy", text("llm-optimal")}};
    const std::vector<const char*>& models = bases()[base].models;
    point["model"] = text(models[static_cast<std::size_t>(draw(0, static_cast<int>(models.size()) - 1))]);
    point["batch"] = integer(draw(1, draw(0, 9) == 0 ? 40 : 12));
    point["context"] = integer(std::min(1 << draw(0, 11), base == 4 ? 256 : 2048));
    point["new_tokens"] = integer(draw(0, 3) == 0 ? draw(2, 4) : 1);
    point["tensor_parallel"] = integer(base == 4 ? 1 : 4);
    point["chunk"] = integer(1 << draw(0, 10));
    if (draw(0, 4) == 0) point["phase"] = text("mixed");
    if (draw(0, 4) == 0) point["lengths"] = text("log-normal");
    if (draw(0, 2) == 0) point["routing"] = text("zipf");
    if (draw(0, 3) == 0) point["hardware.pim.memory_of"] = text("shared");
    point["hardware.pim.dual_row_buffer"] = Value{draw(0, 1) == 1};
    constexpr std::array pipelinings{"none", "transfers", "projections", "projections"};
    point["pipelining"] = text(pipelinings[static_cast<std::size_t>(draw(0, 3))]);
    for (const char* constant : scaled_constants) {
      const double factor = std::pow(10, std::uniform_real_distribution<double>(-1, 1)(random_));
      point[constant] =
          Value{factor * to_real(file_values_[base][static_cast<std::size_t>(points.schema().axis_index(constant))])};
    }
    return {&points, point};
  }

 private:
  int draw(int from, int to) { return std::uniform_int_distribution<int>(from, to)(random_); }

  std::mt19937 random_;
  std::vector<SystemPoints> points_;
  std::vector<std::vector<Value>> file_values_;
};

std::string describe(const Overrides& point) {
  std::string all;
  for (const auto& [axis, value] : point) all += axis + " = " + to_text(value) + ", ";
  return all;
}

void check_machines(int count, unsigned seed) {
  RandomMachines machines(seed);
  int compared = 0;
  int faster = 0;
  for (int i = 0; i < count; ++i) {
    auto [points, point] = machines.next();
    const Record optimum = points->record(point);
    const bool is_ok = optimum.status == Status::ok;
    const double time = is_ok ? points->metric(optimum, "time") : 0;
    if (is_ok) {
      CHECK(points->metric(optimum, "lower_bound") <= time * (1 + 1e-12));
      CHECK(sum(*points, optimum, "time") == Approx(time).margin(2.04e-3 + 1e-9));
    }
    double best = INFINITY;
    for (const char* policy : {"gpu", "pim-all", "attacc", "attacc-ff", "ianus", "neupims", "papi", "duplex"}) {
      point["policy"] = text(policy);
      const Record record = points->record(point);
      if (record.status != Status::ok) continue;
      CAPTURE(i, policy, std::get<std::string>(point["model"]), std::get<std::int64_t>(point["batch"]), optimum.message,
              describe(point));
      REQUIRE(is_ok);
      const double other = points->metric(record, "time");
      best = std::min(best, other);
      CHECK(time <= other * (1 + 1e-9));
      // Another policy is a schedule too.
      CHECK(points->metric(optimum, "lower_bound") <= other * (1 + 1e-9));
      ++compared;
    }
    if (is_ok && time < best * 0.99) ++faster;
  }
  // The machines are not all alike: many policies run, and the optimum is often better than each.
  CHECK(compared > 4 * count);
  CHECK(faster > count / 10);
}

}  // namespace

TEST_CASE("the optimum is never above another policy, nor below its bound, on random machines") {
  check_machines(1000, 1);
}

TEST_CASE("the same on ten thousand random machines", "[.long]") { check_machines(10000, 2); }
