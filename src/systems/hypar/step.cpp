#include "systems/hypar/step.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace pimsweep::systems::hypar {

StepVolumes::StepVolumes(const workload::TrainingNetwork& network, const TensorBytes& bytes, int levels,
                         const search::Assignment& assignment)
    : levels_(levels), task_(bytes.accounting.task) {
  for (std::size_t node = 0; node < network.nodes.size(); ++node) {
    for (int level = 1; level <= levels; ++level) {
      features_.push_back(feature_bytes(bytes.features[node], assignment[node], level));
      gradient_.push_back(gradient_bytes(bytes.gradient[node], assignment[node], level));
    }
  }
  for (std::size_t t = 0; t < network.transitions.size(); ++t) {
    const workload::Transition& transition = network.transitions[t];
    const Source source = source_of(network.nodes[transition.from]);
    const search::State from = assignment[transition.from];
    const search::State to = assignment[transition.to];
    for (int level = 1; level <= levels; ++level) {
      const Conversion exchanged = transition_bytes(bytes.transition[t], source, bytes.accounting, from, to, level);
      forward_.push_back(exchanged.forward);
      backward_.push_back(exchanged.backward);
    }
  }
}

double StepVolumes::pair_bytes(int level) const {
  double sum = 0;
  const auto step = static_cast<std::size_t>(levels_);
  for (std::size_t i = at(0, level); i < features_.size(); i += step) sum += features_[i] + gradient_[i];
  for (std::size_t i = at(0, level); i < forward_.size(); i += step) sum += forward_[i] + backward_[i];
  return sum;
}

double StepVolumes::total() const {
  double sum = 0;
  for (int level = 1; level <= levels_; ++level) sum += std::ldexp(pair_bytes(level), level - 1);
  return sum;
}

AnalyticTime analytic_time(const StepVolumes& volumes, const LayerCosts& costs, const search::Assignment& assignment,
                           const hardware::noc::ExchangeNetwork& network) {
  AnalyticTime time;
  for (std::size_t node = 0; node < assignment.size(); ++node)
    time.computation += costs.seconds(node, assignment[node]);
  for (int level = 1; level <= volumes.levels(); ++level) {
    time.exchange += network.seconds(static_cast<std::size_t>(level), volumes.pair_bytes(level));
  }
  return time;
}

StepEnergy step_energy(const StepVolumes& volumes, const LayerCosts& costs, const search::Assignment& assignment,
                       const hardware::noc::ExchangeNetwork& network, const Machine& machine) {
  const EnergyConstants& constants = machine.energy;
  const auto accelerators = static_cast<double>(machine.accelerators());
  StepEnergy energy;
  for (std::size_t node = 0; node < assignment.size(); ++node) {
    for (const Phase phase : all_phases) {
      const PhaseCost& cost = costs.cost(node, assignment[node], phase);
      energy.arithmetic += accelerators * cost.macs * (constants.add + constants.multiply);
      energy.sram += accelerators * cost.sram_words * constants.sram_word;
      energy.dram += accelerators * cost.dram_words * constants.dram_word;
    }
  }
  energy.exchange = volumes.total() / machine.word * constants.dram_accesses_per_exchanged_word * constants.dram_word;
  for (int level = 1; level <= volumes.levels(); ++level) {
    energy.links +=
        network.link_bytes(static_cast<std::size_t>(level), volumes.pair_bytes(level)) * constants.link_byte;
  }
  return energy;
}

double memory_bytes(const workload::TrainingNetwork& network, const Machine& machine, std::int64_t batch,
                    const search::Assignment& assignment, Task task) {
  // Weights and feature maps, and the gradients and errors of training, which keeps all feature maps.
  const double copies = task == Task::training ? 2 : 1;
  double largest = 0;
  double words = 0;
  for (std::size_t n = 0; n < network.nodes.size(); ++n) {
    const workload::TrainingNode& node = network.nodes[n];
    if (!node.is_layer()) continue;
    const int model_levels = std::popcount(assignment[n]);
    const double batch_share = std::ldexp(static_cast<double>(batch), model_levels - machine.levels);
    words += copies * std::ldexp(static_cast<double>(node.weights), -model_levels);
    if (task == Task::training) words += copies * batch_share * static_cast<double>(node.output);
    largest = std::max(largest, batch_share * static_cast<double>(Count{node.input} + node.output));
  }
  if (task == Task::inference) words += largest;
  return words * machine.word;
}

}  // namespace pimsweep::systems::hypar
