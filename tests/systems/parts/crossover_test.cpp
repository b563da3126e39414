// What holds for inference of any network on any of the five machines (docs/crossover.md).
#include <catch2/catch.hpp>
#include <limits>

#include "base/error.h"
#include "systems/allspark/allspark.h"
#include "systems/heteropim/heteropim.h"
#include "systems/hypar/hypar.h"
#include "systems/pimflow/pimflow.h"
#include "systems/rtconc/rtconc.h"
#include "systems/system_points.h"
#include "workload/model_library.h"

namespace pimsweep {

namespace {

using Overrides = SystemPoints::Overrides;

struct Contestant {
  SystemPoints points;
  /// Its axis for the network.
  std::string network;
  /// Policy and task.
  Overrides fixed;
};

Contestant allspark() {
  return {{systems::allspark::make_allspark("configs"), "allspark-3d-dram"},
          "model",
          {{"execution", std::string("operators")}}};
}
Contestant hypar(const std::string& policy = "hypar-optimal") {
  return {{systems::hypar::make_hypar("configs"), "hypar-hmc-array"},
          "model",
          {{"policy", policy}, {"task", std::string("inference")}, {"objective", std::string("time")}}};
}
Contestant pimflow() {
  return {
      {systems::pimflow::make_pimflow("configs"), "pimflow-rtx-2060"}, "model", {{"policy", std::string("pimflow")}}};
}
Contestant heteropim() {
  return {{systems::heteropim::make_heteropim("configs"), "heteropim"},
          "model",
          {{"policy", std::string("hetero-pim")}, {"task", std::string("inference")}}};
}
Contestant rtconc() {
  return {{systems::rtconc::make_rtconc("configs"), "rtconc-xeon-phi-7250"},
          "model",
          {{"policy", std::string("recommended")}, {"task", std::string("inference")}}};
}

const workload::ModelLibrary& models() {
  static const workload::ModelLibrary library("configs/models");
  return library;
}

systems::Record run(Contestant& contestant, const std::string& network, std::int64_t batch, Overrides more = {}) {
  more.insert(contestant.fixed.begin(), contestant.fixed.end());
  more[contestant.network] = network;
  more["batch"] = batch;
  return contestant.points.record(more);
}

double time_of(Contestant& contestant, const std::string& network, std::int64_t batch, const Overrides& more = {}) {
  return contestant.points.metric(run(contestant, network, batch, more), "time_per_sample");
}

/// Message of a system about a network that it cannot run; empty if it runs.
std::string refusal(Contestant& contestant, const std::string& network) {
  try {
    run(contestant, network, 1);
  } catch (const PointError& error) {
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("ResNet-50, Swin-B and BERT run on all five machines, larger batches not faster") {
  for (const auto make : {+[] { return allspark(); }, +[] { return hypar(); }, +[] { return pimflow(); },
                          +[] { return heteropim(); }, +[] { return rtconc(); }}) {
    Contestant contestant = make();
    for (const std::string network : {"resnet-50", "swin-b", "bert-base"}) {
      INFO(contestant.points.schema().name << ", " << network);
      double before = 0;
      for (const std::int64_t batch : {1, 8}) {
        const systems::Record record = run(contestant, network, batch);
        REQUIRE(record.status == systems::Status::ok);
        const double time = contestant.points.metric(record, "time_per_sample");
        CHECK(time > 0);
        CHECK(contestant.points.metric(record, "energy_per_sample") > 0);
        CHECK(contestant.points.metric(record, "energy_per_sample") * static_cast<double>(batch) ==
              Approx(contestant.points.metric(record, "energy")));
        CHECK(time * static_cast<double>(batch) > before);
        before = time * static_cast<double>(batch);
      }
    }
  }
}

TEST_CASE("an operator that a machine cannot run is named with its kind") {
  Contestant on_nodes = allspark();
  CHECK_THAT(refusal(on_nodes, "dcgan-mnist-generator"), Catch::Contains("(transposed_convolution)"));
  on_nodes.fixed = {{"policy", std::string("allspark")}};
  CHECK_THAT(refusal(on_nodes, "resnet-50"), Catch::Contains("(convolution)"));
  Contestant on_stack = heteropim();
  CHECK_THAT(refusal(on_stack, "mobilenet-v2"), Catch::Contains("convolution in"));
  Contestant on_cores = rtconc();
  CHECK(refusal(on_cores, "mobilenet-v2") == refusal(on_stack, "mobilenet-v2"));
}

TEST_CASE("every network runs operator by operator on the node array or is refused by name") {
  Contestant contestant = allspark();
  std::size_t runs = 0;
  for (const std::string& network : models().names()) {
    INFO(network);
    const std::string reason = refusal(contestant, network);
    if (!reason.empty()) {
      CHECK_THAT(reason, Catch::Contains("(") && Catch::Contains(network));
      continue;
    }
    ++runs;
    const systems::Record record = run(contestant, network, 1);
    if (record.status != systems::Status::ok) {
      CHECK_THAT(record.message, Catch::Contains("exceed"));
      continue;
    }
    const double time = contestant.points.metric(record, "time");
    CHECK(time >= contestant.points.metric(record, "ideal_time"));
    CHECK(time ==
          Approx(contestant.points.metric(record, "compute_time") + contestant.points.metric(record, "nonlinear_time") +
                 contestant.points.metric(record, "movement_time")));
    CHECK(contestant.points.metric(record, "macs") ==
          static_cast<double>(models().graph(network, models().default_image_px(network)).macs()));
  }
  CHECK(runs > 50);
}

TEST_CASE("faster memory and links are never slower on the node array") {
  Contestant contestant = allspark();
  for (const std::string network : {"resnet-50", "bert-base"}) {
    double before = std::numeric_limits<double>::infinity();
    for (const double factor : {0.5, 1.0, 2.0}) {
      const double time =
          time_of(contestant, network, 4,
                  {{"hardware.dram.bank_bandwidth", 6.4e9 * factor}, {"hardware.noc.link_bandwidth", 3.2e9 * factor}});
      CHECK(time <= before);
      before = time;
    }
  }
}

TEST_CASE("inference on cubes exchanges nothing in data parallelism, and no rule is faster than its optimum") {
  for (const std::string network : {"resnet-50", "bert-base"}) {
    for (const std::int64_t batch : {1, 64}) {
      INFO(network << ", batch " << batch);
      Contestant optimal = hypar();
      const double least = time_of(optimal, network, batch);
      for (const std::string policy : {"data", "model", "hypar"}) {
        Contestant other = hypar(policy);
        const systems::Record record = run(other, network, batch);
        CHECK(least <= other.points.metric(record, "time_per_sample") * (1 + 1e-9));
        CHECK(other.points.metric(record, "macs") ==
              static_cast<double>(models().graph(network, models().default_image_px(network)).macs()));
        CHECK((policy == "model" || other.points.metric(record, "communication") == 0));
        // The sum of the parts, and the simulation of the same without overlap.
        const systems::Record simulated =
            run(other, network, batch, {{"fidelity", std::string("event")}, {"overlap", false}});
        CHECK(other.points.metric(simulated, "time_per_sample") ==
              Approx(other.points.metric(record, "time_per_sample")).epsilon(1e-9));
      }
    }
  }
}

TEST_CASE("inference takes less than a training step") {
  for (const std::string network : {"resnet-50", "swin-b", "bert-base"}) {
    for (const auto make : {+[] { return heteropim(); }, +[] { return rtconc(); }, +[] { return hypar(); }}) {
      Contestant contestant = make();
      INFO(contestant.points.schema().name << ", " << network);
      const double inference = time_of(contestant, network, 8);
      contestant.fixed["task"] = std::string("training");
      CHECK(inference < 0.6 * time_of(contestant, network, 8));
    }
  }
}

}  // namespace pimsweep
