#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "systems/llm/schedule/chain.h"
#include "systems/llm/schedule/channels.h"
#include "systems/llm/schedule/experts.h"
#include "systems/llm/schedule/two_batches.h"
#include "systems/llm/schedule/two_jobs.h"

// The solvers of systems/llm/schedule on problems of the size of a 70B model: 80 blocks, 256 sequences. Each benchmark
// solves as many random machines as its counter says; "median_us" and "max_us" are those of one machine.

namespace {

using namespace pimsweep::systems::llm::schedule;

constexpr std::size_t instances = 40;

/// A GPU with PIM, in seconds and bytes per second; sampled around published ones.
struct Machine {
  double card_bandwidth;
  double card_operations;
  double pim_bandwidth;
  double link_bandwidth;
  double launch;
};

Machine random_machine(std::mt19937& random) {
  const auto between = [&](double low, double high) {
    return low * std::pow(high / low, std::uniform_real_distribution<double>(0, 1)(random));
  };
  return {between(1e12, 4e12), between(1e14, 1e15), between(4e12, 4e13), between(2e10, 1e12), between(1e-6, 8e-6)};
}

std::vector<double> by_rows(std::size_t rows, const auto& seconds) {
  std::vector<double> table;
  for (std::size_t r = 0; r <= rows; ++r) table.push_back(seconds(static_cast<double>(r)));
  return table;
}

/// An eighth of a decoding block of a 70B model: GEMM, attention, three GEMMs.
StepProblem decode_step(const Machine& machine, std::size_t rows, double context) {
  StepProblem problem{.operators = 5, .blocks = 80, .rows = rows};
  problem.moves.resize(problem.operators);
  const double hidden = 8192;
  const std::vector<double> columns{1280, 0, 1024, 7168, 3584};
  for (std::size_t op = 0; op < problem.operators; ++op) {
    const double weights = hidden * columns[op];
    const double cache_of_row = op == 1 ? 2 * 128 * context : 0;
    const auto bytes = [=](double r) { return 2 * weights + 2 * cache_of_row * r; };
    const auto gpu = [=](double r) {
      const double operations = 2 * r * (weights + 8 * cache_of_row);
      // Tiles of 64 rows.
      const double padded = weights > 0 ? operations * std::ceil(r / 64) * 64 / std::max(r, 1.0) : operations;
      return machine.launch + std::max(bytes(r) / machine.card_bandwidth, padded / machine.card_operations);
    };
    // PIM reads the weights again for each row.
    const auto pim = [=](double r) { return 1e-6 + r * (2 * weights + 2 * cache_of_row) / machine.pim_bandwidth; };
    problem.ways.push_back({op, op + 1, Side::gpu, Side::gpu, {{gpu_only, by_rows(rows, gpu)}}});
    problem.ways.push_back({op, op + 1, Side::pim, Side::pim, {{pim_only, by_rows(rows, pim)}}});
    const double activations = op == 1 ? 1280 : hidden / 8;
    const auto move = [=](double r) { return r > 0 ? 1e-6 + 2 * r * activations / machine.link_bandwidth : 0; };
    problem.moves[op] = {by_rows(rows, move), by_rows(rows, move)};
    if (weights == 0) continue;
    // Columns on both sides, so that they end together.
    const auto split = [=](double r) {
      return r > 0 ? machine.launch + 1 / (1 / (gpu(r) - machine.launch) + 1 / pim(r)) : 0;
    };
    problem.ways.push_back(
        {op, op + 1, Side::gpu, Side::gpu, {{link_only, by_rows(rows, move)}, {both_sides, by_rows(rows, split)}}});
  }
  return problem;
}

std::vector<StepProblem> decode_steps() {
  std::mt19937 random(1);
  std::vector<StepProblem> problems;
  for (std::size_t i = 0; i < instances; ++i) {
    problems.push_back(decode_step(random_machine(random), 256, std::pow(2, 9 + i % 6)));
  }
  return problems;
}

/// Solves all instances in each iteration and reports the times of single ones, as processor time of this process.
template <typename Instance, typename Solve>
void solve_all(benchmark::State& state, const std::vector<Instance>& all, const Solve& solve) {
  std::vector<double> seconds(all.size(), 0);
  for (auto _ : state) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::clock_t begin = std::clock();
      benchmark::DoNotOptimize(solve(all[i]));
      seconds[i] += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    }
  }
  for (double& one : seconds) one *= 1e6 / static_cast<double>(state.iterations());
  std::ranges::sort(seconds);
  state.counters["instances"] = static_cast<double>(all.size());
  state.counters["median_us"] = seconds[seconds.size() / 2];
  state.counters["max_us"] = seconds.back();
}

