#include "systems/pimflow/planning.h"

#include <limits>

#include "systems/pimflow/pipeline.h"
#include "systems/pimflow/search/cover.h"

namespace pimsweep::systems::pimflow {

namespace {

/// Position of each node in Algorithm 1: its number, or next to the other nodes of its chain.
std::vector<std::size_t> places(const Network& network, Order order) {
  std::vector<std::size_t> place(network.size());
  if (order == Order::topological) {
    for (std::size_t i = 0; i < network.size(); ++i) place[i] = i;
    return place;
  }
  std::vector<std::optional<std::size_t>> next(network.size());
  for (std::size_t i = 0; i < network.size(); ++i) {
    if (network[i].follows) next[*network[i].follows] = i;
  }
  std::size_t free = 0;
  for (std::size_t i = 0; i < network.size(); ++i) {
    if (network[i].follows) continue;
    for (std::optional<std::size_t> node = i; node; node = next[*node]) place[*node] = free++;
  }
  return place;
}

Usage share_of(const Usage& usage, double share) {
  return {usage.seconds * share,    usage.gpu_busy * share,       usage.pim_busy * share, usage.gpu_joules * share,
          usage.pim_joules * share, usage.gpu_operations * share, usage.gpu_bytes * share};
}

void choose(Plan& plan, Pipeline& pipeline, const PolicyInput& input) {
  pipeline.chosen = true;
  for (const std::size_t node : pipeline.nodes) {
    Decision& decision = plan.decisions[node];
    decision.usage = share_of(pipeline.usage, decision.usage.seconds / pipeline.apart);
    decision.merged_seconds = input.costs.kernels().merged(input.network[node], false).seconds;
    decision.mode = Mode::pipeline;
    decision.gpu_rows = 0;
  }
}

Plan decide_nodes(const PolicyInput& input, const Decide& decide) {
  Plan plan;
  plan.decisions.reserve(input.network.size());
  for (const Node& node : input.network)
    plan.decisions.push_back(node.repeats ? plan.decisions[*node.repeats] : decide(node));
  return plan;
}

void add_up(Plan& plan) {
  for (const Decision& decision : plan.decisions) plan.total += decision.usage;
}

/// All pipelines of the network that can run, each with the fastest number of stages.
std::vector<Pipeline> fastest_pipelines(const PolicyInput& input, const Plan& plan, StageRange range) {
  std::vector<Pipeline> pipelines;
  for (Pipeline& pipeline : find_pipelines(input.network, input.costs)) {
    pipeline.usage.seconds = std::numeric_limits<double>::infinity();
    for (std::int64_t stages = range.min; stages <= range.max; ++stages) {
      const std::optional<Usage> usage = pipeline_usage(input.costs, input.network, pipeline.nodes, stages);
      if (!usage || usage->seconds >= pipeline.usage.seconds) continue;
      pipeline.usage = *usage;
      pipeline.stages = stages;
    }
    for (const std::size_t node : pipeline.nodes) pipeline.apart += plan.decisions[node].usage.seconds;
    if (pipeline.stages > 0) pipelines.push_back(std::move(pipeline));
  }
  return pipelines;
}

}  // namespace

Plan one_by_one(const PolicyInput& input, const Decide& decide) {
  Plan plan = decide_nodes(input, decide);
  add_up(plan);
  return plan;
}

Plan with_pipelines(const PolicyInput& input, const Decide& decide, StageRange stages, Order order) {
  Plan plan = decide_nodes(input, decide);
  plan.pipelines = fastest_pipelines(input, plan, stages);
  const std::vector<std::size_t> place = places(input.network, order);
  std::vector<double> single(place.size());
  for (std::size_t i = 0; i < place.size(); ++i) single[place[i]] = plan.decisions[i].usage.seconds;
  std::vector<search::Group> groups;
  for (const Pipeline& pipeline : plan.pipelines) {
    const std::size_t first = place[pipeline.nodes.front()];
    const std::size_t last = place[pipeline.nodes.back()];
    // In topological order other nodes may lie between them: Algorithm 1 cannot take such a group.
    const bool adjacent = last - first + 1 == pipeline.nodes.size();
    groups.push_back({first, adjacent ? pipeline.nodes.size() : 0, pipeline.usage.seconds});
  }
  for (const std::size_t taken : search::best_cover(single, groups)) choose(plan, plan.pipelines[taken], input);
  add_up(plan);
  return plan;
}

}  // namespace pimsweep::systems::pimflow
