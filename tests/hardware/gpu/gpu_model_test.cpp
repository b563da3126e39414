#include "hardware/gpu/gpu_model.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include "hardware/gpu/random_device.h"

using namespace pimsweep::hardware::gpu;
using namespace pimsweep;

namespace {

using Kernel = std::function<KernelCost(const GpuModel&)>;

constexpr std::array precisions{Precision::fp32, Precision::half_storage, Precision::tensor, Precision::int8};

/// Any kernel, with the bytes that it has to read and write at least.
struct Case {
  Kernel kernel;
  double compulsory_values = 0;
};

Case random_case(Draw& draw) {
  const Precision precision = draw.one_of(precisions);
  const Pass pass = draw.one_of(std::array{Pass::forward, Pass::backward_inputs, Pass::backward_weights});
  switch (static_cast<int>(draw.count(1, 6))) {
    case 1: {
      const double m = draw.count(1, 10000);
      const double n = draw.count(1, 10000);
      const double k = draw.count(1, 10000);
      return {[=](const GpuModel& model) { return model.gemm(precision, m, n, k); }, m * k + k * n + m * n};
    }
    case 2: {
      const RecurrentShape s{draw.one_of(std::array{1.0, 3.0, 4.0}), draw.count(1, 4096), draw.count(1, 128),
                             draw.count(1, 100)};
      return {[=](const GpuModel& model) { return model.recurrent(precision, s, pass); },
              s.gates * s.hidden * s.hidden};
    }
    case 3: {
      const ConvolutionShape s = random_convolution(draw);
      return {[=](const GpuModel& model) { return model.depthwise(precision, s); }, s.inputs()};
    }
    case 4: {
      const double elements = draw.count(1, 1e8);
      return {[=](const GpuModel& model) { return model.elementwise(precision, elements, 2); }, 3 * elements};
    }
    default: {
      const ConvolutionShape s = random_convolution(draw);
      const Pass possible = precision == Precision::int8 ? Pass::forward : pass;
      return {[=](const GpuModel& model) { return model.convolution(precision, s, possible); },
              s.inputs() + s.outputs() + s.weights()};
    }
  }
}

}  // namespace

TEST_CASE("A product that fills the device once takes what the equations say") {
  const Device device = plain_device();
  const GpuModel model(device);
  // Large and square: 128 x 128 tiles, two blocks at a time, nothing split; 64 blocks for each multiprocessor.
  const MathPath path{128 * 0.9e9, 10e-12, 4, 4, true};
  const PreparedTile tile = prepare({128, 128, 8, 256, 128}, path, device);
  CHECK(tile.occupancy == 2);
  const KernelCost cost =
      tiled_gemm(device, path, {.tiles = {&tile, 1}},
                 {.rows = 2560, .columns = 4096, .depth = 4096, .a_bytes = 1, .b_bytes = 1, .c_bytes = 1});
  // 8 x 8 values of a thread need 1/16 more issue slots for loads.
  const double block = 2.0 * 128 * 128 * 4096 / path.rate * (1 + 1.0 / 16);
  CHECK(cost.seconds == Approx((64 + 0.3 * 32) * block + 2 * 500e-9 + 5e-6).epsilon(1e-12));
  CHECK(cost.operations == 2.0 * 2560 * 4096 * 4096);
  CHECK(cost.bound == Bound::math);
  CHECK(cost.split == 1);

  // One row of tiles more than the multiprocessors can share evenly is a whole round of blocks more.
  const GemmShape one_more{.rows = 2560, .columns = 4097, .depth = 4096, .a_bytes = 1, .b_bytes = 1, .c_bytes = 1};
  const KernelCost longer = tiled_gemm(device, path, {.tiles = {&tile, 1}}, one_more);
  CHECK(longer.seconds - cost.seconds == Approx((2 + 0.3) * block).epsilon(1e-9));
}

