#include <catch2/catch.hpp>

#include "base/error.h"
#include "systems/pimflow/pimflow.h"
#include "systems/system_points.h"

// The machine of PIMFlow's artifact: configs/hardware/pimflow-artifact.toml.
namespace pimsweep::systems::pimflow {
namespace {

using Overrides = SystemPoints::Overrides;

SystemPoints& artifact() {
  static SystemPoints all(make_pimflow("configs"), "pimflow-artifact");
  return all;
}

Record run(const std::string& model, const std::string& policy, Overrides more = {}) {
  more["model"] = model;
  more["policy"] = policy;
  more["precision"] = std::string("fp16-in/tensor-mixed");
  Record record = artifact().record(more);
  REQUIRE(record.status == Status::ok);
  return record;
}

double metric(const Record& record, const std::string& name) { return artifact().metric(record, name); }

/// The column's value for a layer.
Value of_layer(const Record& record, const std::string& layer, const std::string& column) {
  const std::vector<Value> layers = artifact().column(record, "by_layer", "layer");
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (std::get<std::string>(layers[i]) == layer) return artifact().column(record, "by_layer", column)[i];
  }
  FAIL("no layer " << layer);
  return {};
}

}  // namespace

TEST_CASE("The calibrated constants give the artifact's README within the residuals of the fit") {
  const Record gpu = run("mobilenet-v2", "gpu");
  // Clocks of the 52 convolutions that the README's four gains have in common.
  CHECK(metric(gpu, "all_convolution_time") * 1365e6 == Approx(1454400).epsilon(0.007));
  const std::vector<std::pair<std::string, double>> gains{
      {"newton++", 1.365}, {"pimflow-pl", 1.413}, {"pimflow-md", 1.436}, {"pimflow", 1.481}};
  for (const auto& [policy, gain] : gains) {
    CAPTURE(policy);
    CHECK(metric(run("mobilenet-v2", policy), "all_convolution_speedup") == Approx(gain).epsilon(0.018));
  }
  // Not used in the fit: the whole network, 1445620 and 1047831 clocks.
  CHECK(metric(gpu, "time") * 1365e6 == Approx(1445620).epsilon(0.025));
  CHECK(metric(run("mobilenet-v2", "pimflow"), "time") * 1365e6 == Approx(1047831).epsilon(0.015));
}

TEST_CASE("A bias is a kernel of its own on the GPU, with the sum that follows, and free on PIM") {
  const Overrides fused{{"hardware.bias", std::string("fused")}};
  // The last 1x1 convolution of a block with a shortcut: 28 x 28 x 32 values. The kernel of the bias reads and writes
  // them, and reads those of the shortcut for the sum.
  const std::string layer = "stage3.block2.project";
  const double bandwidth = 896e9 * 0.688;
  const double values = 28 * 28 * 32;
  const double with_bias = to_real(of_layer(run("mobilenet-v2", "gpu"), layer, "time"));
  const double alone = to_real(of_layer(run("mobilenet-v2", "gpu", fused), layer, "time"));
  CHECK(with_bias - alone == Approx(3 * values * 2 / bandwidth + 2500 / 1365e6 + 3.663e-6).epsilon(1e-9));
  // On PIM, where a fast clock puts it, only the sum costs: a kernel of its own then, with half of the channels.
  const Overrides fast{{"hardware.pim.clock", 10e9}};
  Overrides fast_fused = fast;
  fast_fused["hardware.bias"] = std::string("fused");
  const Record offloaded = run("mobilenet-v2", "newton++", fast);
  CHECK(std::get<std::string>(of_layer(offloaded, layer, "choice")) == "pim");
  const double pim_alone = to_real(of_layer(run("mobilenet-v2", "newton++", fast_fused), layer, "time"));
  CHECK(to_real(of_layer(offloaded, layer, "time")) - pim_alone ==
        Approx(3 * values * 2 / (bandwidth / 2) + 2500 / 1365e6 + 3.663e-6).epsilon(1e-9));
  CHECK_THROWS_AS(run("mobilenet-v2", "gpu", {{"elementwise", std::string("counted")}}), PointError);
}

