#include "systems/heteropim/runtime/policy.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "systems/policy_list.h"

namespace pimsweep::systems::heteropim::runtime {

namespace {

double fastest(const Task& task, std::uint32_t pairs) {
  if (task.kind == TaskKind::none) return 0;
  double seconds = std::min(task.host, task.programmable);
  if (pairs > 0 && task.pairs > 0) {
    const double phases = std::min(task.phases_on_host, task.phases_on_programmable);
    seconds = std::min(seconds, std::max(task.pair_work / std::min(task.pairs, pairs), task.streaming) + phases);
  }
  return seconds;
}

/// What a second of each device costs.
struct Prices {
  double host;
  double programmable;
  double pairs;
};

double cheapest(const Task& task, const Prices& price, std::uint32_t pairs) {
  double cost = std::min(price.host * task.host, price.programmable * task.programmable);
  if (task.pairs == 0 || pairs == 0) return cost;
  const double phases = std::min(price.host * task.phases_on_host, price.programmable * task.phases_on_programmable);
  return std::min(cost, price.pairs * task.pair_work / pairs + phases);
}

/// The largest value of a concave function on [0, 1], by golden sections: a value that it has, at least.
template <typename Function>
double largest(const Function& function) {
  constexpr int sections = 14;
  constexpr double ratio = 0.6180339887498949;
  double low = 0;
  double high = 1;
  double left = high - ratio * (high - low);
  double right = low + ratio * (high - low);
  double at_left = function(left);
  double at_right = function(right);
  for (int i = 0; i < sections; ++i) {
    if (at_left < at_right) {
      low = std::exchange(left, right);
      at_left = at_right;
      right = low + ratio * (high - low);
      at_right = function(right);
    } else {
      high = std::exchange(right, left);
      at_right = at_left;
      left = high - ratio * (high - low);
      at_left = function(left);
    }
  }
  return std::max(at_left, at_right);
}

std::vector<double> upward_ranks(const TaskGraph& graph, std::uint32_t pairs) {
  std::vector<double> rank(graph.size());
  for (std::uint32_t i = graph.size(); i-- > 0;) {
    double behind = 0;
    for (const std::uint32_t next : graph.after(i)) behind = std::max(behind, rank[next]);
    rank[i] = behind + fastest(graph.tasks[i], pairs);
  }
  return rank;
}

}  // namespace

const std::vector<Policy>& policies() {
  using Kind = Policy::Kind;
  static const std::vector<Policy> all{
      {Kind::cpu, "cpu", "every operation on the host, one after another"},
      {Kind::gpu, "gpu", "every operation on the graphics card; copies overlap with the step before"},
      {Kind::prog_pim, "prog-pim", "every operation on all programmable PIMs together, one after another"},
      {Kind::fixed_pim, "fixed-pim",
       "multiplications and additions on fixed-function PIM, all else on the host, one "
       "after another"},
      {Kind::hetero_pim, "hetero-pim",
       "candidates on PIM by the three principles, with recursive kernels (rc) and "
       "operation pipeline (op) if these are on"},
      {Kind::neurocube, "neurocube", "every operation on Neurocube, one after another"},
      {Kind::lookahead, "lookahead",
       "no candidates: operations in the order of their upward ranks, each where it ends "
       "first"},
  };
  return all;
}

const Policy& policy_named(std::string_view name) { return systems::policy_named(policies(), name); }

std::vector<std::uint32_t> program_order(const TaskGraph& graph) {
  std::vector<std::uint32_t> order(graph.size());
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

std::vector<std::uint32_t> by_upward_rank(const TaskGraph& graph, std::uint32_t pairs) {
  const std::vector<double> rank = upward_ranks(graph, pairs);
  std::vector<std::uint32_t> order = program_order(graph);
  std::ranges::stable_sort(order, std::greater{}, [&](std::uint32_t task) { return rank[task]; });
  return order;
}

double critical_path(const TaskGraph& graph, std::uint32_t pairs) {
  const std::vector<double> rank = upward_ranks(graph, pairs);
  return rank.empty() ? 0 : *std::ranges::max_element(rank);
}

double work_bound(const TaskGraph& graph, std::uint32_t pairs, std::uint32_t programmable) {
  // A second of several programmable PIMs is worth as many of their seconds.
  const double count = std::max(1U, programmable);
  const auto bound = [&](double pairs_share, double host_share) {
    const double rest = 1 - pairs_share;
    const Prices price{
        .host = rest * host_share, .programmable = rest * (1 - host_share) / count, .pairs = pairs_share};
    double sum = 0;
    for (const Task& task : graph.tasks) {
      if (task.kind != TaskKind::none) sum += cheapest(task, price, pairs);
    }
    return sum;
  };
  if (programmable == 0 && pairs == 0) return bound(0, 1);
  return largest(
      [&](double pairs_share) { return largest([&](double host_share) { return bound(pairs_share, host_share); }); });
}

}  // namespace pimsweep::systems::heteropim::runtime
