#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "hardware/gpu/element_operations.h"
#include "hardware/gpu/random_device.h"
#include "hardware/gpu/stream_load.h"

using namespace pimsweep::hardware::gpu;
using namespace pimsweep;

namespace {

const ThreadUnits plain_units{.warp = 32, .block_threads = 1024, .instruction_cycles = 5, .cache_cycles = 200};

ElementKernel random_kernel(Draw& draw) {
  if (draw.count(1, 2) == 1) return bias_add(draw.count(1, 1e8), draw.count(1, 2048));
  return max_pool(random_convolution(draw));
}

/// Any launch that fits on the card.
LaunchShape random_launch(Draw& draw, const Device& device) {
  return {draw.count(1, std::min(1024.0, device.threads)), draw.count(1, 1e5)};
}

/// A convolution or a launched kernel.
StreamLoad random_load(Draw& draw, const Device& device) {
  if (draw.count(1, 2) == 1) return run(device, plain_units, random_kernel(draw), random_launch(draw, device)).load;
  const Pass pass = draw.one_of(std::array{Pass::forward, Pass::backward_inputs, Pass::backward_weights});
  const KernelCost cost = GpuModel(device).convolution(Precision::fp32, random_convolution(draw), pass);
  CHECK(cost.work_seconds > 0);
  CHECK(cost.work_seconds <= cost.seconds);
  CHECK(cost.held_seconds > 0);
  CHECK(cost.held_seconds <= cost.work_seconds * (1 + 1e-12));
  return load_of(device, cost, device.fp32_rate * device.clock * device.sustained);
}

constexpr std::array ways{CoRun::serial, CoRun::streams, CoRun::processes, CoRun::mps};

}  // namespace

TEST_CASE("a launched kernel by hand", "[gpu]") {
  Device d = plain_device();
  d.sustained = 1;
  const ElementKernel kernel{.elements = 3200,
                             .memory_bytes = 8000,
                             .memory_trips = 1,
                             .cache_trips = 2,
                             .load_words = 1,
                             .instructions = 20,
                             .registers = 64};
  // A warp on each of 10 multiprocessors, 10 elements each: 10 x (500 + 2 x 200 + 20 x 5) cycles of 1 ns.
  const ElementRun lone = run(d, plain_units, kernel, {32, 10});
  CHECK(lone.load.work == Approx(10e-6));
  CHECK(lone.bound == Bound::latency);
  CHECK(lone.seconds() == Approx(15e-6));
  // 65536 registers hold 1024 threads of 64, 32 blocks; the card's limit is 16.
  CHECK(lone.resident_blocks == 16);
  CHECK(lone.load.held == Approx(10e-6 / 16));
  // Threads of a part of a warp take as long as the warp.
  CHECK(run(d, plain_units, kernel, {20, 16}).load.work == Approx(10e-6));
  // 100 blocks, each thread one element; 32 more than there is work for change nothing.
  CHECK(run(d, plain_units, kernel, {32, 132}).load.work == Approx(1e-6));
  // Bytes: 80 GB/s.
  ElementKernel large = kernel;
  large.memory_bytes = 8e6;
  CHECK(run(d, plain_units, large, {32, 100}).load.work == Approx(1e-4));
  CHECK(run(d, plain_units, large, {32, 100}).bound == Bound::memory);
  // Two waves: 512 threads of 64 registers leave room for two blocks.
  large = kernel;
  large.elements = 512 * 30;
  CHECK(run(d, plain_units, large, {512, 30}).waves == 2);
  CHECK(run(d, plain_units, large, {512, 30}).load.work == Approx(2e-6));
  // What does not fit is told.
  CHECK(run(d, plain_units, kernel, {1025, 1}).resident_blocks == 0);
  large.registers = 65;
  CHECK(run(d, plain_units, large, {1024, 1}).resident_blocks == 0);
}

