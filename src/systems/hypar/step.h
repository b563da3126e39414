#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "hardware/noc/exchange_network.h"
#include "hardware/noc/step_program.h"
#include "systems/hypar/communication.h"
#include "systems/hypar/layer_costs.h"
#include "systems/hypar/machine.h"

namespace pimsweep::systems::hypar {

/// Bytes that every pair of groups exchanges in a step under an assignment, both directions together.
class StepVolumes {
 public:
  StepVolumes(const workload::TrainingNetwork& network, const TensorBytes& bytes, int levels,
              const search::Assignment& assignment);

  int levels() const { return levels_; }
  Task task() const { return task_; }
  /// Partial sums of a node: of F_{l+1} in mp, of dW in dp.
  double features(std::size_t node, int level) const { return features_[at(node, level)]; }
  double gradient(std::size_t node, int level) const { return gradient_[at(node, level)]; }
  /// Conversions on a transition: of F_{l+1} and of E_{l+1}.
  double forward(std::size_t transition, int level) const { return forward_[at(transition, level)]; }
  double backward(std::size_t transition, int level) const { return backward_[at(transition, level)]; }

  /// Total of a pair at a level.
  double pair_bytes(int level) const;
  /// Total of all pairs of all levels: com of Algorithm 2.
  double total() const;

 private:
  std::size_t at(std::size_t item, int level) const {
    return item * static_cast<std::size_t>(levels_) + static_cast<std::size_t>(level - 1);
  }

  int levels_;
  Task task_;
  std::vector<double> features_, gradient_, forward_, backward_;
};

/// Name of a task of a step program, for the timeline.
struct TaskName {
  std::string_view what;
  std::size_t node = 0;
};

/// Writes the step as a program for noc::StepSimulation: all layers forward, then backward from the last layer. The
/// error of a layer is computed before its gradient, because earlier layers wait for the error. Partial sums are added
/// from the lowest level up, layouts are converted from the highest level down. `names`, unless null, gets one name for
/// each task.
void write_step_program(const workload::TrainingNetwork& network, const StepVolumes& volumes, const LayerCosts& costs,
                        const search::Assignment& assignment, hardware::noc::StepProgram& program,
                        std::vector<TaskName>* names);

/// Seconds of a step without overlap: computation of all layers plus exchanges of all levels, each alone on the links.
struct AnalyticTime {
  double computation = 0;
  double exchange = 0;
  double total() const { return computation + exchange; }
};
AnalyticTime analytic_time(const StepVolumes& volumes, const LayerCosts& costs, const search::Assignment& assignment,
                           const hardware::noc::ExchangeNetwork& network);

/// Joules of a step on the whole array.
struct StepEnergy {
  double arithmetic = 0;  ///< additions and multiplications of the three GEMMs
  double sram = 0;
  double dram = 0;      ///< operands of GEMMs
  double exchange = 0;  ///< DRAM accesses of exchanges
  double links = 0;
};
StepEnergy step_energy(const StepVolumes& volumes, const LayerCosts& costs, const search::Assignment& assignment,
                       const hardware::noc::ExchangeNetwork& network, const Machine& machine);

/// Bytes that an accelerator holds: weights, gradients, feature maps and errors in training; weights and the largest
/// input and output of a layer in inference.
double memory_bytes(const workload::TrainingNetwork& network, const Machine& machine, std::int64_t batch,
                    const search::Assignment& assignment, Task task);

}  // namespace pimsweep::systems::hypar
