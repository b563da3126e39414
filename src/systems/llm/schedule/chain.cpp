#include "systems/llm/schedule/chain.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace pimsweep::systems::llm::schedule {

namespace {

constexpr std::size_t no_way = std::numeric_limits<std::size_t>::max();

std::size_t index(Side side) { return static_cast<std::size_t>(side); }

/// Shortest paths through a block, from data on one side before it.
struct BlockPaths {
  /// By operator and side: seconds until the data are there before it, and the way that left them (no_way: a move or
  /// the begin).
  std::vector<std::array<double, 2>> seconds;
  std::vector<std::array<std::size_t, 2>> way;
};

/// Ways in the order of their first operators, so that whatever leads to a way comes before it.
std::vector<std::size_t> in_order(const StepProblem& problem) {
  std::vector<std::size_t> order(problem.ways.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t w) { return problem.ways[w].first; });
  return order;
}

/// Seconds until data that are on either side before an operator are on `side`.
double arrival(const StepProblem& problem, const std::array<double, 2>& at, std::size_t before, Side side,
               std::size_t rows) {
  return std::min(at[index(side)], at[index(other(side))] + problem.move_seconds(before, side, rows));
}

BlockPaths paths_from(const StepProblem& problem, std::span<const std::size_t> order, Side begin, std::size_t rows) {
  BlockPaths paths;
  paths.seconds.assign(problem.operators + 1, {infinite, infinite});
  paths.way.assign(problem.operators + 1, {no_way, no_way});
  paths.seconds[0][index(begin)] = 0;
  for (const std::size_t w : order) {
    const Way& way = problem.ways[w];
    const double end = arrival(problem, paths.seconds[way.first], way.first, way.needs, rows) + way.seconds(rows);
    double& best = paths.seconds[way.last][index(way.leaves)];
    if (end >= best) continue;
    best = end;
    paths.way[way.last][index(way.leaves)] = w;
  }
  return paths;
}

/// The ways of a block that end on `side`, appended from the last to the first.
void append_backward(const StepProblem& problem, const BlockPaths& paths, Side side, std::size_t rows,
                     std::vector<std::size_t>& ways) {
  for (std::size_t end = problem.operators; end > 0;) {
    const std::size_t w = paths.way[end][index(side)];
    const Way& way = problem.ways[w];
    ways.push_back(w);
    end = way.first;
    const std::array<double, 2>& at = paths.seconds[end];
    const Side moved = other(way.needs);
    side = at[index(way.needs)] <= at[index(moved)] + problem.move_seconds(end, way.needs, rows) ? way.needs : moved;
  }
}

/// The shortest cover of a block whose data need no moves.
double relaxed_block(const StepProblem& problem, std::span<const std::size_t> order, std::size_t rows) {
  std::vector<double> least(problem.operators + 1, infinite);
  least[0] = 0;
  for (const std::size_t w : order) {
    const Way& way = problem.ways[w];
    least[way.last] = std::min(least[way.last], least[way.first] + way.seconds(rows));
  }
  return least.back();
}

}  // namespace

ChainSchedule solve_chain(const StepProblem& problem, std::size_t rows) {
  const std::vector<std::size_t> order = in_order(problem);
  const std::array<BlockPaths, 2> paths{paths_from(problem, order, Side::gpu, rows),
                                        paths_from(problem, order, Side::pim, rows)};
  // Seconds until the data are on either side after each block, and where they were before it.
  std::array<double, 2> after{0, infinite};
  std::vector<std::array<Side, 2>> from(problem.blocks);
  for (std::array<Side, 2>& source : from) {
    std::array<double, 2> next{infinite, infinite};
    for (const Side begin : all_sides) {
      for (const Side end : all_sides) {
        const double seconds = after[index(begin)] + paths[index(begin)].seconds.back()[index(end)];
        if (seconds >= next[index(end)]) continue;
        next[index(end)] = seconds;
        source[index(end)] = begin;
      }
    }
    after = next;
  }
  ChainSchedule schedule;
  schedule.lower_bound = static_cast<double>(problem.blocks) * relaxed_block(problem, order, rows);
  schedule.seconds = arrival(problem, after, problem.operators, Side::gpu, rows);
  if (schedule.seconds == infinite) return schedule;
  Side side = schedule.seconds == after[index(Side::gpu)] ? Side::gpu : Side::pim;
  for (auto source = from.rbegin(); source != from.rend(); ++source) {
    const Side begin = (*source)[index(side)];
    append_backward(problem, paths[index(begin)], side, rows, schedule.ways);
    side = begin;
  }
  std::ranges::reverse(schedule.ways);
  return schedule;
}

}  // namespace pimsweep::systems::llm::schedule
