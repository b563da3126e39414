#include "systems/pimflow/pipeline.h"

#include <catch2/catch.hpp>
#include <numeric>
#include <random>

#include "systems/pimflow/split.h"

namespace pimsweep::systems::pimflow {
namespace {

Node convolution(std::int64_t size, std::int64_t inputs, std::int64_t outputs, std::int64_t kernel, std::int64_t stride,
                 NodeKind kind) {
  Node node;
  node.kind = kind;
  node.height = node.width = size;
  node.inputs = inputs;
  node.outputs = outputs;
  node.window.kernel = kernel;
  node.window.stride = stride;
  node.window.padding = (kernel - 1) / 2;
  node.window.groups = kind == NodeKind::depthwise ? inputs : 1;
  const workload::Extent output = node.window.output({size, size});
  node.out_height = output.height;
  node.out_width = output.width;
  return node;
}

/// 1x1, depthwise, 1x1.
Network block(std::mt19937& random) {
  const std::int64_t size = 5 + static_cast<std::int64_t>(random() % 60);
  const std::int64_t channels = 8 * (1 + static_cast<std::int64_t>(random() % 40));
  const std::int64_t kernel = random() % 2 == 0 ? 3 : 5;
  const std::int64_t stride = 1 + static_cast<std::int64_t>(random() % 2);
  Network network{convolution(size, channels / 2, channels, 1, 1, NodeKind::convolution),
                  convolution(size, channels, channels, kernel, stride, NodeKind::depthwise)};
  network.push_back(convolution(network[1].out_height, channels, channels / 2, 1, 1, NodeKind::convolution));
  network[1].follows = 0;
  network[2].follows = 1;
  return network;
}

Machine machine() {
  Machine machine;
  machine.gpu.clock = 1e9;
  machine.gpu.multiprocessors = 30;
  machine.gpu.fp32_rate = 128;
  machine.gpu.load_lanes = 32;
  machine.gpu.registers = 65536;
  machine.gpu.shared_memory = 65536;
  machine.gpu.threads = 1024;
  machine.gpu.blocks = 16;
  machine.gpu.cache_capacity = 3e6;
  machine.gpu.cache_bytes_per_cycle = 768;
  machine.gpu.memory_bandwidth = 2e11;
  machine.gpu.memory_efficiency = 0.7;
  machine.gpu.memory_latency_cycles = 500;
  machine.gpu.sustained = 1;
  machine.gpu.stall = 0.3;
  machine.dram = {.clock = 875e6,
                  .nBL = 2,
                  .nCCD = 2,
                  .nCL = 11,
                  .nRCD = 11,
                  .nRP = 11,
                  .nRAS = 25,
                  .nRC = 35,
                  .nFAW = 17,
                  .nRTP = 2,
                  .nRFC = 350,
                  .nREFI = 1900,
                  .gwrite_to_comp = 16,
                  .comp_to_readres = 1,
                  .readres_to_gwrite = 6,
                  .banks = 16,
                  .banks_per_activation = 4,
                  .columns = 32,
                  .lanes = 16,
                  .energy = {}};
  machine.pim.channels = 16;
  machine.pim.n_gwrite = 4;
  return machine;
}

}  // namespace

TEST_CASE("stages compute every row once, and no row before what it reads") {
  std::mt19937 random(2);
  for (int i = 0; i < 300; ++i) {
    const Network network = block(random);
    const std::vector<std::size_t> nodes{0, 1, 2};
    const std::int64_t stages = 2 + static_cast<std::int64_t>(random() % 4);
    const auto rows = stage_rows(network, nodes, stages);
    std::vector<std::int64_t> done(nodes.size(), 0);
    for (std::size_t stage = 0; stage < static_cast<std::size_t>(stages); ++stage) {
      for (std::size_t j = 0; j < nodes.size(); ++j) {
        REQUIRE(rows[j][stage] >= 0);
        done[j] += rows[j][stage];
        if (j > 0) REQUIRE(network[j].input_rows(done[j]) <= done[j - 1]);
      }
    }
    for (std::size_t j = 0; j < nodes.size(); ++j) REQUIRE(done[j] == network[j].rows());
  }
}

TEST_CASE("two stages take what Section 4.2 says") {
  std::mt19937 random(3);
  Costs costs(machine());
  for (int i = 0; i < 100; ++i) {
    const Network network = block(random);
    const auto rows = stage_rows(network, {0, 1, 2}, 2);
    const auto pim = [&](std::size_t j, std::size_t stage) { return costs.pim(network[j], rows[j][stage]).seconds; };
    const auto gpu = [&](std::size_t stage) { return costs.kernels().rows(network[1], rows[1][stage]).seconds; };
    const double expected = pim(0, 0) + std::max(pim(0, 1), gpu(0)) + std::max(gpu(1), pim(2, 0)) + pim(2, 1);
    const std::optional<Usage> usage = pipeline_usage(costs, network, {0, 1, 2}, 2);
    REQUIRE(usage);
    REQUIRE(usage->seconds == Approx(expected).epsilon(1e-12));
    REQUIRE(usage->seconds >= std::max(usage->gpu_busy, usage->pim_busy) * (1 - 1e-12));
  }
}

TEST_CASE("costs that are kept are those of the node, the rows and the machine") {
  std::mt19937 random(6);
  CostCache kept;
  for (int i = 0; i < 2000; ++i) {
    Machine drawn = machine();
    drawn.gpu.memory_bandwidth *= 1 + static_cast<double>(random() % 3);
    drawn.pim.channels = 4 << random() % 2;
    drawn.pim.gwrite_hiding = random() % 2 == 0;
    drawn.dram.nRCD += static_cast<std::int64_t>(random() % 2);
    drawn.bias_kernels = random() % 2 == 0;
    // Few different ones, so that most are known.
    const std::int64_t channels = 32 * (1 + static_cast<std::int64_t>(random() % 2));
    Node node = convolution(8, channels, channels, 1 + 2 * static_cast<std::int64_t>(random() % 2), 1,
                            random() % 3 == 0 ? NodeKind::depthwise : NodeKind::convolution);
    node.images = 1 + static_cast<std::int64_t>(random() % 2);
    const std::int64_t rows = 1 + static_cast<std::int64_t>(random() % 8);
    Costs& costs = kept.get(drawn);
    Costs fresh(drawn);
    REQUIRE(costs.machine() == drawn);
    REQUIRE(costs.gpu(node, rows).seconds == fresh.kernels().rows(node, rows).seconds);
    REQUIRE(costs.gpu(node, rows).memory_bytes == fresh.kernels().rows(node, rows).memory_bytes);
    if (node.kind == NodeKind::convolution) REQUIRE(costs.pim(node, rows).seconds == fresh.pim(node, rows).seconds);
  }
}

TEST_CASE("the three patterns are found where nodes feed only each other") {
  std::mt19937 random(4);
  Costs costs(machine());
  Network network = block(random);
  CHECK(find_pipelines(network, costs).size() == 3);
  network[2].follows.reset();
  const std::vector<Pipeline> left = find_pipelines(network, costs);
  REQUIRE(left.size() == 1);
  CHECK(left.front().pattern == "1x1-DW");
}

TEST_CASE("a split computes each row once and is as long as its longer part") {
  std::mt19937 random(5);
  Costs costs(machine());
  for (int i = 0; i < 100; ++i) {
    const Node node = convolution(4 + static_cast<std::int64_t>(random() % 50), 16, 64, random() % 2 == 0 ? 1 : 3, 1,
                                  NodeKind::convolution);
    for (std::int64_t rows = 0; rows <= node.rows(); ++rows) {
      const Decision decision = split_at(costs, node, rows);
      const double gpu = costs.kernels().rows(node, rows).seconds;
      const double pim = costs.pim(node, node.rows() - rows).seconds;
      REQUIRE(decision.usage.seconds == Approx(std::max(gpu, pim)).epsilon(1e-12));
    }
    const Decision best = best_rows(costs, node, 10);
    for (std::int64_t rows = 0; rows <= node.rows(); ++rows) {
      REQUIRE(best.usage.seconds <= split_at(costs, node, rows).usage.seconds);
    }
    REQUIRE(best_share(costs, node, 1).usage.seconds >= best.usage.seconds);
    for (std::int64_t percent = 1; percent < 100; ++percent) {
      const std::int64_t share = rows_of_share(node, percent);
      REQUIRE(share * 100 >= node.rows() * percent);
      REQUIRE((share - 1) * 100 < node.rows() * percent);
    }
  }
}

}  // namespace pimsweep::systems::pimflow
