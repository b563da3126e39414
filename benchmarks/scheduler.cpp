#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "systems/allspark/scheduler/schedule_problem.h"
#include "systems/allspark/scheduler_instances.h"

// Every model family and size at one image size, each with several node memories. One iteration solves them all; the
// counters report single instances (mean processor time over the iterations).

namespace {

using namespace pimsweep::systems::allspark::scheduler;
using namespace pimsweep::systems::allspark;
using namespace pimsweep;

std::vector<ScheduleProblem> problems(std::int64_t px) {
  std::vector<ScheduleProblem> all;
  for (const NamedShape& model : model_shapes(px)) {
    for (const std::int64_t memory : memories_worth_trying(model)) {
      all.push_back(plausible_problem(model.stages, model.nodes_per_side, memory));
    }
  }
  return all;
}

/// Four stages as large as the largest at 960 px, each with the schemes of a stage with 32 heads and 49 chunks of
/// patches: harder than any model.
std::vector<ScheduleProblem> oversized() {
  const std::vector<StageShape> stages{
      {128, 32, 2, 392, 1225}, {256, 32, 2, 392, 1225}, {512, 32, 18, 392, 1225}, {1024, 32, 2, 392, 1225}};
  std::vector<ScheduleProblem> all;
  for (const std::int64_t memory : memories_worth_trying({"oversized", 16, stages})) {
    all.push_back(plausible_problem(stages, 16, memory));
  }
  return all;
}

/// Processor time of this process in milliseconds; other processes on the machine do not count.
double cpu_ms() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

template <Schedule (*solve)(const ScheduleProblem&)>
void solve_all(benchmark::State& state, const std::vector<ScheduleProblem>& all) {
  std::vector<double> mean(all.size(), 0.0);
  for (auto _ : state) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double begin = cpu_ms();
      benchmark::DoNotOptimize(solve(all[i]));
      mean[i] += cpu_ms() - begin;
    }
  }
  for (double& time : mean) time /= static_cast<double>(state.iterations());
  std::ranges::sort(mean);
  state.counters["instances"] = static_cast<double>(mean.size());
  state.counters["median_ms"] = mean[mean.size() / 2];
  state.counters["max_ms"] = mean.back();
}

}  // namespace

int main(int argc, char** argv) {
  for (const std::int64_t px : {224, 640, 960}) {
    const std::string name = std::to_string(px) + "px";
    benchmark::RegisterBenchmark(("exact/" + name).c_str(), solve_all<solve_exact>, problems(px))
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("compact_milp/" + name).c_str(), solve_all<solve_compact_milp>, problems(px))
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::RegisterBenchmark("exact/oversized", solve_all<solve_exact>, oversized())->Unit(benchmark::kMillisecond);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
