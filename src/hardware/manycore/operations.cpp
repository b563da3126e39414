#include "hardware/manycore/operations.h"

#include <algorithm>
#include <cmath>

namespace pimsweep::hardware::manycore {

namespace {

/// Elements per chunk of an element-wise loop: a page.
constexpr double grain = 1024;

}  // namespace

/// Fraction of the peak that a loop with these vector loads and multiply-adds reaches: all of them take issue slots.
double Operations::efficiency(double vectors_loaded, double multiply_adds) const {
  const double slots = device_.fma_units * (1 + vectors_loaded / multiply_adds);
  const double latency = multiply_adds / (device_.fma_latency_cycles * device_.fma_units);
  return std::min({1.0, device_.issue_width / slots, latency});
}

Work Operations::gemm(double rows, double columns, double depth) const {
  const double max_columns = device_.registers - 4;
  const double tile = columns / std::ceil(columns / max_columns);
  const double vectors = std::ceil(device_.fma_latency_cycles * device_.fma_units / tile);
  const double lanes = device_.lanes;
  Work work;
  Loops& l = work.loops;
  l.rows = std::ceil(rows / lanes);
  l.columns = columns;
  l.depth = depth;
  l.splits_depth = true;
  l.operations = 2 * lanes;
  l.efficiency = efficiency(vectors, vectors * tile);
  l.row_bytes = lanes * value_bytes;
  l.column_bytes = value_bytes;
  l.result_bytes = lanes * value_bytes;
  l.memory_bytes = value_bytes * (rows * depth + depth * columns + rows * columns);
  // The packed copy is in the cache together with the original.
  l.footprint = l.memory_bytes + value_bytes * rows * depth;
  l.packs = true;
  work.error = device_.errors.gemm.of(rows, columns, depth);
  work.defined_operations = 2 * rows * columns * depth;
  return work;
}

Work Operations::recurrent(double gates, double hidden, double batch, double steps, Pass pass) const {
  if (pass == Pass::backward_weights) return gemm(gates * hidden, hidden, batch * steps);
  Work work = gemm(gates * hidden, batch, hidden);
  work.repeats = steps;
  work.defined_operations *= steps;
  return work;
}

Work Operations::elementwise(double elements, double inputs, double outputs, double instructions) const {
  Work work;
  Loops& l = work.loops;
  l.rows = std::ceil(elements / grain);
  l.collapses = true;
  const double slots = (inputs + outputs + instructions) * std::min(grain, elements) / device_.lanes;
  // Operations that the multipliers could do in these issue slots.
  l.operations = slots * 2 * device_.lanes * device_.fma_units / device_.issue_width;
  l.memory_bytes = value_bytes * elements * (inputs + outputs);
  l.footprint = l.memory_bytes;
  work.defined_operations = elements * instructions;
  return work;
}

Work Operations::pooling(const ConvolutionShape& shape) const {
  ConvolutionShape one = shape;
  one.filters = one.channels;
  Work work = elementwise(one.outputs(), one.taps(), 1, one.taps());
  work.loops.memory_bytes = value_bytes * (one.inputs() + one.outputs());
  work.loops.footprint = work.loops.memory_bytes;
  return work;
}

Work Operations::bias(double pixels, double channels) const { return elementwise(pixels * channels, 1, 1, 1); }

Work Operations::optimizer(double parameters, double states) const {
  return elementwise(parameters, 2 + states, 1 + states, 1 + 3 * states);
}

Work Operations::channel_sums(double pixels, double channels, double instructions, double passes) const {
  Work work;
  Loops& l = work.loops;
  l.rows = std::ceil(channels / device_.lanes);
  l.depth = pixels;
  l.splits_depth = true;
  l.operations = instructions * 2 * device_.lanes * device_.fma_units / device_.issue_width;
  l.result_bytes = device_.lanes * value_bytes;
  l.memory_bytes = value_bytes * pixels * channels * passes;
  l.footprint = value_bytes * pixels * channels;
  work.defined_operations = pixels * channels * instructions;
  return work;
}

Work Operations::bias_gradient(double pixels, double channels) const { return channel_sums(pixels, channels, 1, 1); }

// The sums load, add and multiply-add; the second pass loads, multiply-adds and stores.
Work Operations::batch_norm(double pixels, double channels) const { return channel_sums(pixels, channels, 6, 3); }

Work Operations::in_tensorflow(Work work, double elements) const {
  work.shared_cycles += elements * device_.gather_cycles;
  work.serial_bytes += value_bytes * elements;
  return work;
}

}  // namespace pimsweep::hardware::manycore
