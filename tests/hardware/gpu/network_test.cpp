#include <catch2/catch.hpp>

#include "hardware/gpu/network/inference.h"
#include "hardware/gpu/random_device.h"
#include "workload/model_library.h"

namespace pimsweep::hardware::gpu::network {
namespace {

Network without_repeats(Network network) {
  for (Node& node : network) node.repeats.reset();
  return network;
}

}  // namespace

TEST_CASE("a network whose repeated layers are costed once takes the time and energy of all its layers") {
  const workload::ModelLibrary models("configs/models");
  Draw draw(3);
  for (const char* model : {"vit-b", "resnet-50", "mobilenet-v2"}) {
    const workload::OperatorGraph graph = models.graph(model, models.default_image_px(model));
    std::int64_t batch = 1;
    for (const ElementwiseMode mode : {ElementwiseMode::fused, ElementwiseMode::counted, ElementwiseMode::eager}) {
      const Network network = make_network(graph, batch++, mode);
      const Network each = without_repeats(network);
      std::size_t repeated = 0;
      for (std::size_t i = 0; i < network.size(); ++i) {
        if (!network[i].repeats) continue;
        ++repeated;
        REQUIRE(*network[i].repeats < i);
        Node first = network[*network[i].repeats];
        CHECK_FALSE(first.repeats);
        first.name = network[i].name;
        first.follows = network[i].follows;
        first.repeats = network[i].repeats;
        CHECK(first == network[i]);
      }
      CHECK(3 * repeated > network.size());
      const Device device = random_device(draw);
      const NetworkKernels kernels(device, Precision::fp32, false);
      for (const Launches launches : {Launches::queued, Launches::exposed}) {
        const Inference once = run(network, kernels, device, launches);
        const Inference all = run(each, kernels, device, launches);
        CHECK(once.seconds == all.seconds);
        CHECK(once.energy.total() == all.energy.total());
        REQUIRE(once.kernels.size() == all.kernels.size());
        for (std::size_t i = 0; i < all.kernels.size(); ++i)
          CHECK(once.kernels[i].cost.seconds == all.kernels[i].cost.seconds);
      }
    }
  }
}

}  // namespace pimsweep::hardware::gpu::network