TEST_CASE("Convolutions of a fixed algorithm take what the equations say, one for each tile") {
  // Plain numbers: 10 multiprocessors of 1024 operations a clock at 1 GHz, 64 KiB of shared memory, 65536 registers.
  Device device = plain_device();
  device.library = Library::cudnn8_fixed;
  device.sustained = 1;
  device.cache_bytes_per_cycle = 1e9;
  device.memory_bandwidth = 1e15;
  const MathPath path{1024 * 1e9, 1e-12, 2, 2, false};
  // Registers allow 1, 2, 2, 4 and 5 blocks; shared memory, two steps of (rows + columns) x 32 values of two bytes,
  // 1, 2, 1, 2 and 4.
  struct Expected {
    Tile tile;
    double occupancy;
    double operations;
  };
  const std::array<Expected, 5> expected{{{{256, 128, 32, 256, 224}, 1, 65536},
                                          {{128, 128, 32, 256, 128}, 2, 32768},
                                          {{256, 64, 32, 256, 128}, 1, 32768},
                                          {{128, 64, 32, 128, 128}, 2, 16384},
                                          {{64, 64, 32, 128, 96}, 4, 8192}}};
  for (const Expected& e : expected) {
    const PreparedTile tile = prepare(e.tile, path, device);
    CAPTURE(e.tile.rows, e.tile.columns);
    CHECK(tile.occupancy == e.occupancy);
    CHECK(tile.operations_per_depth == e.operations);
    // 50 tiles of 10 steps on 10 multiprocessors: five each, in ceil(5 / occupancy) waves. 0.3 of a tile stalls a wave,
    // and a wave takes at least a latency of 500 clocks for each step.
    const double waves = std::ceil(5 / e.occupancy);
    const double clocks = std::max((5 + 0.3 * waves) * e.operations * 320 / 1024, waves * 10 * 500);
    const GemmShape shape{.rows = 50.0 * e.tile.rows, .columns = 1.0 * e.tile.columns, .depth = 320};
    CHECK(tiled_gemm(device, path, {.tiles = {&tile, 1}}, shape).work_seconds ==
          Approx((clocks + 2 * 500) * 1e-9).epsilon(1e-12));
  }
}

TEST_CASE("Fixed convolutions are padded, copied into groups of eight channels, and bounded in their tile") {
  Device device = plain_device();
  device.library = Library::cudnn8_fixed;
  device.sustained = 1;
  device.floor_cycles = 700;
  device.memory_bandwidth = 1e12;
  device.min_tile = 16384;
  // 56 x 56 pixels, 24 channels to 40 filters: both padded to 32 and 64. 256 x 64 needs 13 tiles of one step, two on
  // the busiest multiprocessor and so two waves; 128 x 128 needs 25, three each in two waves.
  const ConvolutionShape pointwise{.width = 56, .height = 56, .channels = 24, .filters = 40};
  const KernelCost cost = GpuModel(device).convolution(Precision::tensor, pointwise, Pass::forward);
  CHECK(cost.tile_rows == 256);
  CHECK(cost.tile_columns == 64);
  CHECK(cost.work_seconds == Approx(((2 + 0.3 * 2) * 2 * 256 * 64 * 32 / 1024.0 + 2 * 500) * 1e-9).epsilon(1e-12));
  CHECK(cost.seconds == Approx(cost.work_seconds + 5e-6).epsilon(1e-12));
  // With the tile of 128 x 64: 25 tiles, three each, in two waves.
  device.min_tile = 8192;
  const KernelCost smaller = GpuModel(device).convolution(Precision::tensor, pointwise, Pass::forward);
  CHECK(smaller.tile_rows == 128);
  CHECK(smaller.work_seconds == Approx(((3 + 0.3 * 2) * 2 * 128 * 64 * 32 / 1024.0 + 2 * 500) * 1e-9).epsilon(1e-12));

  // Three channels are copied into eight first: 224 x 224 x (3 + 8) values of two bytes, in a kernel of its own.
  const ConvolutionShape image{.width = 224, .height = 224, .channels = 3, .filters = 64};
  ConvolutionShape wide = image;
  wide.channels = 8;
  const GpuModel model(device);
  const double copy = 224 * 224 * 11 * 2 / (1e12 * 0.8) + 700e-9 + 5e-6;
  CHECK(model.convolution(Precision::tensor, image, Pass::forward).launches == 2);
  CHECK(model.convolution(Precision::tensor, image, Pass::forward).seconds - copy ==
        Approx(model.convolution(Precision::tensor, wide, Pass::forward).seconds).epsilon(0.02));

  // Depthwise: 9 taps of 20 operations for each output, at 128 operations a clock and multiprocessor.
  device.depthwise_operations = 20;
  const ConvolutionShape depthwise{.width = 56,
                                   .height = 56,
                                   .channels = 144,
                                   .filter_height = 3,
                                   .filter_width = 3,
                                   .pad_height = 1,
                                   .pad_width = 1};
  CHECK(GpuModel(device).depthwise(Precision::tensor, depthwise).work_seconds ==
        Approx((56 * 56 * 144 * 9 * 20 / (128 * 10.0) + 700) * 1e-9).epsilon(1e-12));
  // No search: a 3x3 convolution in fp32 is never computed by Winograd's method.
  const ConvolutionShape square{.width = 56,
                                .height = 56,
                                .channels = 64,
                                .batch = 16,
                                .filters = 64,
                                .filter_height = 3,
                                .filter_width = 3,
                                .pad_height = 1,
                                .pad_width = 1};
  CHECK(GpuModel(device).convolution(Precision::fp32, square, Pass::forward).algorithm == Algorithm::implicit_gemm);
  device.library = Library::cuda10;
  CHECK(GpuModel(device).convolution(Precision::fp32, square, Pass::forward).algorithm != Algorithm::implicit_gemm);
}

