#include <algorithm>
#include <cmath>

#include "hardware/gpu/gpu_model.h"

namespace pimsweep::hardware::gpu {

namespace {

/// A step of a tensor-core or int8 kernel stays within one filter tap: channels are padded to whole steps.
constexpr double channels_of_a_step = 32;
/// Tensor cores read channels in groups of eight; other images are copied into that layout first.
constexpr double channels_of_a_group = 8;
/// Maximum number of channels for which cuDNN uses its kernel for gradients of images (as opposed to feature maps).
constexpr double max_image_channels = 4;

double padded(double count, double multiple) { return std::ceil(count / multiple) * multiple; }

bool has_stride(const ConvolutionShape& s) { return s.stride_height * s.stride_width > 1; }

bool is_three_by_three(const ConvolutionShape& s) {
  return s.filter_height == 3 && s.filter_width == 3 && !has_stride(s);
}

/// Side of a tile in the tiled FFT, in points.
constexpr double fft_side = 32;

/// True if the library tries the FFT: its tiles must hold the filter.
bool is_large(const ConvolutionShape& s) {
  const double side = std::max(s.filter_height, s.filter_width);
  return side >= 5 && side <= fft_side && !has_stride(s);
}

/// Channels and values that enter and leave a pass.
struct Flow {
  double in_channels;
  double out_channels;
  double in_values;
  double out_values;
};

Flow flow_of(const ConvolutionShape& s, Pass pass) {
  if (pass == Pass::backward_inputs) return {s.filters, s.channels, s.outputs(), s.inputs()};
  return {s.channels, s.filters, s.inputs(), s.outputs()};
}

}  // namespace

KernelCost GpuModel::implicit_gemm(Kind kind, const ConvolutionShape& s, Pass pass, const Choice& choice) const {
  const Tables& tables = tables_[kind];
  const bool old_library = device_.library == Library::cuda8;
  const bool steps_keep_to_a_tap = kind == tensor || kind == int8 || kind == int8_tensor;
  const auto pad = [&](double channels) {
    return steps_keep_to_a_tap ? padded(channels, channels_of_a_step) : channels;
  };
  const double value_bytes = tables.path.input_bytes;
  const double in_bytes = s.inputs() * value_bytes;
  const double out_bytes = s.outputs() * value_bytes;
  const double weight_bytes = s.weights() * value_bytes;
  const double taps = s.filter_height * s.filter_width;
  const double pixels = s.batch * s.out_height() * s.out_width();

  GemmKernels kernels{
      .tiles = tables.convolution, .gathers = !steps_keep_to_a_tap, .launches_queued = choice.launches_queued};
  GemmShape shape;
  KernelCost before;
  switch (pass) {
    case Pass::forward:
      shape = {pixels, pad(s.filters), pad(s.channels) * taps, 1, in_bytes, weight_bytes, out_bytes};
      break;
    case Pass::backward_inputs:
      if (!old_library && has_stride(s)) {
        // Pixels at different offsets within the stride meet different taps: one dense GEMM for each offset.
        const double places = std::min(s.filter_height, s.stride_height) * std::min(s.filter_width, s.stride_width);
        const double taps_of_a_place =
            std::ceil(s.filter_height / s.stride_height) * std::ceil(s.filter_width / s.stride_width);
        shape = {s.batch * std::ceil(s.height / s.stride_height) * std::ceil(s.width / s.stride_width),
                 s.channels,
                 pad(s.filters) * taps_of_a_place,
                 places,
                 out_bytes,
                 weight_bytes,
                 in_bytes};
        before = streaming(in_bytes, 0, 0);
        before.seconds -= device_.launch;
        before.launches = 0;
      } else {
        // CUDA 8 multiplies the zeros between strided pixels.
        shape = {s.batch * s.height * s.width, s.channels, pad(s.filters) * taps, 1, out_bytes, weight_bytes, in_bytes};
      }
      break;
    case Pass::backward_weights:
      kernels.tiles = tables.weights;
      kernels.max_splits = 64;
      // Both operands are gathered; cuDNN 6 also keeps no second step in flight.
      kernels.stalls = old_library ? 4 : 2;
      shape = {pad(s.channels) * taps, pad(s.filters), pixels, 1, in_bytes, out_bytes, weight_bytes};
      // The result is initialized with zeros first.
      before = {.seconds = device_.launch, .launches = 1};
      break;
  }
  if (kind == tensor && std::fmod(s.channels, channels_of_a_group) != 0) {
    before.then(streaming(in_bytes * (1 + padded(s.channels, channels_of_a_group) / s.channels), 0, 0));
  }
  kernels.max_splits = choice.splits(kernels.max_splits, before.launches);
  KernelCost cost = tiled_gemm(device_, tables.path, kernels, shape);
  cost.algorithm = Algorithm::implicit_gemm;
  cost.then(before);
  return cost;
}

// Non-fused F(4x4, 3x3): transforms of inputs and weights, 36 GEMMs, transform of the outputs (Lavin and Gray, 2016).
KernelCost GpuModel::winograd(Kind kind, const ConvolutionShape& s, Pass pass, const Choice& choice) const {
  constexpr double transforms = 3;
  constexpr double output_side = 4;
  constexpr double points = 36;
  // Transformed points are fp32, except where the GEMMs are fp16.
  const Kind math = kind == half_math ? half_math : fp32;
  const MathPath& path = tables_[math].path;
  const double value_bytes = tables_[kind].path.input_bytes;
  const double point_bytes = path.input_bytes;
  const Flow flow = flow_of(s, pass);
  const double tiles = s.batch * std::ceil(s.out_height() / output_side) * std::ceil(s.out_width() / output_side);
  const double in_points = tiles * flow.in_channels * points * point_bytes;
  const double out_points = tiles * flow.out_channels * points * point_bytes;
  const double weight_points = s.channels * s.filters * points * point_bytes;
  GemmShape shape{.rows = tiles,
                  .columns = flow.out_channels,
                  .depth = flow.in_channels,
                  .batch = points,
                  .a_bytes = in_points,
                  .b_bytes = weight_points,
                  .c_bytes = out_points};
  GemmKernels kernels{.tiles = tables_[math].gemm, .launches_queued = choice.launches_queued};
  if (pass == Pass::backward_weights) {
    shape = {s.filters, s.channels, tiles, points, out_points, in_points, weight_points};
    kernels.max_splits = choice.splits(64, transforms);
  }
  KernelCost cost = tiled_gemm(device_, path, kernels, shape);
  cost.algorithm = Algorithm::winograd;
  cost.then(streaming(flow.in_values * value_bytes + in_points, 0, 0));
  cost.then(streaming(flow.out_values * value_bytes + out_points, 0, 0));
  cost.then(streaming(s.weights() * value_bytes + weight_points, 0, 0));
  return cost;
}

// Fused F(2x2, 3x3): a block transforms and multiplies 32 tiles for 32 outputs in registers and shared memory.
KernelCost GpuModel::winograd_fused(const ConvolutionShape& s, Pass pass, double value_bytes) const {
  constexpr double output_side = 2;
  constexpr double points = 16;
  constexpr double block_side = 32;
  // Additions of the transforms, on top of 32 multiply-adds for each point and channel.
  constexpr double work_with_transforms = 1.1;
  // The transform of the weights is a separate kernel, queued behind the previous one.
  constexpr double launches = 1.5;
  const MathPath& path = tables_[fp32].path;
  const Flow flow = flow_of(s, pass);
  const double tiles = s.batch * std::ceil(s.out_height() / output_side) * std::ceil(s.out_width() / output_side);
  const double blocks = std::ceil(tiles / block_side) * std::ceil(flow.out_channels / block_side);
  const double operations = 2 * block_side * block_side * points * flow.in_channels * work_with_transforms;
  KernelCost cost;
  cost.operations = blocks * operations;
  const double weight_bytes = s.weights() * value_bytes * points / 9;
  cost.memory_bytes = (flow.in_values + flow.out_values) * value_bytes + weight_bytes;
  cost.cache_bytes = cost.memory_bytes;
  cost.launches = 2;
  cost.math_energy = cost.operations * path.energy;
  const double blocks_each = std::ceil(blocks / device_.multiprocessors);
  const double math_time = blocks_each * operations / path.rate * (1 + device_.stall);
  const double memory_time = cost.memory_bytes / (device_.memory_bandwidth * device_.memory_efficiency);
  cost.work_seconds = std::max(math_time, memory_time);
  cost.held_seconds = cost.work_seconds * blocks / (blocks_each * device_.multiprocessors);
  cost.seconds = cost.work_seconds + launches * device_.launch;
  cost.bound = launches * device_.launch > std::max(math_time, memory_time) ? Bound::launch
               : math_time >= memory_time                                   ? Bound::math
                                                                            : Bound::memory;
  cost.algorithm = Algorithm::winograd_fused;
  return cost;
}

// Tiled FFT of 32 x 32 points: transforms, a complex GEMM for each of 32 x 17 frequencies, transform back.
KernelCost GpuModel::fft(const ConvolutionShape& s, Pass pass, double value_bytes, const Choice& choice) const {
  constexpr double frequencies = 32 * 17;
  constexpr double point_bytes = 8;
  const Flow flow = flow_of(s, pass);
  const double tiles = s.batch * std::ceil(s.out_height() / (fft_side - s.filter_height + 1)) *
                       std::ceil(s.out_width() / (fft_side - s.filter_width + 1));
  const double in_points = tiles * flow.in_channels * frequencies * point_bytes;
  const double out_points = tiles * flow.out_channels * frequencies * point_bytes;
  const double weight_points = s.channels * s.filters * frequencies * point_bytes;
  // A complex multiply-add is four real ones: twice the columns and twice the depth.
  GemmShape shape{tiles,     2 * flow.out_channels, 2 * flow.in_channels, frequencies, in_points, weight_points,
                  out_points};
  if (pass == Pass::backward_weights) {
    shape = {s.filters, 2 * s.channels, 2 * tiles, frequencies, out_points, in_points, weight_points};
  }
  KernelCost cost = tiled_gemm(device_, tables_[fp32].path,
                               {.tiles = tables_[fp32].gemm, .launches_queued = choice.launches_queued}, shape);
  cost.algorithm = Algorithm::fft;
  cost.then(streaming(flow.in_values * value_bytes + in_points, 0, 0));
  cost.then(streaming(flow.out_values * value_bytes + out_points, 0, 0));
  cost.then(streaming(s.weights() * value_bytes + weight_points, 0, 0));
  return cost;
}

// cuDNN 6 for gradients of images: one dense GEMM, whose results are added to the image by atomic operations.
KernelCost GpuModel::scatter(const ConvolutionShape& s, const Choice& choice) const {
  const MathPath& path = tables_[fp32].path;
  const double taps = s.filter_height * s.filter_width;
  const double pixels = s.batch * s.out_height() * s.out_width();
  const double products = pixels * s.channels * taps;
  const GemmKernels kernels{
      .tiles = tables_[fp32].convolution, .gathers = true, .launches_queued = choice.launches_queued};
  // An atomic addition both reads and writes.
  const GemmShape shape{.rows = pixels,
                        .columns = s.channels * taps,
                        .depth = s.filters,
                        .a_bytes = s.outputs() * path.input_bytes,
                        .b_bytes = s.weights() * path.input_bytes,
                        .c_bytes = 2 * products * path.output_bytes};
  KernelCost cost = tiled_gemm(device_, path, kernels, shape);
  cost.algorithm = Algorithm::scatter;
  cost.then(streaming(s.inputs() * path.output_bytes, 0, 0));
  return cost;
}

// cuDNN 6 lacks a strided fp16 kernel for gradients of 1x1 filters. Measured times grow with the pixels of the output
// only, as if each pixel were a separate GEMM.
KernelCost GpuModel::pixelwise(const ConvolutionShape& s) const {
  const MathPath& path = tables_[half_storage].path;
  KernelCost cost;
  cost.launches = s.out_height() * s.out_width();
  cost.operations = s.operations();
  cost.memory_bytes = (s.inputs() + s.outputs() + s.weights()) * path.input_bytes;
  cost.cache_bytes = cost.memory_bytes;
  cost.math_energy = cost.operations * path.energy;
  const double work_time = std::max(cost.memory_bytes / (device_.memory_bandwidth * device_.memory_efficiency),
                                    cost.operations / (path.rate * device_.multiprocessors));
  cost.work_seconds = work_time;
  cost.held_seconds = work_time;
  cost.seconds = cost.launches * device_.launch + work_time;
  cost.bound = Bound::launch;
  cost.algorithm = Algorithm::pixelwise;
  return cost;
}

bool GpuModel::is_pixelwise(Kind kind, const ConvolutionShape& s, Pass pass) const {
  const bool one_tap = s.filter_height * s.filter_width == 1;
  return device_.library == Library::cuda8 && kind == half_storage && pass == Pass::backward_inputs && one_tap &&
         has_stride(s);
}

bool GpuModel::may_scatter(Kind kind, const ConvolutionShape& s, Pass pass) const {
  return device_.library == Library::cuda8 && kind == fp32 && pass == Pass::backward_inputs &&
         s.channels <= max_image_channels;
}

// The benchmark, like the frameworks, asks the library for its fastest algorithm, so the fastest candidate counts.
KernelCost GpuModel::fastest_convolution(Precision precision, const ConvolutionShape& s, Pass pass,
                                         const Choice& choice) const {
  Kind kind = kind_of(precision);
  if (kind == int8 && device_.int8_tensor_rate > 0) kind = int8_tensor;
  if (is_pixelwise(kind, s, pass)) return pixelwise(s);
  KernelCost best = implicit_gemm(kind, s, pass, choice);
  if ((kind != fp32 && kind != half_storage) || device_.has_fixed_algorithm()) return best;
  const auto take_if_faster = [&](const KernelCost& cost) {
    if (cost.launches <= choice.max_launches && choice.seconds(cost) < choice.seconds(best)) best = cost;
  };
  const double value_bytes = tables_[kind].path.input_bytes;
  if (is_three_by_three(s)) {
    take_if_faster(winograd(kind, s, pass, choice));
    if (pass != Pass::backward_weights) take_if_faster(winograd_fused(s, pass, value_bytes));
  }
  // fp16 numbers are multiplied in pairs, except where the stride inserts zeros.
  if (kind == half_storage && device_.fp16_rate > 0 && !(pass == Pass::backward_inputs && has_stride(s))) {
    take_if_faster(implicit_gemm(half_math, s, pass, choice));
    if (is_three_by_three(s)) take_if_faster(winograd(half_math, s, pass, choice));
  }
  if (is_large(s)) take_if_faster(fft(s, pass, value_bytes, choice));
  if (may_scatter(kind, s, pass)) take_if_faster(scatter(s, choice));
  return best;
}

}  // namespace pimsweep::hardware::gpu
