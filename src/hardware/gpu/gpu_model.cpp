#include "hardware/gpu/gpu_model.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pimsweep::hardware::gpu {

namespace {

// Tiles named in the kernels of cuBLAS and cuDNN (maxwell_sgemm_128x64, volta_s884gemm_256x128, ...): rows, columns,
// depth of a step, threads, registers per thread. GEMMs also use them transposed.
constexpr std::array fp32_tiles{Tile{128, 128, 8, 256, 128}, Tile{128, 64, 8, 128, 128}, Tile{128, 32, 8, 128, 80},
                                Tile{64, 64, 16, 64, 128},   Tile{64, 32, 32, 128, 80},  Tile{32, 32, 32, 128, 64}};
// Tiles for pairs of fp16 numbers (maxwell_hgemm_256x128).
constexpr std::array half_tiles{Tile{256, 128, 8, 256, 128}};
constexpr std::array tensor_tiles{
    Tile{256, 128, 32, 256, 224}, Tile{128, 128, 32, 256, 128}, Tile{128, 64, 32, 128, 128}, Tile{64, 64, 32, 128, 96},
    Tile{128, 32, 64, 128, 96},   Tile{64, 32, 64, 128, 80},    Tile{32, 32, 64, 64, 64}};
// Convolution kernels of cuDNN on Turing's tensor cores (turing_fp16_s1688cudnn_fp16_256x64_..._nhwc). They are not
// transposed: rows are pixels.
constexpr std::array fixed_tiles{Tile{256, 128, 32, 256, 224}, Tile{128, 128, 32, 256, 128},
                                 Tile{256, 64, 32, 256, 128}, Tile{128, 64, 32, 128, 128}, Tile{64, 64, 32, 128, 96}};
constexpr std::array int8_tiles{Tile{128, 128, 32, 256, 128}, Tile{128, 64, 32, 128, 128}, Tile{128, 32, 32, 128, 96},
                                Tile{64, 64, 32, 64, 128}, Tile{32, 32, 64, 64, 96}};
constexpr std::array int8_tensor_tiles{Tile{128, 128, 64, 256, 128}};

/// The largest tile is always kept, whatever the bound.
std::vector<PreparedTile> prepare_fixed(const MathPath& path, const Device& device) {
  std::vector<PreparedTile> prepared;
  for (const Tile& tile : fixed_tiles) {
    if (tile.rows * tile.columns >= device.min_tile) prepared.push_back(prepare(tile, path, device));
  }
  if (prepared.empty()) prepared.push_back(prepare(fixed_tiles.front(), path, device));
  return prepared;
}

template <typename Keep>
std::vector<PreparedTile> prepare_all(std::span<const Tile> tiles, const MathPath& path, const Device& device,
                                      const Keep& keep) {
  std::vector<PreparedTile> prepared;
  for (const Tile& tile : tiles) {
    const Tile turned{tile.columns, tile.rows, tile.depth, tile.threads, tile.registers};
    if (keep(tile)) prepared.push_back(prepare(tile, path, device));
    if (tile.rows != tile.columns && keep(turned)) prepared.push_back(prepare(turned, path, device));
  }
  return prepared;
}

}  // namespace

std::string_view name_of(Bound bound) {
  constexpr std::array<std::string_view, 5> names{"math", "memory", "cache", "launch", "latency"};
  return names[static_cast<std::size_t>(bound)];
}

std::string_view name_of(Algorithm algorithm) {
  constexpr std::array<std::string_view, 10> names{"tiled_gemm", "skinny_gemm", "implicit_gemm", "winograd_fused",
                                                   "winograd",   "fft",         "scatter",       "pixelwise",
                                                   "streaming",  "steps"};
  return names[static_cast<std::size_t>(algorithm)];
}

void KernelCost::then(const KernelCost& next, double times) {
  if (next.seconds * times > seconds) {
    bound = next.bound;
    algorithm = next.algorithm;
    tile_rows = next.tile_rows;
    tile_columns = next.tile_columns;
    split = next.split;
  }
  seconds += times * next.seconds;
  work_seconds += times * next.work_seconds;
  held_seconds += times * next.held_seconds;
  operations += times * next.operations;
  cache_bytes += times * next.cache_bytes;
  memory_bytes += times * next.memory_bytes;
  launches += times * next.launches;
  math_energy += times * next.math_energy;
}

