#include "systems/rtconc/scheduling.h"

#include <algorithm>

#include "systems/rtconc/schedule/list_scheduling.h"

namespace pimsweep::systems::rtconc {

namespace {

/// Pairs of types in which one slowed the other by more than `limit`, anywhere in the step.
std::vector<char> slowed_pairs(const schedule::Step& step, std::span<const schedule::OperationClass> classes,
                               const schedule::Outcome& outcome, double limit) {
  std::vector<char> pairs(std::size_t{step.kinds} * step.kinds, 0);
  std::vector<std::uint32_t> running;
  const auto slowed = [&](std::uint32_t operation) {
    const double seconds = outcome.end[operation] - outcome.start[operation];
    return seconds > (1 + limit) * outcome.cost[operation]->seconds;
  };
  const auto kind = [&](std::uint32_t operation) { return classes[step.operation_class[operation]].kind; };
  for (const schedule::Event& event : outcome.events) {
    if (!event.starts) {
      running.erase(std::find(running.begin(), running.end(), event.operation));
      continue;
    }
    for (const std::uint32_t other : running) {
      if (!slowed(event.operation) && !slowed(other)) continue;
      pairs[std::size_t{kind(event.operation)} * step.kinds + kind(other)] = 1;
      pairs[std::size_t{kind(other)} * step.kinds + kind(event.operation)] = 1;
    }
    running.push_back(event.operation);
  }
  return pairs;
}

}  // namespace

Scheduling::Scheduling(const PreparedStep& step, const Machine& machine)
    : step_(step), machine_(machine), board_(machine.cpu(), step.operations.step, step.operations.classes) {}

Setting Scheduling::recommended() const { return {1, static_cast<std::int64_t>(machine_.cpu().cores)}; }

schedule::Overheads Scheduling::overheads(double spinning_pool) const {
  return {.dispatch = machine_.dispatch, .spinning_pool = spinning_pool, .context_switch = machine_.context_switch};
}

std::shared_ptr<const schedule::CostTable> Scheduling::uniform_costs(std::int64_t intra, bool spins) {
  if (last_costs_ && last_intra_ == intra && last_spins_ == spins) return last_costs_;
  const schedule::Case only{static_cast<double>(intra), hardware::manycore::Affinity::compact};
  const auto known = std::ranges::find(step_.cases, only);
  if (known != step_.cases.end() && spins == machine_.spins) {
    const auto which = static_cast<std::size_t>(known - step_.cases.begin());
    last_costs_ = std::make_shared<const schedule::CostTable>(*step_.costs, which);
  } else {
    const std::vector<schedule::OperationClass>& classes = step_.operations.classes;
    last_costs_ = std::make_shared<const schedule::CostTable>(
        machine_.cpu(), spins ? schedule::spinning(classes) : classes, std::span(&only, 1));
  }
  last_intra_ = intra;
  last_spins_ = spins;
  return last_costs_;
}

// Each thread of the executor has its own OpenMP team.
Scheduled Scheduling::uniform(const Setting& setting, bool spins) {
  Scheduled result;
  result.setting = setting;
  result.costs = uniform_costs(setting.intra, spins);
  schedule::Uniform policy(*result.costs, static_cast<std::size_t>(setting.inter));
  result.outcome =
      schedule::simulate(board_, policy, overheads(spins ? static_cast<double>(setting.inter * setting.intra) : 0));
  return result;
}

Scheduled Scheduling::strategies(const schedule::StrategySet& set, const PerformanceModel& model,
                                 std::span<const schedule::OperationClass> classes, double avoided_slowdown) {
  schedule::Overheads paid = overheads(machine_.spins ? machine_.cpu().cores : 0);
  paid.changes = true;
  schedule::Strategies policy(*step_.costs, model.prediction, classes, set);
  Scheduled result;
  result.outcome = schedule::simulate(board_, policy, paid);
  if (avoided_slowdown == 0 || !set.co_run) return result;
  const schedule::Step& step = step_.operations.step;
  policy.avoid(slowed_pairs(step, classes, result.outcome, avoided_slowdown), step.kinds);
  result.outcome = schedule::simulate(board_, policy, paid);
  return result;
}

Scheduled Scheduling::moldable() {
  Scheduled best;
  // Teams of all sizes are kept, so that changes of concurrency cost nothing.
  const schedule::Overheads paid = overheads(machine_.spins ? machine_.cpu().cores : 0);
  for (const double price : {0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0}) {
    for (const double room : {1.0, 1.5, 2.0, 4.0}) {
      schedule::Moldable policy(*step_.costs, price, room);
      const std::vector<double> priorities = policy.priorities(step_.operations.step);
      const schedule::Outcome& outcome = schedule::simulate(board_, policy, paid, priorities);
      if (best.outcome.cost.empty() || outcome.seconds < best.outcome.seconds) best.outcome = outcome;
    }
  }
  return best;
}

}  // namespace pimsweep::systems::rtconc
