#include "flow_simulation.h"

#include <algorithm>
#include <limits>

namespace pimsweep::hardware::noc {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

struct Flow {
  TaskId task = 0;
  std::size_t from = 0;
  std::size_t to = 0;
  double left = 0;
  double rate = 0;
};

/// Raises all rates together; whenever a link is full its flows stay.
void share(const FlowNetwork& network, std::vector<Flow>& flows) {
  std::vector<double> used(network.bandwidth.size(), 0.0);
  std::vector<bool> rising(flows.size(), true);
  double rate = 0;
  while (std::ranges::count(rising, true) > 0) {
    std::vector<double> rise(network.bandwidth.size(), 0.0);
    for (std::size_t f = 0; f < flows.size(); ++f) {
      if (!rising[f]) continue;
      for (const FlowNetwork::Hop& hop : network.routes[flows[f].from][flows[f].to]) rise[hop.link] += hop.part;
    }
    double step = never;
    for (std::size_t link = 0; link < used.size(); ++link) {
      if (rise[link] > 0) step = std::min(step, (network.bandwidth[link] - used[link]) / rise[link]);
    }
    rate += step;
    for (std::size_t link = 0; link < used.size(); ++link) used[link] += step * rise[link];
    for (std::size_t f = 0; f < flows.size(); ++f) {
      for (const FlowNetwork::Hop& hop : network.routes[flows[f].from][flows[f].to]) {
        if (!rising[f] || used[hop.link] < network.bandwidth[hop.link] * (1 - 1e-12)) continue;
        rising[f] = false;
        flows[f].rate = rate;
      }
    }
  }
}

}  // namespace

std::size_t FlowNetwork::link(std::size_t from, std::size_t to, double bytes_per_second) {
  const auto [place, added] = links.try_emplace({from, to}, bandwidth.size());
  if (added) bandwidth.push_back(bytes_per_second);
  return place->second;
}

FlowNetwork tree_of_switches(std::size_t levels, double leaf_bandwidth) {
  FlowNetwork network;
  network.accelerators = std::size_t{1} << levels;
  network.routes.assign(network.accelerators, std::vector<std::vector<FlowNetwork::Hop>>(network.accelerators));
  // Vertices as in a binary heap: the root is 1, the accelerators come last.
  for (std::size_t from = 0; from < network.accelerators; ++from) {
    for (std::size_t to = 0; to < network.accelerators; ++to) {
      double bandwidth = leaf_bandwidth;
      std::vector<FlowNetwork::Hop>& route = network.routes[from][to];
      for (std::size_t a = network.accelerators + from, b = network.accelerators + to; a != b; a /= 2, b /= 2) {
        route.push_back({network.link(a, a / 2, bandwidth)});
        route.push_back({network.link(b / 2, b, bandwidth)});
        bandwidth *= 2;
      }
    }
  }
  return network;
}

FlowNetwork torus_of_nodes(std::size_t levels, double bandwidth, TorusRouting routing, TorusMapping mapping) {
  const auto rows = std::size_t{1} << (levels + 1) / 2;
  const auto cols = std::size_t{1} << levels / 2;
  // The index of the accelerator at each place.
  const auto index = [&](std::size_t row, std::size_t col) {
    if (mapping == TorusMapping::row_major) return row * cols + col;
    std::size_t result = 0;
    // From the last bit up: with an odd number of levels the last one is a row bit.
    bool row_bit = levels % 2 == 1;
    for (std::size_t bit = 0; bit < levels; ++bit, row_bit = !row_bit) {
      std::size_t& from = row_bit ? row : col;
      result |= (from % 2) << bit;
      from /= 2;
    }
    return result;
  };
  FlowNetwork network;
  network.accelerators = rows * cols;
  network.routes.assign(rows * cols, std::vector<std::vector<FlowNetwork::Hop>>(rows * cols));
  for (std::size_t from = 0; from < rows * cols; ++from) {
    for (std::size_t to = 0; to < rows * cols; ++to) {
      const std::size_t to_row = to / cols;
      const std::size_t to_col = to % cols;
      std::size_t row = from / cols;
      std::size_t col = from % cols;
      std::vector<FlowNetwork::Hop>& route = network.routes[index(row, col)][index(to_row, to_col)];
      const auto go = [&](std::size_t& at, std::size_t target, std::size_t length) {
        const std::size_t up = (target + length - at) % length;
        const std::size_t down = (at + length - target) % length;
        const std::size_t start = at;
        const auto round = [&](std::size_t step, double part) {
          for (at = start; at != target;) {
            const std::size_t here = index(row, col);
            at = (at + step) % length;
            route.push_back({network.link(here, index(row, col), bandwidth), part});
          }
        };
        if (up == down && routing == TorusRouting::balanced) {
          round(1, 0.5);
          round(length - 1, 0.5);
        } else {
          round(up <= down ? 1 : length - 1, 1);
        }
      };
      go(row, to_row, rows);
      go(col, to_col, cols);
    }
  }
  return network;
}

std::vector<std::vector<double>> simulate_flows(const FlowNetwork& network, std::size_t levels,
                                                const StepProgram& program) {
  const std::size_t all = network.accelerators;
  std::vector<std::vector<double>> ends(program.size(), std::vector<double>(all, never));
  // Of each task on each accelerator: has it begun, and for exchanges: have its bytes been sent.
  std::vector<std::vector<bool>> begun(program.size(), std::vector<bool>(all, false));
  std::vector<std::vector<bool>> sent(program.size(), std::vector<bool>(all, false));
  std::vector<Flow> flows;
  std::vector<double> busy_until(all, never);
  std::vector<TaskId> computing(all, 0);

  const auto counterpart = [&](TaskId task, std::size_t accelerator) {
    return accelerator ^ (std::size_t{1} << (levels - program[task].level));
  };
  double now = 0;
  while (true) {
    for (TaskId task = 0; task < program.size(); ++task) {
      for (std::size_t a = 0; a < all; ++a) {
        if (begun[task][a]) continue;
        const bool ready =
            std::ranges::all_of(program.after(task), [&](TaskId early) { return ends[early][a] <= now; });
        if (!ready) continue;
        if (program[task].is_computation()) {
          if (busy_until[a] != never) continue;
          busy_until[a] = now + program[task].amount;
          computing[a] = task;
        } else {
          const double bytes = program[task].amount / static_cast<double>(2 * (all >> program[task].level));
          flows.push_back({task, a, counterpart(task, a), bytes});
        }
        begun[task][a] = true;
      }
    }
    share(network, flows);
    double next = std::ranges::min(busy_until);
    for (const Flow& flow : flows) next = std::min(next, now + flow.left / flow.rate);
    if (next == never) break;
    const double until = next * (1 + 1e-10);
    for (std::size_t a = 0; a < all; ++a) {
      if (busy_until[a] > until) continue;
      ends[computing[a]][a] = next;
      busy_until[a] = never;
    }
    std::vector<Flow> going;
    for (Flow& flow : flows) {
      if (now + flow.left / flow.rate > until) {
        flow.left -= flow.rate * (next - now);
        going.push_back(flow);
        continue;
      }
      sent[flow.task][flow.from] = true;
      if (!sent[flow.task][flow.to]) continue;
      ends[flow.task][flow.from] = ends[flow.task][flow.to] = next;
    }
    flows = going;
    now = next;
  }
  return ends;
}

}  // namespace pimsweep::hardware::noc