GpuModel::GpuModel(const Device& device) : device_(device) {
  const double sustained_clock = device.clock * device.sustained;
  tables_[fp32].path = {device.fp32_rate * sustained_clock, device.fp32_energy, 4, 4, true};
  tables_[half_storage].path = {device.fp32_rate * sustained_clock, device.fp32_energy, 2, 2, true};
  tables_[half_math].path = {device.fp16_rate * sustained_clock, device.fp32_energy / 2, 2, 2, true};
  tables_[tensor].path = {device.tensor_rate * sustained_clock, device.tensor_energy, 2, 2, false};
  tables_[int8].path = {device.int8_rate * sustained_clock, device.int8_energy, 1, 4, true};
  // Half the energy of an fp16 multiply-add: half the operand bits.
  tables_[int8_tensor].path = {device.int8_tensor_rate * sustained_clock, device.tensor_energy / 2, 1, 4, false};

  for (const Tables& tables : tables_)
    peak_rate_ = std::max(peak_rate_, tables.path.rate / device.sustained * device.multiprocessors);

  const auto any = [](const Tile&) { return true; };
  const auto is = [](const Tile& tile, int rows, int columns) { return tile.rows == rows && tile.columns == columns; };
  const auto in_gemms = [&](const Tile& tile) { return device.library != Library::cutlass1 || is(tile, 128, 128); };
  for (const Kind kind : {fp32, half_storage}) {
    Tables& t = tables_[kind];
    t.gemm = prepare_all(fp32_tiles, t.path, device, in_gemms);
    t.convolution = prepare_all(fp32_tiles, t.path, device, [](const Tile& tile) { return tile.rows == 128; });
    // Here rows correspond to the inputs, columns to the filters.
    t.weights = prepare_all(fp32_tiles, t.path, device, [&](const Tile& tile) {
      return is(tile, 128, 128) || is(tile, 64, 128) || is(tile, 128, 32);
    });
    t.recurrent = prepare_all(fp32_tiles, t.path, device,
                              [](const Tile& tile) { return tile.rows == 128 && tile.columns >= 64; });
  }
  if (device.fp16_rate > 0) {
    Tables& t = tables_[half_math];
    t.gemm = prepare_all(half_tiles, t.path, device, any);
    t.convolution = t.gemm;
    t.weights = t.gemm;
  }
  if (device.tensor_rate > 0) {
    const auto wide = [](const Tile& tile) { return tile.rows >= 64 && tile.columns >= 64; };
    Tables& t = tables_[tensor];
    t.gemm = prepare_all(tensor_tiles, t.path, device, in_gemms);
    t.convolution =
        device.has_fixed_algorithm() ? prepare_fixed(t.path, device) : prepare_all(tensor_tiles, t.path, device, wide);
    t.weights = t.convolution;
  }
  if (device.int8_rate > 0) {
    Tables& t = tables_[int8];
    t.gemm = prepare_all(int8_tiles, t.path, device, any);
    t.convolution = prepare_all(int8_tiles, t.path, device, [&](const Tile& tile) {
      return device.library == Library::cuda8 ? is(tile, 128, 128) : tile.rows == 128;
    });
  }
  if (device.int8_tensor_rate > 0) {
    Tables& t = tables_[int8_tensor];
    t.convolution = prepare_all(int8_tensor_tiles, t.path, device, any);
  }
}

GpuModel::Kind GpuModel::kind_of(Precision precision) const {
  switch (precision) {
    case Precision::fp32:
      return fp32;
    case Precision::half_storage:
      return half_storage;
    case Precision::tensor:
      return device_.tensor_rate > 0 ? tensor : half_storage;
    case Precision::int8:
      return device_.int8_rate > 0 ? int8 : fp32;
  }
  return fp32;
}

