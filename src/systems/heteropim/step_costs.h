#pragma once

#include <cstdint>
#include <vector>

#include "hardware/gpu/gpu_model.h"
#include "hardware/gpu/kernel_cost.h"
#include "systems/heteropim/machine.h"
#include "systems/heteropim/runtime/task_graph.h"
#include "workload/training/training_graph.h"

namespace pimsweep::systems::heteropim {

/// What a training step costs on a machine with PIM: the runtime's tasks and what their energy follows from.
struct StepCosts {
  runtime::TaskGraph graph;
  /// Of each operation: bytes between the host and its main memory if it runs there.
  std::vector<double> host_bytes;
  /// Bytes of tensors that it reads and writes, and its multiplications and additions.
  std::vector<double> tensor_bytes;
  std::vector<double> simple_work;
};

/// Which memory the host has: its own, or the stack behind the link.
enum class MainMemory : std::uint8_t { own, stack };

/// Where pairs fetch operands: from any bank over the network of the logic die, or from the bank that they stand on
/// (Sec. IV-D: operations can be mapped to the units of the bank that holds their data).
enum class Operands : std::uint8_t { stack, bank };

/// The logic die of a design point.
struct LogicDie {
  /// Multiplies what PIM and the stack's inside do in a second (Sec. VI-D: their clocks).
  double speed = 1;
  std::uint32_t pairs = 0;
  std::uint32_t programmable = 1;
  Operands operands = Operands::stack;
};

StepCosts step_costs(const workload::training::TrainingGraph& graph, const Machine& machine, MainMemory memory,
                     const LogicDie& die);

/// Puts into Task::programmable the time on `count` programmable PIMs together, and marks every task as theirs.
void run_on_programmable(const workload::training::TrainingGraph& graph, const Machine& machine, double speed,
                         double count, StepCosts& costs);

/// The same of Neurocube.
void run_on_neurocube(const workload::training::TrainingGraph& graph, const Machine& machine, StepCosts& costs);

/// A convolution or one of its gradients on the graphics card; seconds with its launch.
struct CardConvolution {
  hardware::gpu::ConvolutionShape shape;
  hardware::gpu::Pass pass = hardware::gpu::Pass::forward;
  double seconds = 0;
};

/// What the kernels of a step cost together, and the convolutions among them.
struct CardStep {
  hardware::gpu::KernelCost kernels;
  std::vector<CardConvolution> convolutions;
};

/// The same of the graphics card, one launch of each operation left out.
CardStep run_on_gpu(const workload::training::TrainingGraph& graph, const Machine& machine, StepCosts& costs);

/// Bytes that a step copies between host and card: what is fed, and what does not fit on the card.
struct Copies {
  /// Overlaps with the step before.
  double fed = 0;
  /// Out and back again, when it is needed.
  double swapped = 0;
  double largest_footprint = 0;
};
Copies copies(const workload::training::TrainingGraph& graph, double card_memory);

}  // namespace pimsweep::systems::heteropim
