#include "hardware/gpu/serving/elementwise.h"

#include <algorithm>

namespace pimsweep::hardware::gpu::serving {

namespace {

/// Row length from which on a row is reduced by more than one thread block: 256 values for each of 512 threads
/// (PyTorch, aten/src/ATen/native/cuda/Reduce.cuh, setReduceConfig).
constexpr double reduction_split = 256 * 512;

/// Dependent accesses of a thread. Normalization: vector for the sum, weight, vector again; rotation: position, table,
/// vector; embedding: token, row, and their checks; activation: the vector.
constexpr double normalization_trips = 3;
constexpr double rotary_trips = 3;
constexpr double embedding_trips = 4;
constexpr double activation_trips = 1;

}  // namespace

KernelTime elementwise(const Card& card, const ElementwiseShape& shape) {
  const double block = shape.bytes / shape.blocks / (card.kernels.block_bytes_per_cycle * card.clock);
  const double scheduling = shape.blocks * card.kernels.block_cycles / (card.multiprocessors * card.clock);
  return {.seconds = card.kernels.empty_latency + shape.trips * card.kernels.trip_latency +
                     std::max({card.traffic_time(shape.bytes), block, scheduling}),
          .memory_bytes = card.spilled(shape.bytes),
          .operations = shape.operations};
}

KernelTime embedding(const Card& card, double tokens, double hidden, double value_bytes) {
  return elementwise(card, {.bytes = 2 * tokens * hidden * value_bytes, .blocks = tokens, .trips = embedding_trips});
}

KernelTime normalization(const Card& card, double rows, double columns, bool residual, double value_bytes) {
  const double values = rows * columns;
  return elementwise(card, {.bytes = (residual ? 4 : 2) * values * value_bytes,
                            .blocks = rows,
                            .trips = normalization_trips,
                            .operations = (residual ? 5 : 4) * values});
}

KernelTime rotary(const Card& card, double tokens, double values, double value_bytes) {
  return elementwise(card, {.bytes = 2 * tokens * values * value_bytes,
                            .blocks = tokens,
                            .trips = rotary_trips,
                            .operations = 3 * tokens * values});
}

KernelTime activation(const Card& card, double tokens, double width, bool gated, double value_bytes) {
  const double values = tokens * width;
  return elementwise(card, {.bytes = (gated ? 3 : 2) * values * value_bytes,
                            .blocks = tokens,
                            .trips = activation_trips,
                            .operations = (gated ? 5 : 4) * values});
}

KernelTime sampler(const Card& card, double sequences, double vocabulary) {
  // Logits of 2 bytes are converted to 4 bytes, which are read again.
  const double values = sequences * vocabulary;
  const double row = 4 * vocabulary / (card.kernels.block_bytes_per_cycle * card.clock);
  const double block = vocabulary < reduction_split ? row : 0;
  return {.seconds = card.kernels.sampler_latency + card.traffic_time(6 * values) +
                     std::max(block, card.traffic_time(4 * values)),
          .memory_bytes = card.spilled(6 * values) + card.spilled(4 * values),
          .operations = values};
}

}  // namespace pimsweep::hardware::gpu::serving
