#include <catch2/catch.hpp>

#include "base/error.h"
#include "systems/heteropim/cache_traffic.h"
#include "systems/heteropim/heteropim.h"
#include "systems/heteropim/task_kind.h"
#include "systems/system_points.h"
#include "workload/training/training_library.h"

using namespace pimsweep::sweep;
using namespace pimsweep::systems::heteropim;
using namespace pimsweep::systems;
using namespace pimsweep;

namespace {

Value text(const char* value) { return Value{std::string(value)}; }

SystemPoints points(const char* hardware = "heteropim") { return {make_heteropim("configs"), hardware}; }

double metric(SystemPoints& points, const SystemPoints::Overrides& overrides, const char* name) {
  return points.metric(points.record(overrides), name);
}

const char* const all_models[] = {"heteropim-vgg-19", "heteropim-alexnet", "heteropim-dcgan", "heteropim-resnet-50",
                                  "heteropim-inception-v3"};

}  // namespace

TEST_CASE("Hetero-PIM: the machine as built has 444 pairs, fewer beside more programmable PIMs") {
  SystemPoints p = points();
  const auto pairs = [&](std::int64_t programmable) {
    return metric(
        p,
        {{"model", text("heteropim-alexnet")}, {"policy", text("hetero-pim")}, {"programmable", Value{programmable}}},
        "pairs");
  };
  CHECK(pairs(1) == 444);
  CHECK(pairs(4) < 444);
  CHECK(pairs(16) < pairs(4));
  CHECK(pairs(16) > 0);
}

TEST_CASE("Hetero-PIM: a machine without area for pairs is refused") {
  SystemPoints p = points();
  CHECK_THROWS_AS(p.record({{"model", text("heteropim-alexnet")},
                            {"policy", text("hetero-pim")},
                            {"programmable", Value{std::int64_t{41}}}}),
                  PointError);
  CHECK_THROWS_AS(
      p.record({{"model", text("heteropim-alexnet")}, {"policy", text("cpu")}, {"partner", text("heteropim-lstm")}}),
      PointError);
}

TEST_CASE("Hetero-PIM: a step takes the size of its input, and 0 is that of its model") {
  SystemPoints p = points();
  const auto record = [&](const char* model, std::int64_t image_px, std::int64_t tokens) {
    return p.record({{"model", text(model)},
                     {"policy", text("hetero-pim")},
                     {"image_px", Value{image_px}},
                     {"tokens", Value{tokens}}});
  };
  const Record own = record("heteropim-vgg-19", 0, 0);
  const Record given = record("heteropim-vgg-19", 224, 0);
  for (const char* name : {"time", "energy", "rate"}) CHECK(p.metric(given, name) == p.metric(own, name));
  CHECK(p.metric(record("heteropim-vgg-19", 192, 0), "time") < p.metric(own, "time"));
  CHECK(p.metric(record("heteropim-vgg-19", 256, 0), "time") > p.metric(own, "time"));
  CHECK(p.metric(record("bert-base", 0, 128), "time") > p.metric(record("bert-base", 0, 0), "time"));
  CHECK_THROWS_AS(record("heteropim-vgg-19", 0, 128), PointError);
}

TEST_CASE("Hetero-PIM: no policy beats the arithmetic of its machine, and times split up") {
  SystemPoints p = points();
  for (const char* model : all_models) {
    for (const char* policy : {"cpu", "gpu", "fixed-pim", "hetero-pim", "neurocube", "lookahead"}) {
      const Record record = p.record({{"model", text(model)}, {"policy", text(policy)}});
      INFO(model << " " << policy);
      const double time = p.metric(record, "time");
      CHECK(p.metric(record, "operation_time") + p.metric(record, "overhead_time") == Approx(time));
      CHECK(p.metric(record, "pair_utilization") <= 1);
      CHECK(p.metric(record, "host_utilization") <= 1 + 1e-9);
      // Host, pairs and programmable PIM together: 614 + 277 + 32 GFLOP/s; the GPU has kernels that save work.
      if (std::string(policy) != "gpu") CHECK(p.metric(record, "rate") < 923.5e9);
    }
  }
}