TEST_CASE("CUTLASS takes one tile and never splits the depth") {
  Device device = plain_device();
  device.library = Library::cutlass1;
  const KernelCost cost = GpuModel(device).gemm(Precision::tensor, 4096, 1, 1024);
  CHECK(cost.tile_rows == 128);
  CHECK(cost.tile_columns == 128);
  CHECK(cost.split == 1);
  // 32 tiles on 10 multiprocessors: four each, two at a time, 32 steps of 1024 clocks for 1024 operations a clock.
  CHECK(cost.work_seconds == Approx((4 + 0.3 * 2) * 1024 * 2 * 128 * 128 / (1024 * 0.9e9) + 2 * 500e-9).epsilon(1e-12));
}

TEST_CASE("Few tiles with a deep product are split; a split never makes a product slower") {
  const Device device = plain_device();
  const MathPath path{128 * 0.9e9, 10e-12, 4, 4, true};
  Draw draw(1);
  const PreparedTile tile = prepare({64, 64, 16, 64, 128}, path, device);
  const GemmShape deep{.rows = 64, .columns = 64, .depth = 1 << 20, .a_bytes = 1, .b_bytes = 1, .c_bytes = 1};
  CHECK(tiled_gemm(device, path, {.tiles = {&tile, 1}, .max_splits = 64}, deep).split > 8);
  for (int i = 0; i < 300; ++i) {
    const GemmShape shape{.rows = draw.count(1, 4096),
                          .columns = draw.count(1, 4096),
                          .depth = draw.count(1, 100000),
                          .a_bytes = draw.real(1, 1e8),
                          .b_bytes = draw.real(1, 1e8),
                          .c_bytes = draw.real(1, 1e8)};
    double before = std::numeric_limits<double>::infinity();
    for (int most = 1; most <= 64; most *= 2) {
      const double seconds = tiled_gemm(device, path, {.tiles = {&tile, 1}, .max_splits = most}, shape).seconds;
      REQUIRE(seconds <= before);
      before = seconds;
    }
  }
}

TEST_CASE("The fastest tile is found, though most are left out early") {
  const Device device = plain_device();
  const MathPath path{128 * 0.9e9, 10e-12, 4, 4, true};
  std::vector<PreparedTile> tiles;
  for (const Tile& tile : {Tile{128, 128, 8, 256, 128}, Tile{128, 64, 8, 128, 128}, Tile{64, 64, 16, 64, 128},
                           Tile{32, 32, 32, 128, 64}, Tile{32, 128, 8, 128, 80}}) {
    tiles.push_back(prepare(tile, path, device));
  }
  Draw draw(2);
  for (int i = 0; i < 500; ++i) {
    const double m = draw.count(1, 5000);
    const double n = draw.count(1, 5000);
    const double k = draw.count(1, 5000);
    const GemmShape shape{m, n, k, 1, 4 * m * k, 4 * n * k, 4 * m * n};
    double best = std::numeric_limits<double>::infinity();
    for (const PreparedTile& tile : tiles) {
      best = std::min(best, tiled_gemm(device, path, {.tiles = {&tile, 1}, .max_splits = 8}, shape).seconds);
    }
    REQUIRE(tiled_gemm(device, path, {.tiles = tiles, .max_splits = 8}, shape).seconds == best);
  }
}

TEST_CASE("No kernel is faster than the device's roofline") {
  Draw draw(3);
  for (int i = 0; i < 3000; ++i) {
    const Device device = random_device(draw);
    const GpuModel model(device);
    const Case one = random_case(draw);
    const KernelCost cost = one.kernel(model);
    const double peak =
        std::max({device.fp32_rate, device.fp16_rate, device.tensor_rate, device.int8_rate, device.int8_tensor_rate}) *
        device.clock * device.multiprocessors;
    INFO(name_of(cost.algorithm));
    REQUIRE(std::isfinite(cost.seconds));
    REQUIRE(cost.seconds >= device.launch);
    REQUIRE(cost.seconds >= cost.operations / peak);
    REQUIRE(cost.seconds >= cost.memory_bytes / device.memory_bandwidth);
    // A byte each: no precision has less. The rest is in the cache.
    REQUIRE(cost.memory_bytes + device.kept_bytes() >= one.compulsory_values * 0.999999);
  }
}

