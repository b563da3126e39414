#pragma once

#include <vector>

#include "hardware/gpu/gpu_model.h"
#include "hardware/gpu/kernel_cost.h"
#include "systems/heteropim/step_costs.h"

namespace pimsweep::systems::heteropim {

/// A convolution or one of its gradients on the GPU; seconds with its launch.
struct GpuConvolution {
  hardware::gpu::ConvolutionShape shape;
  hardware::gpu::Pass pass = hardware::gpu::Pass::forward;
  double seconds = 0;
};

/// Bytes that a step copies between host and GPU.
struct Copies {
  /// Input tensors; their copies overlap with the previous step.
  double fed = 0;
  /// Tensors that exceed the memory of the GPU: copied out, and back when they are needed.
  double swapped = 0;
  double max_footprint = 0;
};

/// A step on the GPU: costs of all kernels together, the convolutions among them, and copies.
struct GpuStep {
  hardware::gpu::KernelCost kernels;
  std::vector<GpuConvolution> convolutions;
  Copies copies;

  /// Seconds of copies that are not hidden by a step of `step` seconds of kernels.
  double exposed_copy_time(double step, double bandwidth) const;
};

/// Sets Task::programmable to the time on the GPU, without the launch, and assigns every task to it.
GpuStep run_on_gpu(const workload::training::TrainingGraph& graph, const Machine& machine, StepCosts& costs);

}  // namespace pimsweep::systems::heteropim
