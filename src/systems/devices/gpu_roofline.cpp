#include "systems/devices/gpu_roofline.h"

#include <algorithm>

namespace pimsweep::systems::devices {

using hardware::gpu::Device;
using hardware::gpu::Precision;

double peak_rate(const Device& device, Precision precision, OperationKind kind) {
  const bool conv = kind == OperationKind::conv;
  const bool gemm = kind == OperationKind::gemm;
  double rate = device.fp32_rate;
  if (precision == Precision::half_storage && conv) rate = std::max(device.fp32_rate, device.fp16_rate);
  if (precision == Precision::tensor && (gemm || conv || kind == OperationKind::rnn)) rate = device.tensor_rate;
  if (precision == Precision::int8 && gemm) rate = device.int8_rate;
  if (precision == Precision::int8 && conv) rate = std::max(device.int8_rate, device.int8_tensor_rate);
  return rate * device.clock * device.multiprocessors;
}

RooflinePart gpu_roofline(const Device& device, Precision precision, double operations, double memory_bytes,
                          double time) {
  return {.name = "GPU",
          .operations = operations,
          .memory_bytes = memory_bytes,
          .time = time,
          .peak_rate = peak_rate(device, precision, OperationKind::conv),
          .memory_bandwidth = device.memory_bandwidth};
}

RooflinePart gpu_roofline(const Device& device, Precision precision,
                          const hardware::gpu::network::Inference& inference) {
  double operations = 0;
  double bytes = 0;
  for (const hardware::gpu::network::InferenceKernel& kernel : inference.kernels) {
    operations += kernel.cost.operations;
    bytes += kernel.cost.memory_bytes;
  }
  return gpu_roofline(device, precision, operations, bytes, inference.seconds);
}

}  // namespace pimsweep::systems::devices