KernelCost GpuModel::skinny_gemm(const Tables& tables, double rows, double columns, double depth) const {
  constexpr double columns_of_a_pass = 8;
  const double columns_done = std::ceil(columns / columns_of_a_pass) * columns_of_a_pass;
  KernelCost cost;
  cost.operations = 2 * rows * columns_done * depth;
  cost.memory_bytes =
      (rows * depth + columns * depth) * tables.path.input_bytes + rows * columns * tables.path.output_bytes;
  cost.cache_bytes = cost.memory_bytes;
  cost.launches = 1;
  cost.math_energy = cost.operations * tables.path.energy;
  cost.algorithm = Algorithm::skinny_gemm;
  const double peak = device_.fp32_rate * device_.clock * device_.multiprocessors;
  const double math_time = cost.operations / (device_.skinny * peak);
  const double memory_time = cost.memory_bytes / (device_.memory_bandwidth * device_.memory_efficiency);
  cost.work_seconds = std::max(math_time, memory_time);
  cost.held_seconds = cost.work_seconds;
  cost.seconds = cost.work_seconds + device_.launch;
  cost.bound = device_.launch > std::max(math_time, memory_time) ? Bound::launch
               : math_time >= memory_time                        ? Bound::math
                                                                 : Bound::memory;
  return cost;
}

KernelCost GpuModel::gemm(Kind kind, double rows, double columns, double depth, const Choice& choice) const {
  constexpr double skinny_columns = 16;
  const Tables& tables = tables_[kind];
  const bool old_library = device_.library == Library::cuda8;
  if (old_library && kind != int8 && std::min(rows, columns) <= skinny_columns) {
    return skinny_gemm(tables, std::max(rows, columns), std::min(rows, columns), depth);
  }
  const GemmShape shape{.rows = rows,
                        .columns = columns,
                        .depth = depth,
                        .a_bytes = rows * depth * tables.path.input_bytes,
                        .b_bytes = columns * depth * tables.path.input_bytes,
                        .c_bytes = rows * columns * tables.path.output_bytes};
  // Integer GEMMs are never split: no kernel sums int32 partial results.
  const bool never_split = kind == int8 || device_.library == Library::cutlass1;
  const int max_splits = never_split ? 1 : old_library ? 8 : 64;
  const GemmKernels kernels{
      .tiles = tables.gemm, .max_splits = choice.splits(max_splits), .launches_queued = choice.launches_queued};
  return tiled_gemm(device_, tables.path, kernels, shape);
}

KernelCost GpuModel::gemm(Precision precision, double rows, double columns, double depth, const Choice& choice) const {
  const Kind kind = kind_of(precision);
  const double values = rows * depth + columns * depth + rows * columns;
  return with_error(gemm(kind, rows, columns, depth, choice), device_.errors.gemm.of(kind, rows, columns, depth),
                    2 * rows * columns * depth, values * tables_[kind].path.input_bytes);
}

// Winograd and FFT do fewer operations than the definition, so only bytes bound them.
KernelCost GpuModel::convolution(Precision precision, const ConvolutionShape& shape, Pass pass,
                                 const Choice& choice) const {
  const double values = shape.inputs() + shape.outputs() + shape.weights();
  const Kind kind = kind_of(precision);
  const double error =
      device_.errors.convolution.of(kind, pass, shape.width, shape.height, shape.channels, shape.batch, shape.filters,
                                    shape.filter_height, shape.filter_width, shape.stride_height, shape.stride_width);
  return with_error(fastest_convolution(precision, shape, pass, choice), error, 0,
                    values * tables_[kind].path.input_bytes);
}

KernelCost GpuModel::recurrent(Precision precision, const RecurrentShape& shape, Pass pass) const {
  const double error =
      device_.errors.recurrent.of(kind_of(precision), pass, shape.gates, shape.hidden, shape.batch, shape.steps);
  return with_error(steps(precision, shape, pass), error, shape.operations(), 0);
}

KernelCost GpuModel::with_error(KernelCost cost, double factor, double operations, double bytes) const {
  if (factor == 1) return cost;
  const double from_memory = std::max(0.0, bytes - device_.kept_bytes());
  const double roofline = std::max(operations / peak_rate_, from_memory / device_.memory_bandwidth);
  cost.seconds = std::max(factor * cost.seconds, roofline);
  const double work = std::min(std::max(factor * cost.work_seconds, roofline), cost.seconds);
  if (cost.work_seconds > 0) cost.held_seconds *= work / cost.work_seconds;
  cost.work_seconds = work;
  return cost;
}

Energy GpuModel::energy(const KernelCost& cost) const {
  return {.idle = device_.idle_power * cost.seconds,
          .math = cost.math_energy,
          .cache = device_.cache_energy * cost.cache_bytes,
          .memory = device_.memory_energy * cost.memory_bytes};
}

}  // namespace pimsweep::hardware::gpu