TEST_CASE("Hetero-PIM: looking ahead is never behind the greedy rules, and neither beats the bound") {
  for (const char* hardware : {"heteropim", "heteropim-reading"}) {
    SystemPoints p = points(hardware);
    for (const char* model : all_models) {
      const Record greedy = p.record({{"model", text(model)}, {"policy", text("hetero-pim")}});
      const Record ahead = p.record({{"model", text(model)}, {"policy", text("lookahead")}});
      INFO(model << " " << hardware);
      CHECK(p.metric(ahead, "time") <= p.metric(greedy, "time"));
      CHECK(p.metric(ahead, "time") >= p.metric(ahead, "work_bound") * (1 - 1e-9));
    }
  }
}

TEST_CASE("Hetero-PIM: a higher frequency is never slower") {
  SystemPoints p = points();
  for (const char* model : all_models) {
    for (const char* policy : {"hetero-pim", "fixed-pim"}) {
      double before = INFINITY;
      for (const double frequency : {1.0, 2.0, 4.0}) {
        const double time =
            metric(p, {{"model", text(model)}, {"policy", text(policy)}, {"frequency", Value{frequency}}}, "time");
        INFO(model << " " << policy << " " << frequency);
        CHECK(time <= before);
        before = time;
      }
    }
  }
}

TEST_CASE("Hetero-PIM: the reading orders policies as the paper does, for every model") {
  SystemPoints p = points("heteropim-reading");
  for (const char* model : all_models) {
    const auto of = [&](const char* policy, const char* name) {
      return metric(p, {{"model", text(model)}, {"policy", text(policy)}, {"candidate_share", Value{1.0}}}, name);
    };
    INFO(model);
    const char* const slowest_first[] = {"cpu", "prog-pim", "fixed-pim", "hetero-pim", "lookahead"};
    for (std::size_t i = 1; i < std::size(slowest_first); ++i) {
      CHECK(of(slowest_first[i], "time") < of(slowest_first[i - 1], "time"));
    }
    for (const char* policy : {"cpu", "prog-pim", "gpu"}) {
      CHECK(of("hetero-pim", "dynamic_energy") < of(policy, "dynamic_energy"));
    }
  }
}

TEST_CASE("Hetero-PIM: pairs that reach their own bank alone are never faster, and slower if memory is") {
  SystemPoints p = points();
  for (const char* model : {"heteropim-alexnet", "heteropim-dcgan"}) {
    SystemPoints::Overrides point{{"model", text(model)}, {"policy", text("fixed-pim")}};
    const auto time = [&](const char* operands) {
      point["operands"] = text(operands);
      return metric(p, point, "time");
    };
    CHECK(time("bank") >= time("stack"));
    // A bank's 15 pairs have a 32nd of the bandwidth, which is less than 15 of 444 parts.
    point["hardware.pim.stack.bandwidth"] = Value{5e9};
    CHECK(time("bank") > 1.01 * time("stack"));
  }
}

TEST_CASE("Hetero-PIM: the GPU's record names every convolution of the step") {
  SystemPoints p = points();
  const Record record = p.record({{"model", text("heteropim-vgg-19")}, {"policy", text("gpu")}});
  const auto times = p.column(record, "convolutions", "kernel_time");
  const auto works = p.column(record, "convolutions", "work");
  // Table I: 16 convolutions, of which the first needs no gradient of its inputs.
  REQUIRE(times.size() == 16 + 16 + 15);
  double seconds = 0;
  double work = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    seconds += std::get<double>(times[i]);
    work += std::get<double>(works[i]);
  }
  CHECK(seconds < p.metric(record, "time"));
  CHECK(work == Approx(p.metric(record, "work")).epsilon(0.02));
  CHECK(p.metric(record, "card_utilization") < 1);
}

TEST_CASE("Hetero-PIM: candidates are the operations that Table I demands") {
  SystemPoints p = points();
  const Record record = p.record({{"model", text("heteropim-vgg-19")}, {"policy", text("hetero-pim")}});
  const auto types = p.column(record, "by_type", "type");
  const auto chosen = p.column(record, "by_type", "candidate");
  double share = 0;
  const auto shares = p.column(record, "by_type", "time_share");
  for (std::size_t i = 0; i < types.size(); ++i) {
    const std::string type = std::get<std::string>(types[i]);
    if (type.rfind("Conv2D", 0) == 0) CHECK(std::get<std::int64_t>(chosen[i]) == 1);
    if (std::get<std::int64_t>(chosen[i]) == 1) share += std::get<double>(shares[i]);
  }
  CHECK(share >= 0.9);
  CHECK(metric(p,
               {{"model", text("heteropim-vgg-19")},
                {"policy", text("hetero-pim")},
                {"candidate_share", Value{0.0}},
                {"idle_pim", text("waits")}},
               "pair_utilization") == 0);
}

