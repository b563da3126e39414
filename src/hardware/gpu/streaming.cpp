#include <algorithm>

#include "hardware/gpu/gpu_model.h"

namespace pimsweep::hardware::gpu {

// Kernels that touch each value once: bound by memory, by the load units, or by the multiply-add units.
KernelCost GpuModel::streaming(double bytes, double load_words, double operations) const {
  const double kept = std::min(bytes, device_.kept_bytes());
  const double memory_time = std::max((bytes - kept) / (device_.memory_bandwidth * device_.memory_efficiency),
                                      kept / (device_.cache_bytes_per_cycle * device_.clock));
  const double clock = device_.clock * device_.sustained;
  const double math_time = std::max(load_words / (device_.load_lanes * clock * device_.multiprocessors),
                                    operations / (device_.fp32_rate * clock * device_.multiprocessors));
  KernelCost cost;
  cost.memory_bytes = bytes - kept;
  cost.cache_bytes = bytes;
  cost.operations = operations;
  cost.math_energy = operations * device_.fp32_energy;
  cost.launches = 1;
  const double floor = device_.has_fixed_algorithm() ? device_.floor_cycles / device_.clock : 0;
  cost.work_seconds = std::max(memory_time, math_time) + floor;
  cost.held_seconds = cost.work_seconds;
  cost.seconds = cost.work_seconds + device_.launch;
  cost.bound = device_.launch > cost.work_seconds ? Bound::launch
               : math_time >= memory_time         ? Bound::math
                                                  : Bound::memory;
  cost.algorithm = Algorithm::streaming;
  return cost;
}

KernelCost GpuModel::depthwise(Precision precision, const ConvolutionShape& s) const {
  const double taps = s.filter_height * s.filter_width;
  const double outputs = s.batch * s.channels * s.out_height() * s.out_width();
  const double bytes = tables_[kind_of(precision)].path.input_bytes;
  const double operations = device_.has_fixed_algorithm() ? device_.depthwise_operations : 2;
  // Each tap is loaded once more, from the first-level cache.
  return streaming((s.inputs() + outputs + s.channels * taps) * bytes, outputs * taps, operations * outputs * taps);
}

KernelCost GpuModel::pooling(Precision precision, const ConvolutionShape& s) const {
  const double taps = s.filter_height * s.filter_width;
  const double outputs = s.batch * s.channels * s.out_height() * s.out_width();
  const double bytes = tables_[kind_of(precision)].path.input_bytes;
  return streaming((s.inputs() + outputs) * bytes, outputs * taps, outputs * taps);
}

KernelCost GpuModel::elementwise(Precision precision, double elements, double inputs) const {
  const double bytes = tables_[kind_of(precision)].path.input_bytes;
  return streaming((inputs + 1) * elements * bytes, inputs * elements, inputs * elements);
}

}  // namespace pimsweep::hardware::gpu
