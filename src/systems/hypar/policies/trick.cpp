#include "systems/hypar/policies/policies.h"

namespace pimsweep::systems::hypar {

namespace {

/// A junction keeps the split of the first tensor that reaches it.
Choice choose_trick(const PolicyInput& input) {
  Choice choice{search::Assignment(input.network.nodes.size(), search::State{0}), "rule"};
  auto transition = input.network.transitions.begin();
  for (std::size_t node = 0; node < choice.assignment.size(); ++node) {
    const auto first = transition;
    while (transition != input.network.transitions.end() && transition->to == node) ++transition;
    switch (input.network.nodes[node].kind) {
      case workload::TrainingNode::Kind::convolution:
        break;
      case workload::TrainingNode::Kind::fully_connected:
        choice.assignment[node] = search::all_model(input.levels);
        break;
      case workload::TrainingNode::Kind::junction:
        if (first != transition) choice.assignment[node] = choice.assignment[first->from];
        break;
    }
  }
  return choice;
}

}  // namespace

Policy trick_policy() {
  return {"trick",
          "one weird trick (Krizhevsky 2014): convolutions in data parallelism, fully connected layers in model "
          "parallelism",
          choose_trick};
}

}  // namespace pimsweep::systems::hypar
