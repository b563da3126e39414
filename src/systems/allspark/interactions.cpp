#include "systems/allspark/interactions.h"

#include <algorithm>

namespace pimsweep::systems::allspark {

namespace {

std::vector<placement::LayerShape> layer_shapes(ModelCosts& costs, std::size_t stage, const std::vector<Layers>& groups,
                                                std::int64_t branches) {
  std::vector<placement::LayerShape> shapes;
  for (const Layers& group : groups) {
    const std::int64_t capacity = costs.cost(stage, group.partition).capacity;
    for (std::int64_t layer = 0; layer < group.layers; ++layer) {
      const std::int64_t taken = std::min(branches, capacity);
      branches -= taken;
      shapes.push_back({group.partition.head_split, group.partition.patch_split, taken});
    }
  }
  return shapes;
}

placement::InteractionNetwork network_of(const Machine& machine) {
  placement::InteractionNetwork network{machine.node_rows, machine.node_cols, machine.word_bytes, machine.packets(),
                                        machine.router()};
  // All partners of a branch wait for its data. If nodes served their partners sequentially, many would send to the
  // same partner at the same time.
  network.format.in_turn = true;
  return network;
}

StageInteraction place(const placement::PlacementProblem& problem, const PlacementOptions& options, Fidelity fidelity,
                       const placement::InteractionNetwork& network, placement::ExchangeCache& cache) {
  const placement::Binding& binding = cache.binding(problem, *options.method, options.seed);
  const placement::InteractionTraffic traffic(problem, binding, network, options.route);
  StageInteraction result;
  result.dependences = static_cast<std::int64_t>(boost::num_edges(problem.transfers));
  result.hops_of_word = placement::hops_of_word(problem, binding);
  result.hops_of_dependence = placement::hops_of_dependence(problem, binding);
  result.bytes = traffic.bytes();
  result.byte_hops = traffic.byte_hops();
  result.handover_byte_hops = traffic.handover_byte_hops();
  result.busiest_link_bytes = traffic.busiest_link_bytes();
  result.cycles =
      fidelity == Fidelity::cycle ? cache.simulated_cycles(traffic, options.max_flit_hops) : traffic.estimated_cycles();
  for (const std::size_t slot : binding) result.places.push_back(problem.slots[slot]);
  return result;
}

}  // namespace

std::vector<StageInteraction> place_interactions(ModelCosts& costs, const Decision& decision,
                                                 const PlacementOptions& options, Fidelity fidelity,
                                                 placement::ExchangeCache& cache) {
  const Machine& machine = costs.machine();
  const placement::InteractionNetwork network = network_of(machine);
  std::vector<StageInteraction> interactions;
  for (std::size_t stage = 0; stage < decision.stages.size(); ++stage) {
    for (const workload::EncoderBlocks& blocks : costs.stage(stage).blocks) {
      if (blocks.interaction.times == 0) continue;
      const placement::PlacementProblem problem = placement::make_problem(
          workload::branch_transfers(costs.stage(stage), blocks),
          layer_shapes(costs, stage, decision.stages[stage], blocks.branches), machine.node_rows, machine.node_cols);
      StageInteraction& result = interactions.emplace_back(place(problem, options, fidelity, network, cache));
      result.stage = stage;
      result.kind = blocks.kind;
      result.times = blocks.interaction.times;
      const workload::TransformerStage& shape = costs.stage(stage);
      const double words_per_cycle = static_cast<double>(network.format.flit_bytes) / machine.word_bytes;
      result.ideal_share =
          static_cast<double>(machine.pes()) / words_per_cycle /
          ((4 + 2 * shape.mlp_ratio) * static_cast<double>(shape.channels) + 2 * static_cast<double>(blocks.tokens));
    }
  }
  return interactions;
}

}  // namespace pimsweep::systems::allspark
