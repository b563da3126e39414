#include "systems/heteropim/runtime/work_bound.h"

#include <algorithm>
#include <utility>

namespace pimsweep::systems::heteropim::runtime {

namespace {

/// Price of a second of each device.
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

/// The maximum of a concave function on [0, 1], approached from below by golden-section search.
template <typename Function>
double max_on_unit_interval(const Function& function) {
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

}  // namespace

double work_bound(const TaskGraph& graph, std::uint32_t pairs, std::uint32_t programmable) {
  // A second of several programmable PIMs counts as that many seconds of one.
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
  return max_on_unit_interval([&](double pairs_share) {
    return max_on_unit_interval([&](double host_share) { return bound(pairs_share, host_share); });
  });
}

}  // namespace pimsweep::systems::heteropim::runtime