TEST_CASE("Hetero-PIM: a filter of 11 x 11 takes 121 and 120 of 444 units (Sec. III-C), or windows of pairs") {
  SystemPoints p = points();
  SystemPoints::Overrides point{{"model", text("heteropim-alexnet")}, {"policy", text("hetero-pim")}};
  CHECK(metric(p, point, "min_pair_share") == Approx(241.0 / 444));
  point["window_units"] = text("pairs");
  CHECK(metric(p, point, "min_pair_share") == Approx(363.0 / 444));
}

TEST_CASE("Hetero-PIM: the timeline is recorded only on request") {
  SystemPoints p = points();
  const SystemPoints::Overrides plain{{"model", text("heteropim-alexnet")}, {"policy", text("hetero-pim")}};
  CHECK(p.column(p.record(plain), "timeline", "start").empty());
  SystemPoints::Overrides with = plain;
  with["record_timeline"] = Value{true};
  CHECK(p.column(p.record(with), "timeline", "start").size() > 100);
}

TEST_CASE("Hetero-PIM: the reading differs in one constant") {
  const auto system = make_heteropim("configs");
  const HardwareFile built = load_hardware("heteropim", system->schema(), "configs");
  const HardwareFile reading = load_hardware("heteropim-reading", system->schema(), "configs");
  REQUIRE(built.constants.size() == reading.constants.size());
  for (const auto& [key, constant] : built.constants) {
    INFO(key);
    CHECK((constant.value == reading.constants.at(key).value) == (key != "pim.throughput"));
  }
}

TEST_CASE("Hetero-PIM: a cache that holds everything is filled once, one that holds nothing never helps") {
  const workload::ModelLibrary models("configs/models");
  const workload::training::TrainingLibrary steps("configs/training", models);
  const workload::training::TrainingGraph graph =
      workload::training::training_graph(models, steps.find("heteropim-alexnet"));
  double everything = 0;
  for (const workload::training::TrainingOperation& operation : graph.operations()) {
    if (systems::heteropim::kind_of(operation) == systems::heteropim::runtime::TaskKind::none) continue;
    everything += static_cast<double>(operation.bytes_read + operation.bytes_written);
  }
  const auto total = [&](double capacity) {
    double sum = 0;
    for (const double bytes : systems::heteropim::cache_traffic(graph, capacity)) sum += bytes;
    return sum;
  };
  const double large = total(1e15);
  const double middle = total(20.0 * 1024 * 1024);
  const double none = total(1);
  CHECK(large < middle);
  CHECK(middle < none);
  CHECK(none == Approx(everything).epsilon(0.01));
  CHECK(large >= static_cast<double>(4 * graph.parameters()));
}

TEST_CASE("Hetero-PIM: factors of a profile multiply the host's times, and pairs may take products alone") {
  SystemPoints p = points();
  const auto at = [&](const char* policy, const char* factors, const char* operations) {
    return p.record({{"model", text("heteropim-alexnet")},
                     {"policy", text(policy)},
                     {"kernel_factors", text(factors)},
                     {"pair_operations", text(operations)}});
  };
  const double time = p.metric(at("cpu", "", "all"), "time");
  CHECK(p.metric(at("cpu", "*=2", "all"), "time") == Approx(2 * time).epsilon(1e-9));
  const double twice = p.metric(at("cpu", "Conv2D=2 *=1", "all"), "time");
  CHECK(twice > time);
  CHECK(twice < 2 * time);
  CHECK(p.metric(at("fixed-pim", "", "gemms"), "pair_energy") < p.metric(at("fixed-pim", "", "all"), "pair_energy"));
  for (const char* wrong : {"Conv2D", "Conv2D=", "Conv2D=x", "Conv2D=0", "Conv3D=1"}) {
    CHECK_THROWS_AS(at("cpu", wrong, "all"), PointError);
  }
}

TEST_CASE("Hetero-PIM: a host of whole-system power takes its busy power for the whole step") {
  SystemPoints p = points();
  const auto energy = [&](const char* policy, const char* host_power) {
    return metric(p, {{"model", text("heteropim-alexnet")}, {"policy", text(policy)}, {"host_power", text(host_power)}},
                  "host_energy");
  };
  CHECK(energy("cpu", "whole-step") == Approx(energy("cpu", "while-busy")).epsilon(1e-9));
  CHECK(energy("hetero-pim", "whole-step") > energy("hetero-pim", "while-busy"));
}
