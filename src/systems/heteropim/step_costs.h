#pragma once

#include <cstdint>
#include <vector>

#include "systems/heteropim/runtime/task_graph.h"
#include "systems/heteropim/settings.h"
#include "workload/training/training_graph.h"

namespace pimsweep::systems::heteropim {

/// A training step on a machine with PIM: the tasks of the runtime, and the data and work of each task, for energy.
struct StepCosts {
  runtime::TaskGraph graph;
  /// Bytes between the host and its main memory if the task runs on the host.
  std::vector<double> host_bytes;
  /// Bytes of tensors that the task reads and writes.
  std::vector<double> tensor_bytes;
  /// Multiplications and additions.
  std::vector<double> simple_work;
};

/// The memory of the host: its own, or the stack behind the link.
enum class MainMemory : std::uint8_t { own, stack };

/// The costs of a step on host, programmable PIMs and `pairs` pairs.
StepCosts step_costs(const workload::training::TrainingGraph& graph, const Settings& settings, MainMemory memory,
                     std::uint32_t pairs);

/// Sets Task::programmable to the time on all programmable PIMs together, and assigns every task to them.
void run_on_programmable(const workload::training::TrainingGraph& graph, const Settings& settings, StepCosts& costs);

/// Sets Task::programmable to the time on Neurocube, and assigns every task to it.
void run_on_neurocube(const workload::training::TrainingGraph& graph, const Machine& machine, StepCosts& costs);

}  // namespace pimsweep::systems::heteropim
