#pragma once

#include <vector>

#include "hardware/gpu/gpu_model.h"
#include "hardware/gpu/kernel_cost.h"
#include "systems/heteropim/step_costs.h"

namespace pimsweep::systems::heteropim {

/// A convolution or one of its gradients on the graphics card; seconds with its launch.
struct CardConvolution {
  hardware::gpu::ConvolutionShape shape;
  hardware::gpu::Pass pass = hardware::gpu::Pass::forward;
  double seconds = 0;
};

/// Bytes that a step copies between host and card.
struct Copies {
  /// Tensors that are fed; the copies overlap with the step before.
  double fed = 0;
  /// What does not fit on the card: out, and back when it is needed.
  double swapped = 0;
  double max_footprint = 0;
};

/// A step on the graphics card: costs of all kernels together, the convolutions among them, and copies.
struct CardStep {
  hardware::gpu::KernelCost kernels;
  std::vector<CardConvolution> convolutions;
  Copies copies;

  /// Seconds of copies that a step of so many seconds of kernels does not hide.
  double exposed_copy_time(double step, double bandwidth) const;
};

/// Puts into Task::programmable the time on the graphics card, without the launch, and assigns every task to it.
CardStep run_on_card(const workload::training::TrainingGraph& graph, const Machine& machine, StepCosts& costs);

}  // namespace pimsweep::systems::heteropim
