#pragma once

#include <cstdint>

#include "systems/heteropim/runtime/task_graph.h"
#include "workload/training/training_graph.h"

namespace pimsweep::systems::heteropim {

/// Conv2D and its two gradients.
bool is_convolution(workload::training::OperationType type);
/// Matrix products, convolutions among them: what caches and tiles pay off for.
bool is_product(workload::training::OperationType type);

/// Which units an operation needs (Hetero-PIM, Sec. II-A and III-B): multiplications and additions alone are for the
/// fixed-function units; the gradients of convolutions, and whatever has as many of them as of anything else, are
/// recursive; the rest, data movement included, needs a program.
runtime::TaskKind kind_of(const workload::training::TrainingOperation& operation);

/// Multiplications of one window of a convolution's filter; 1 for everything else (Sec. III-C: 121 of 11 x 11).
std::int64_t window(const workload::training::TrainingGraph& graph, workload::training::OperationIndex operation);

/// The tensors of a convolution or of one of its gradients.
struct ConvolutionTensors {
  workload::training::Shape input;
  workload::training::Shape filter;
  workload::training::Shape output;
};
ConvolutionTensors convolution_tensors(const workload::training::TrainingGraph& graph,
                                       workload::training::OperationIndex operation);

}  // namespace pimsweep::systems::heteropim