TEST_CASE("Memory channels take their part of the cache along") {
  // A 1x1 convolution of 12544 pixels, 16 to 96 channels, bound by the cache where it delivers 64 bytes a clock: 49
  // tiles of 256 x 128 read (256 + 128) x 32 values, and the result is written. Half of the channels take as long
  // again.
  const double bytes = 2 * (49 * (256 + 128) * 32 + 12544 * 96);
  const Overrides whole{{"hardware.cache", std::string("whole")}, {"hardware.gpu.l2.bytes_per_cycle", 64.0}};
  const Overrides by_channel{{"hardware.gpu.l2.bytes_per_cycle", 64.0}};
  const auto gpu_time = [&](const Overrides& machine, const char* policy) {
    return to_real(of_layer(run("mobilenet-v2", policy, machine), "stage2.block1.expand", "gpu_time"));
  };
  const double bias = gpu_time(by_channel, "newton++") - bytes / 32 / 1365e6;
  CHECK(gpu_time(whole, "newton++") - bias == Approx(bytes / 64 / 1365e6).epsilon(1e-9));
  // The GPU alone has all channels, so it keeps its cache.
  CHECK(gpu_time(by_channel, "gpu") == gpu_time(whole, "gpu"));
}

TEST_CASE("Fully connected layers run on PIM where the machine says so, even if the GPU is faster") {
  const Overrides slow{{"hardware.pim.clock", 1e6}};
  for (const std::string policy : {"newton+", "newton++", "pimflow-md", "pimflow", "pimflow-optimal"}) {
    CAPTURE(policy);
    CHECK(std::get<std::string>(of_layer(run("mobilenet-v2", policy, slow), "classifier", "choice")) == "pim");
  }
  Overrides fastest = slow;
  fastest["hardware.fully_connected"] = std::string("fastest");
  CHECK(std::get<std::string>(of_layer(run("mobilenet-v2", "newton++", fastest), "classifier", "choice")) == "gpu");
}

TEST_CASE("Squeeze-and-excitation is a 1x1 convolution whose depth is not split") {
  // 96 to 4 channels of one pixel: a tile of 128 x 64, three steps of 32, 0.7 of them stalls, and two latencies; then
  // the kernel of the bias, whose 16 bytes take no time beside its floor.
  const double clocks = 1.7 * 2 * 128 * 64 * 96 / 512 + 2 * 500 + 2500;
  const double bias = 2 * 4 * 2 / (896e9 * 0.688);
  CHECK(to_real(of_layer(run("efficientnet-b0", "gpu"), "stage2.block1.squeeze", "time")) ==
        Approx(clocks / 1365e6 + 2 * 3.663e-6 + bias).epsilon(1e-9));
}

TEST_CASE("No policy is slower than one that it contains") {
  const std::vector<std::pair<std::string, std::string>> contains{{"pimflow-md", "newton++"},
                                                                  {"pimflow-pl", "newton++"},
                                                                  {"pimflow", "pimflow-md"},
                                                                  {"pimflow", "pimflow-pl"},
                                                                  {"pimflow-optimal", "pimflow"}};
  for (const std::string model : {"mobilenet-v2", "efficientnet-b0", "resnet-18"}) {
    for (const auto& [larger, smaller] : contains) {
      CAPTURE(model, larger, smaller);
      CHECK(metric(run(model, larger), "time") <= metric(run(model, smaller), "time") * (1 + 1e-12));
    }
  }
}

TEST_CASE("Each shape of convolution is unique once, and no fully connected layer is") {
  const Record record = run("vgg-d", "pimflow-md");
  double unique = 0;
  for (const Value& value : artifact().column(record, "by_layer", "unique_convolution")) unique += to_real(value);
  // VGG-16 has 13 convolutions of 9 shapes.
  CHECK(unique == 9);
  double splits = 0;
  for (const Value& value : artifact().column(record, "splits", "unique_convolution")) splits += to_real(value);
  CHECK(splits == 9 * 11);
}

}  // namespace pimsweep::systems::pimflow
