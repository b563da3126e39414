#pragma once

#include <cstdint>

#include "systems/heteropim/runtime/task_graph.h"
#include "workload/training/operands.h"
#include "workload/training/training_graph.h"

namespace pimsweep::systems::heteropim {

/// Units that an operation needs (Hetero-PIM, Sec. II-A and III-B). Multiplications and additions alone are for the
/// fixed-function units; gradients of convolutions, and operations with at least as many multiplications and additions
/// as other arithmetic, are recursive; the rest, data movement included, needs a program.
runtime::TaskKind kind_of(const workload::training::TrainingOperation& operation);

/// True for GEMMs and convolutions, for which caches and tiles pay off.
bool reuses_operands(const workload::training::TrainingOperation& operation);

/// Multiplications in one window of a convolution's filter; 1 for everything else (Sec. III-C: 121 of 11 x 11).
std::int64_t window(const workload::training::TrainingGraph& graph, workload::training::OperationIndex operation);

/// The tensors of a convolution or of one of its gradients.
workload::training::ConvolutionTensors convolution_tensors(const workload::training::TrainingGraph& graph,
                                                           workload::training::OperationIndex operation);

}  // namespace pimsweep::systems::heteropim