void two_batches(benchmark::State& state) {
  std::size_t unproven = 0;
  solve_all(state, decode_steps(), [&](const StepProblem& problem) {
    const TwoBatchSchedule schedule = solve_two_batches(problem);
    unproven += schedule.proven ? 0 : 1;
    return schedule.seconds;
  });
  state.counters["unproven"] = static_cast<double>(unproven) / static_cast<double>(state.iterations());
}

/// With the time of one batch as the cutoff.
void two_batches_below_one(benchmark::State& state) {
  solve_all(state, decode_steps(), [&](const StepProblem& problem) {
    return solve_two_batches(problem, {.cutoff = solve_chain(problem, problem.rows).seconds}).seconds;
  });
}

void one_batch(benchmark::State& state) {
  solve_all(state, decode_steps(),
            [](const StepProblem& problem) { return solve_chain(problem, problem.rows).seconds; });
}

/// The two jobs of the best two sub-batches.
void two_jobs(benchmark::State& state) {
  std::vector<TwoBatchSchedule> schedules;
  for (const StepProblem& problem : decode_steps()) schedules.push_back(solve_two_batches(problem));
  TwoJobSolver solver{Conflicts()};
  solve_all(state, schedules,
            [&](const TwoBatchSchedule& best) { return solver.solve(best.jobs[0], best.jobs[1]).value_or(0); });
}

/// 128 experts, eight for each of 256 tokens, by Zipf's law with exponents 0 to 1.5; as classes of equal numbers of
/// tokens.
std::vector<std::vector<ExpertClass>> routed_experts() {
  std::mt19937 random(2);
  std::vector<std::vector<ExpertClass>> all;
  for (std::size_t i = 0; i < instances; ++i) {
    std::vector<double> shares;
    for (int e = 1; e <= 128; ++e) shares.push_back(std::pow(e, -1.5 * static_cast<double>(i) / instances));
    std::discrete_distribution<std::size_t> expert(shares.begin(), shares.end());
    std::vector<std::size_t> tokens(128, 0);
    for (int t = 0; t < 256 * 8; ++t) ++tokens[expert(random)];
    std::vector<std::size_t> experts(*std::ranges::max_element(tokens) + 1, 0);
    for (const std::size_t count : tokens) ++experts[count];
    std::vector<ExpertClass>& classes = all.emplace_back();
    for (std::size_t count = 1; count < experts.size(); ++count) {
      const auto t = static_cast<double>(count);
      if (experts[count] > 0) classes.push_back({20 + 0.1 * t + 2 * std::ceil(t / 16), 3 + 2.1 * t, experts[count]});
    }
  }
  return all;
}

void experts(benchmark::State& state) {
  solve_all(state, routed_experts(),
            [](const std::vector<ExpertClass>& classes) { return split_experts(classes).seconds; });
}

/// 256 requests of log-normal lengths on 32 channels.
void channels(benchmark::State& state) {
  std::mt19937 random(3);
  std::vector<std::vector<double>> all;
  for (std::size_t i = 0; i < instances; ++i) {
    std::lognormal_distribution<double> length(6, 0.3 + 0.02 * static_cast<double>(i));
    std::vector<double>& requests = all.emplace_back();
    for (int r = 0; r < 256; ++r) requests.push_back(std::ceil(length(random)));
  }
  double largest_gap = 0;
  solve_all(state, all, [&](const std::vector<double>& requests) {
    const ChannelAssignment assignment = assign_channels(requests, 32);
    largest_gap = std::max(largest_gap, assignment.gap());
    return assignment.seconds;
  });
  state.counters["largest_gap"] = largest_gap;
}

BENCHMARK(two_batches)->Unit(benchmark::kMillisecond);
BENCHMARK(two_batches_below_one)->Unit(benchmark::kMillisecond);
BENCHMARK(one_batch)->Unit(benchmark::kMillisecond);
BENCHMARK(two_jobs)->Unit(benchmark::kMillisecond);
BENCHMARK(experts)->Unit(benchmark::kMillisecond);
BENCHMARK(channels)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
