#include <fmt/format.h>

#include <span>

#include "base/downward.h"
#include "systems/hypar/step.h"

namespace pimsweep::systems::hypar {

namespace {

class Writer {
 public:
  Writer(const workload::TrainingNetwork& network, const StepVolumes& volumes, const LayerCosts& costs,
         const search::Assignment& assignment, hardware::noc::StepProgram& program, std::vector<TaskName>* names)
      : network_(network),
        volumes_(volumes),
        costs_(costs),
        assignment_(assignment),
        program_(program),
        names_(names),
        inputs_(network.nodes.size()),
        outputs_(network.nodes.size()),
        forward_done_(network.nodes.size()),
        error_done_(network.nodes.size()) {
    for (std::size_t t = 0; t < network.transitions.size(); ++t) {
      inputs_[network.transitions[t].to].push_back(t);
      outputs_[network.transitions[t].from].push_back(t);
    }
  }

  void write() {
    program_.clear();
    if (names_ != nullptr) names_->clear();
    for (std::size_t node = 0; node < network_.nodes.size(); ++node) forward(node);
    if (volumes_.task() == Task::inference) return;
    for (const std::size_t node : downward(network_.nodes.size())) backward(node);
  }

 private:
  void forward(std::size_t node) {
    waits_.clear();
    for (const std::size_t t : inputs_[node]) {
      hardware::noc::TaskId task = forward_done_[network_.transitions[t].from];
      for (int level = 1; level <= volumes_.levels(); ++level) {
        task = exchange(level, volumes_.forward(t, level), task, node, "F converted");
      }
      waits_.push_back(task);
    }
    hardware::noc::TaskId task = compute(node, Phase::forward, "forward");
    for (int level = volumes_.levels(); level >= 1; --level) {
      task = exchange(level, volumes_.features(node, level), task, node, "F summed");
    }
    forward_done_[node] = task;
  }

  void backward(std::size_t node) {
    waits_.clear();
    for (const std::size_t t : outputs_[node]) {
      hardware::noc::TaskId task = error_done_[network_.transitions[t].to];
      for (int level = 1; level <= volumes_.levels(); ++level) {
        task = exchange(level, volumes_.backward(t, level), task, node, "E converted");
      }
      waits_.push_back(task);
    }
    if (waits_.empty()) waits_.push_back(forward_done_[node]);
    error_done_[node] = compute(node, Phase::error, "error");
    if (!network_.nodes[node].is_layer()) return;
    hardware::noc::TaskId task = compute(node, Phase::gradient, "gradient");
    for (int level = volumes_.levels(); level >= 1; --level) {
      task = exchange(level, volumes_.gradient(node, level), task, node, "dW summed");
    }
  }

  hardware::noc::TaskId compute(std::size_t node, Phase phase, std::string_view what) {
    name(node, what);
    return program_.add_computation(costs_.cost(node, assignment_[node], phase).seconds,
                                    std::span<const hardware::noc::TaskId>(waits_));
  }

  /// The task itself if there is nothing to exchange.
  hardware::noc::TaskId exchange(int level, double bytes, hardware::noc::TaskId after, std::size_t node,
                                 std::string_view what) {
    if (bytes == 0) return after;
    name(node, what);
    return program_.add_exchange(static_cast<std::size_t>(level), bytes, {after});
  }

  void name(std::size_t node, std::string_view what) {
    if (names_ != nullptr) names_->push_back({what, node});
  }

  const workload::TrainingNetwork& network_;
  const StepVolumes& volumes_;
  const LayerCosts& costs_;
  const search::Assignment& assignment_;
  hardware::noc::StepProgram& program_;
  std::vector<TaskName>* names_;
  /// Transitions into and out of each node.
  std::vector<std::vector<std::size_t>> inputs_, outputs_;
  /// The task after which a node's F_{l+1} (its E_l) is there.
  std::vector<hardware::noc::TaskId> forward_done_, error_done_;
  std::vector<hardware::noc::TaskId> waits_;
};

}  // namespace

void write_step_program(const workload::TrainingNetwork& network, const StepVolumes& volumes, const LayerCosts& costs,
                        const search::Assignment& assignment, hardware::noc::StepProgram& program,
                        std::vector<TaskName>* names) {
  Writer(network, volumes, costs, assignment, program, names).write();
}

}  // namespace pimsweep::systems::hypar