TEST_CASE("laws of launched kernels on random cards", "[gpu][property]") {
  Draw draw(20181);
  for (int i = 0; i < 2000; ++i) {
    const Device d = random_device(draw);
    const ElementKernel kernel = random_kernel(draw);
    const LaunchShape launch = random_launch(draw, d);
    const ElementRun result = run(d, plain_units, kernel, launch);
    REQUIRE(result.resident_blocks >= 1);
    CHECK(result.occupancy <= 1);

    // The roofline: all bytes at the data sheet's bandwidth, one instruction in each lane and cycle.
    const double lanes = d.fp32_rate / 2 * d.multiprocessors * d.clock;
    CHECK(result.seconds() >= kernel.memory_bytes / d.memory_bandwidth);
    CHECK(result.seconds() >= kernel.elements * kernel.instructions / lanes * (1 - 1e-12));
    // Little's law: a multiprocessor's threads fetch no more at a time than they are.
    CHECK(result.load.work * d.clock * d.sustained *
              std::min(launch.blocks * launch.threads, d.threads * d.multiprocessors) >=
          kernel.elements * kernel.memory_trips * d.memory_latency_cycles * (1 - 1e-12));

    const auto not_slower = [&](const Device& better) {
      CHECK(run(better, plain_units, kernel, launch).seconds() <= result.seconds() * (1 + 1e-12));
    };
    Device better = d;
    better.memory_bandwidth *= 1.5;
    not_slower(better);
    better = d;
    better.clock *= 1.5;
    not_slower(better);
    better = d;
    better.multiprocessors += draw.count(1, 64);
    not_slower(better);
    better = d;
    better.registers *= 2;
    not_slower(better);
  }
}

TEST_CASE("laws of two runs at a time", "[gpu][property]") {
  Draw draw(20182);
  int gains = 0;
  for (int i = 0; i < 2000; ++i) {
    const Device d = random_device(draw);
    const StreamLoad one = random_load(draw, d);
    const StreamLoad other = random_load(draw, d);
    const double host = draw.one_of(std::array{0.0, 1e-5, 1e-3});
    for (const StreamLoad& load : {one, other}) {
      for (const double part : {load.held, load.units, load.memory, load.cache}) {
        CHECK(part <= load.work * (1 + 1e-12));
      }
    }
    std::vector<double> times;
    for (const CoRun how : ways) times.push_back(pair_time(one, other, host, how).seconds);
    const auto [serial, streams, processes, mps] = std::array{times[0], times[1], times[2], times[3]};
    const double longer = host + std::max(one.alone(), other.alone());
    for (std::size_t way = 0; way < ways.size(); ++way) {
      CHECK(times[way] <= serial * (1 + 1e-12));
      CHECK(times[way] >= longer);
      CHECK(times[way] == Approx(pair_time(other, one, host, ways[way]).seconds).epsilon(1e-12));
      // Neither bytes nor operations go faster than the card, and more of the host's work is never faster.
      if (ways[way] != CoRun::serial) CHECK(times[way] >= one.memory + other.memory);
      CHECK(times[way] <= pair_time(one, other, host + 1e-5, ways[way]).seconds);
    }
    CHECK(mps <= streams);
    CHECK(mps <= processes * (1 + 1e-12));
    if (mps < 0.8 * serial) ++gains;
  }
  // Some pairs gain a lot, some little.
  CHECK(gains > 100);
  CHECK(gains < 1900);
}

TEST_CASE("more bandwidth never slows a pair of launched kernels down", "[gpu][property]") {
  Draw draw(20183);
  for (int i = 0; i < 1000; ++i) {
    const Device d = random_device(draw);
    Device wide = d;
    wide.memory_bandwidth *= draw.real(1, 10);
    const ElementKernel kernels[2] = {random_kernel(draw), random_kernel(draw)};
    const LaunchShape launches[2] = {random_launch(draw, d), random_launch(draw, d)};
    const auto together = [&](const Device& card, CoRun how) {
      return pair_time(run(card, plain_units, kernels[0], launches[0]).load,
                       run(card, plain_units, kernels[1], launches[1]).load, 1e-5, how)
          .seconds;
    };
    for (const CoRun how : ways) CHECK(together(wide, how) <= together(d, how) * (1 + 1e-12));
  }
}

TEST_CASE("what two runs share", "[gpu]") {
  const StreamLoad half{.launch = 1, .work = 10, .held = 5, .units = 4, .memory = 3, .cache = 2};
  // Half of the places each: both fit beside each other, but processes without MPS take turns.
  CHECK(pair_time(half, half, 0, CoRun::streams).seconds == 11);
  CHECK(pair_time(half, half, 0, CoRun::processes).seconds == 20);
  CHECK(pair_time(half, half, 30, CoRun::processes).seconds == 41);
  CHECK(pair_time(half, half, 30, CoRun::streams).seconds == 62);
  CHECK(pair_time(half, half, 30, CoRun::serial).seconds == 82);
  StreamLoad full = half;
  full.memory = 9;
  CHECK(pair_time(full, half, 0, CoRun::mps).seconds == 12);
  CHECK(pair_time(full, half, 0, CoRun::mps).bound == PairBound::memory);
}
