#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "hardware/manycore/operations.h"
#include "hardware/manycore/run_time.h"

using namespace pimsweep::hardware::manycore;
using namespace pimsweep;

namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double whole(double low, double high) {
    return std::floor(std::exp(std::uniform_real_distribution<>(std::log(low), std::log(high + 1))(engine_)));
  }
  double real(double low, double high) { return std::uniform_real_distribution<>(low, high)(engine_); }

  Device device() {
    const double tile = whole(1, 4);
    return {.clock = real(1e9, 3e9),
            .cores = tile * whole(1, 40),
            .cores_per_tile = tile,
            .smt = whole(1, 4),
            .lanes = std::exp2(whole(1, 4)),
            .fma_units = whole(1, 2),
            .fma_latency_cycles = whole(3, 40),
            .registers = whole(5, 32),
            .issue_width = whole(1, 6),
            .tile_cache = real(1e5, 1e7),
            .memory_bandwidth = real(2e10, 1e12),
            .memory_efficiency = real(0.5, 1),
            .core_bandwidth = real(5e9, 2e10),
            .cache_bandwidth = real(2e10, 1e11),
            .line_transfer = real(2e-8, 2e-7),
            .gather_cycles = real(0, 20),
            .sustained = real(0.3, 1),
            .spawn = real(1e-6, 1e-4)};
  }

  Work work(const Device& device) {
    const Operations make(device, whole(1, 2) < 2 ? Library::mkl_2017 : Library::mkl_dnn);
    const double filter = whole(1, 5);
    const double stride = whole(1, 2);
    const ConvolutionShape shape{.width = whole(8, 60),
                                 .height = whole(8, 60),
                                 .channels = whole(1, 600),
                                 .batch = whole(1, 64),
                                 .filters = whole(1, 600),
                                 .filter_height = filter,
                                 .filter_width = filter,
                                 .pad_height = std::floor((filter - 1) / 2),
                                 .pad_width = std::floor((filter - 1) / 2),
                                 .stride_height = stride,
                                 .stride_width = stride};
    switch (static_cast<int>(whole(1, 9))) {
      case 1:
        return make.gemm(whole(1, 3000), whole(1, 3000), whole(1, 3000));
      case 2:
        return make.convolution(shape, Pass::forward);
      case 3:
        return make.convolution(shape, Pass::backward_inputs);
      case 4:
        return make.convolution(shape, Pass::backward_weights);
      case 5:
        return make.recurrent(4, whole(8, 1000), whole(1, 64), whole(1, 50), Pass::forward);
      case 6:
        return make.pooling(shape);
      case 7:
        return make.batch_norm(shape.batch * shape.width * shape.height, shape.channels);
      case 8:
        return make.bias_gradient(shape.batch * shape.width * shape.height, shape.channels);
      default:
        return make.elementwise(whole(1, 1e7), whole(1, 3), 1, whole(1, 20));
    }
  }

  /// Work that takes time outside of its loops too.
  Work work_with_conversion(const Device& device) {
    Work any = work(device);
    any.shared_cycles = real(0, 1e8);
    return any;
  }

  Placement placement(const Device& device, double max_per_core) {
    return place(device, whole(1, device.cores * std::min(device.smt, max_per_core)),
                 whole(1, 2) < 2 ? Affinity::compact : Affinity::spread);
  }

 private:
  std::mt19937 engine_;
};

constexpr int rounds = 300;

}  // namespace

TEST_CASE("A better processor is never slower") {
  Random random(1);
  for (int i = 0; i < rounds; ++i) {
    const Device device = random.device();
    const Work work = random.work(device);
    const Placement placement = random.placement(device, 4);
    const double before = run_time(device, work, placement).total;
    for (double Device::*rate : {&Device::clock, &Device::tile_cache, &Device::memory_bandwidth,
                                 &Device::core_bandwidth, &Device::cache_bandwidth, &Device::sustained}) {
      Device better = device;
      better.*rate *= random.real(1, 2);
      CHECK(run_time(better, work, placement).total <= before * (1 + 1e-12));
    }
    Device better = device;
    better.line_transfer /= 2;
    CHECK(run_time(better, work, placement).total <= before);
  }
}

TEST_CASE("No time beats the roofline, and the parts explain it") {
  Random random(2);
  for (int i = 0; i < rounds; ++i) {
    const Device device = random.device();
    const Work work = random.work_with_conversion(device);
    const Placement placement = random.placement(device, 1);
    const RunTime t = run_time(device, work, placement);
    // A multiplication of the vector's idle lanes, or of the zeros of a padded border, is not in the definition.
    const Loops& l = work.loops;
    const double executed = work.repeats * l.rows * l.columns * l.depth * l.operations;
    CHECK(t.total >= executed / (placement.cores * device.core_rate()));
    const double all = t.compute + t.memory + t.sharing + t.reduction + t.conversion + t.serial + t.barriers;
    CHECK(t.total <= all * (1 + 1e-12));
    CHECK(t.total >= all - std::min(t.compute, t.memory) - 1e-12 * all);
    CHECK(t.imbalance >= 1 - 1e-12);
    CHECK(t.row_parts * t.column_parts * t.depth_parts <= placement.threads);
  }
}