TEST_CASE("More bandwidth, multiprocessors or clock never make a kernel slower") {
  Draw draw(4);
  const std::array<void (*)(Device&, double), 6> improvements{
      [](Device& d, double by) { d.memory_bandwidth *= by; },
      [](Device& d, double by) { d.clock *= by; },
      [](Device& d, double by) { d.multiprocessors = std::ceil(d.multiprocessors * by); },
      [](Device& d, double) { d.multiprocessors += 1; },
      [](Device& d, double by) { d.memory_efficiency = std::min(1.0, d.memory_efficiency * by); },
      [](Device& d, double by) { d.sustained = std::min(1.0, d.sustained * by); }};
  for (int i = 0; i < 3000; ++i) {
    const Device device = random_device(draw);
    Device better = device;
    draw.one_of(improvements)(better, draw.real(1.01, 3));
    const Case one = random_case(draw);
    const KernelCost cost = one.kernel(GpuModel(device));
    INFO(name_of(cost.algorithm));
    REQUIRE(one.kernel(GpuModel(better)).seconds <= cost.seconds * (1 + 1e-12));
  }
}

TEST_CASE("The error of the model multiplies times, down to the roofline, and keeps the laws") {
  Draw draw(7);
  for (int i = 0; i < 3000; ++i) {
    const Device device = random_device(draw);
    Device other = device;
    const double factor = draw.real(0.3, 3);
    other.errors = {{factor}, {factor}, {factor}};
    const Case one = random_case(draw);
    const KernelCost cost = one.kernel(GpuModel(device));
    const KernelCost moved = one.kernel(GpuModel(other));
    INFO(name_of(cost.algorithm));
    REQUIRE(moved.seconds >= std::min(factor, 1.0) * cost.seconds * (1 - 1e-12));
    REQUIRE(moved.seconds <= std::max(factor, 1.0) * cost.seconds * (1 + 1e-12));
    REQUIRE(moved.seconds >= moved.work_seconds * (1 - 1e-12));
    REQUIRE(moved.work_seconds >= moved.held_seconds * (1 - 1e-12));
    REQUIRE(moved.memory_bytes == cost.memory_bytes);
    REQUIRE(moved.operations == cost.operations);
    Device better = other;
    better.memory_bandwidth *= draw.real(1.01, 3);
    better.clock *= draw.real(1.01, 3);
    REQUIRE(one.kernel(GpuModel(better)).seconds <= moved.seconds * (1 + 1e-12));
  }
}

TEST_CASE("A large product is never faster than the card's peak, whatever the error of the model") {
  Device device = plain_device();
  device.errors.gemm.common = 1e-3;
  const double peak = device.int8_tensor_rate * device.clock * device.multiprocessors;
  CHECK(GpuModel(device).gemm(Precision::fp32, 4096, 4096, 4096).seconds == Approx(2 * std::pow(4096, 3) / peak));
  device.errors.gemm.common = 2;
  const double doubled = GpuModel(device).gemm(Precision::fp32, 4096, 4096, 4096).seconds;
  CHECK(doubled == Approx(2 * GpuModel(plain_device()).gemm(Precision::fp32, 4096, 4096, 4096).seconds));
}

TEST_CASE("An error by shape multiplies the times of about half of the shapes and divides those of the others") {
  Device device = plain_device();
  device.errors.gemm = {.common = 2, .by_shape = 1.5};
  const GpuModel plain(plain_device());
  const GpuModel moved(device);
  int longer = 0;
  constexpr int shapes = 400;
  for (int size = 1; size <= shapes; ++size) {
    const double factor =
        moved.gemm(Precision::fp32, size, 32, 64).seconds / plain.gemm(Precision::fp32, size, 32, 64).seconds;
    CHECK((factor == Approx(2 * 1.5) || factor == Approx(2 / 1.5)));
    if (factor > 2) ++longer;
  }
  CHECK(longer > 0.4 * shapes);
  CHECK(longer < 0.6 * shapes);
}

