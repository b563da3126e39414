#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "hardware/noc/exchange_network.h"
#include "hardware/noc/step_program.h"
#include "systems/hypar/communication.h"
#include "systems/hypar/layer_costs.h"
#include "systems/hypar/machine.h"

namespace pimsweep::systems::hypar {

/// A training step under an assignment: what every pair of groups exchanges, in bytes (both directions).
class StepVolumes {
 public:
  StepVolumes(const workload::TrainingNetwork& network, const TensorBytes& bytes, int levels,
              const search::Assignment& assignment);

  int levels() const { return levels_; }
  Task task() const { return task_; }
  /// Partial sums of F_{l+1} (mp) of a node; partial sums of dW (dp).
  double features(std::size_t node, int level) const { return features_[at(node, level)]; }
  double gradient(std::size_t node, int level) const { return gradient_[at(node, level)]; }
  /// F_{l+1} and E_{l+1} on a transition.
  double forward(std::size_t transition, int level) const { return forward_[at(transition, level)]; }
  double backward(std::size_t transition, int level) const { return backward_[at(transition, level)]; }

  /// All that a pair of a level exchanges in a step.
  double pair_bytes(int level) const;
  /// Of all pairs of all levels: com of Algorithm 2.
  double total() const;

 private:
  std::size_t at(std::size_t item, int level) const {
    return item * static_cast<std::size_t>(levels_) + static_cast<std::size_t>(level - 1);
  }

  int levels_;
  Task task_;
  std::vector<double> features_, gradient_, forward_, backward_;
};

/// What a task of a step program is: for the timeline.
struct TaskName {
  std::string what;
  std::size_t node = 0;
};

/// Writes the step as a program for noc::StepSimulation: all layers forward, then backward from the last layer. A
/// layer's error goes before its gradient, since the layers before it wait for it. Partial sums are added from the
/// lowest level up, layouts are converted from the highest level down. `names` (may be null) gets one name for each
/// task.
void write_step_program(const workload::TrainingNetwork& network, const StepVolumes& volumes, const LayerCosts& costs,
                        const search::Assignment& assignment, hardware::noc::StepProgram& program,
                        std::vector<TaskName>* names);

/// Seconds of a step without overlap: T = sum of computation + sum over levels of exchange, each alone on the links.
struct AnalyticTime {
  double computation = 0;
  double exchange = 0;
  double total() const { return computation + exchange; }
};
AnalyticTime analytic_time(const StepVolumes& volumes, const LayerCosts& costs, const search::Assignment& assignment,
                           const hardware::noc::ExchangeNetwork& network);

/// Joules of a step on the whole array.
struct StepEnergy {
  double arithmetic = 0;  ///< additions and multiplications of the three products
  double sram = 0;
  double dram = 0;      ///< operands of the products
  double exchange = 0;  ///< DRAM accesses for what is exchanged
  double links = 0;
};
StepEnergy step_energy(const StepVolumes& volumes, const LayerCosts& costs, const search::Assignment& assignment,
                       const hardware::noc::ExchangeNetwork& network, const Machine& machine);

/// Bytes of weights, gradients, feature maps and errors that an accelerator holds; in inference of the weights and of
/// the largest input and output of a layer.
double memory_bytes(const workload::TrainingNetwork& network, const Machine& machine, std::int64_t batch,
                    const search::Assignment& assignment, Task task);

}  // namespace pimsweep::systems::hypar