TEST_CASE("The error of the model multiplies the time of the loops alone") {
  Random random(3);
  for (int i = 0; i < rounds; ++i) {
    const Device device = random.device();
    Work work = random.work_with_conversion(device);
    const Placement placement = random.placement(device, 1);
    const RunTime t = run_time(device, work, placement);
    work.error = random.real(0.3, 3);
    const RunTime moved = run_time(device, work, placement);
    const double outside = t.conversion + t.serial;
    CHECK(moved.total - outside == Approx(work.error * (t.total - outside)));
    CHECK(moved.compute == Approx(work.error * t.compute));
    CHECK(moved.conversion == t.conversion);
    CHECK(moved.memory_bytes == t.memory_bytes);
  }
}

TEST_CASE("Each class of operations has its own error") {
  Random random(4);
  Device device = random.device();
  device.errors = {{2}, {3}, {5}, {7}};
  const Operations make(device, Library::mkl_dnn);
  const ConvolutionShape shape{.width = 14, .height = 14, .channels = 64, .batch = 2, .filters = 64};
  CHECK(make.gemm(10, 10, 10).error == 2);
  CHECK(make.recurrent(4, 64, 2, 3, Pass::forward).error == 2);
  CHECK(make.convolution(shape, Pass::forward).error == 3);
  CHECK(make.convolution(shape, Pass::backward_inputs).error == 5);
  CHECK(make.convolution(shape, Pass::backward_weights).error == 7);
  CHECK(make.elementwise(100, 1, 1, 1).error == 1);
}

TEST_CASE("Work is done in whole chunks") {
  Device device = Random(3).device();
  device.cores = 64;
  device.cores_per_tile = 1;
  device.line_transfer = 0;
  Work work;
  work.loops.rows = 12;
  work.loops.operations = 1e9;
  const double one = run_time(device, work, place(device, 1, Affinity::compact)).total;
  // The busiest of n threads has ceil(12 / n) chunks.
  for (const auto& [threads, chunks] : {std::pair{2, 6}, {5, 3}, {6, 2}, {11, 2}, {12, 1}, {64, 1}}) {
    CHECK(run_time(device, work, place(device, threads, Affinity::compact)).total == Approx(one * chunks / 12));
  }
}

TEST_CASE("Threads fill tiles or spread over them, and cores before hyper-threads") {
  Device device;
  device.cores = 68;
  device.cores_per_tile = 2;
  device.smt = 4;
  const Placement compact = place(device, 20, Affinity::compact);
  CHECK(compact.tiles == 10);
  CHECK(compact.threads_per_tile == 2);
  const Placement spread = place(device, 20, Affinity::spread);
  CHECK(spread.tiles == 20);
  CHECK(spread.threads_per_tile == 1);
  const Placement hyper = place(device, 136, Affinity::spread);
  CHECK(hyper.cores == 68);
  CHECK(hyper.threads_per_core == 2);
  CHECK(hyper.threads_per_tile == 4);
}

TEST_CASE("Contention never helps, and no contention changes nothing") {
  Random random(4);
  for (int i = 0; i < rounds; ++i) {
    const Device device = random.device();
    std::array<Running, 3> running;
    for (Running& one : running) {
      one = {random.work(device), random.placement(device, 1), random.whole(1, 2) < 2};
    }
    std::array<RunTime, 3> times;
    run_together(device, running, times);
    for (std::size_t k = 0; k < running.size(); ++k) {
      CHECK(times[k].total >= run_time(device, running[k].work, running[k].placement).total * (1 - 1e-12));
    }
    std::array<RunTime, 1> lone;
    run_together(device, std::span(running).first(1), lone);
    CHECK(lone[0].total == run_time(device, running[0].work, running[0].placement).total);
  }
}

TEST_CASE("Sharing cores takes the time of both") {
  Random random(5);
  const Device device = random.device();
  Work work;
  work.loops.rows = device.cores;
  work.loops.operations = 1e10;
  const Placement all = place(device, device.cores, Affinity::compact);
  const double alone = run_time(device, work, all).compute;
  const std::array running{Running{work, all, true}, Running{work, all, true}};
  std::array<RunTime, 2> times;
  run_together(device, running, times);
  CHECK(times[0].compute == Approx(2 * alone));
  CHECK(times[1].compute == Approx(2 * alone));
}

TEST_CASE("Nothing is lost where nothing changes") {
  Random random(6);
  for (int i = 0; i < rounds; ++i) {
    const Device device = random.device();
    const Placement from = random.placement(device, 4);
    const Placement to = random.placement(device, 4);
    const double footprint = random.real(0, 1e8);
    CHECK(change_time(device, from, from, footprint) == 0);
    CHECK(change_time(device, from, to, footprint) >= std::max(0.0, to.threads - from.threads) * device.spawn);
    CHECK(change_time(device, from, to, footprint) >= change_time(device, from, to, 0));
  }
}

TEST_CASE("Convolutions of 1x1 have as many operations as the product") {
  Random random(7);
  const Device device = random.device();
  const Operations make(device, Library::mkl_dnn);
  const ConvolutionShape shape{.width = 14, .height = 14, .channels = 64, .batch = 8, .filters = 128};
  CHECK(make.convolution(shape, Pass::forward).defined_operations ==
        make.gemm(128, 14 * 14 * 8, 64).defined_operations);
  for (const Pass pass : {Pass::forward, Pass::backward_inputs, Pass::backward_weights}) {
    const Loops l = make.convolution(shape, pass).loops;
    CHECK(l.rows * l.columns * l.depth * l.operations >= shape.operations());
  }
}