TEST_CASE("Energy is the sum of parts that are never negative, and idle power is drawn all the time") {
  Draw draw(5);
  for (int i = 0; i < 1000; ++i) {
    const Device device = random_device(draw);
    const GpuModel model(device);
    const KernelCost cost = random_case(draw).kernel(model);
    const Energy energy = model.energy(cost);
    REQUIRE(std::min({energy.idle, energy.math, energy.cache, energy.memory}) >= 0);
    REQUIRE(energy.total() == Approx(energy.idle + energy.math + energy.cache + energy.memory));
    REQUIRE(energy.idle == Approx(device.idle_power * cost.seconds));
    REQUIRE(energy.memory == Approx(device.memory_energy * cost.memory_bytes));
  }
  // Kernels one after another: all parts add up.
  const GpuModel model(plain_device());
  const KernelCost one = model.gemm(Precision::fp32, 1000, 1000, 1000);
  KernelCost three;
  three.then(one, 3);
  CHECK(model.energy(three).total() == Approx(3 * model.energy(one).total()));
  CHECK(three.seconds == Approx(3 * one.seconds));
}

TEST_CASE("The library's rules") {
  Device device = plain_device();
  const ConvolutionShape three{.width = 56,
                               .height = 56,
                               .channels = 256,
                               .batch = 16,
                               .filters = 256,
                               .filter_height = 3,
                               .filter_width = 3,
                               .pad_height = 1,
                               .pad_width = 1};
  ConvolutionShape strided = three;
  strided.stride_height = strided.stride_width = 2;
  const auto algorithm = [&](Precision precision, const ConvolutionShape& shape, Pass pass) {
    return GpuModel(device).convolution(precision, shape, pass).algorithm;
  };
  SECTION("3x3 filters with stride 1 are transformed where products are fp32") {
    CHECK(algorithm(Precision::fp32, three, Pass::forward) == Algorithm::winograd);
    CHECK(algorithm(Precision::tensor, three, Pass::forward) == Algorithm::implicit_gemm);
    CHECK(algorithm(Precision::fp32, strided, Pass::forward) == Algorithm::implicit_gemm);
    const KernelCost cost = GpuModel(device).convolution(Precision::fp32, three, Pass::forward);
    CHECK(cost.operations < three.operations() / 2);
  }
  SECTION("large filters with many channels go through an FFT") {
    ConvolutionShape large = three;
    large.filter_height = large.filter_width = 7;
    large.pad_height = large.pad_width = 3;
    CHECK(algorithm(Precision::fp32, large, Pass::forward) == Algorithm::fft);
  }
  SECTION("a filter that is larger than the FFT's tiles goes through none") {
    ConvolutionShape larger = three;
    larger.filter_height = larger.filter_width = 33;
    larger.pad_height = larger.pad_width = 16;
    CHECK(algorithm(Precision::fp32, larger, Pass::forward) != Algorithm::fft);
    CHECK(GpuModel(device).convolution(Precision::fp32, larger, Pass::forward).operations >= larger.operations());
  }
  SECTION("gradients through a stride are dense only with the newer library") {
    const double newer = GpuModel(device).convolution(Precision::fp32, strided, Pass::backward_inputs).operations;
    device.library = Library::cuda8;
    const double older = GpuModel(device).convolution(Precision::fp32, strided, Pass::backward_inputs).operations;
    CHECK(older > 1.5 * newer);
  }
  SECTION("channels are padded to a step of the tensor cores") {
    ConvolutionShape image = three;
    image.channels = 3;
    ConvolutionShape padded = three;
    padded.channels = 32;
    const GpuModel model(device);
    CHECK(model.convolution(Precision::tensor, image, Pass::forward).operations ==
          model.convolution(Precision::tensor, padded, Pass::forward).operations);
  }
  SECTION("the older library has a kernel of its own for few columns") {
    device.library = Library::cuda8;
    const GpuModel model(device);
    CHECK(model.gemm(Precision::fp32, 2048, 16, 2048).algorithm == Algorithm::skinny_gemm);
    CHECK(model.gemm(Precision::fp32, 2048, 17, 2048).algorithm == Algorithm::tiled_gemm);
    CHECK(model.gemm(Precision::fp32, 16, 2048, 2048).seconds == model.gemm(Precision::fp32, 2048, 16, 2048).seconds);
  }
  SECTION("recurrent layers take a step after another, their weights' gradients one product") {
    const GpuModel model(device);
    const RecurrentShape once{4, 512, 32, 1};
    const RecurrentShape often{4, 512, 32, 50};
    const auto seconds = [&](const RecurrentShape& shape, Pass pass) {
      return model.recurrent(Precision::fp32, shape, pass).seconds;
    };
    CHECK(seconds(often, Pass::forward) == Approx(50 * seconds(once, Pass::forward)));
    CHECK(seconds(often, Pass::backward_weights) == model.gemm(Precision::fp32, 2048, 512, 32 * 50).seconds);
  }
}
