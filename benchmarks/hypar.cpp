#include <benchmark/benchmark.h>

#include <string>

#include "systems/hypar/partition.h"
#include "workload/model_library.h"

// Searching a network's parallelism: HyPar's greedy partition and the global optimum (docs/hypar.md). Problem and
// solver are constructed again in every iteration, as for a design point.

namespace {

using namespace pimsweep::systems::hypar::search;
using namespace pimsweep::systems::hypar;
using namespace pimsweep;

const workload::TrainingNetwork& network_of(const std::string& model) {
  static const workload::ModelLibrary models("configs/models");
  static std::string last;
  static workload::TrainingNetwork network;
  if (last != model) {
    network = workload::training_network(models.graph(model, models.default_image_px(model)));
    last = model;
  }
  return network;
}

/// A network of `layers` layers, VGG-E's over and over, to see how time grows with their number.
workload::TrainingNetwork repeated(std::size_t layers) {
  const workload::TrainingNetwork& once = network_of("vgg-e");
  workload::TrainingNetwork network;
  for (std::size_t i = 0; i < layers; ++i) {
    network.nodes.push_back(once.nodes[i % once.nodes.size()]);
    if (i > 0) network.transitions.push_back({i - 1, i, network.nodes[i - 1].output});
  }
  return network;
}

void greedy(benchmark::State& state, const workload::TrainingNetwork& network, int levels) {
  const TensorBytes bytes(network, 256, 4, {});
  for (auto _ : state) {
    HierarchicalPartition partition;
    Assignment assignment;
    partition.run(network, bytes, levels, assignment);
    benchmark::DoNotOptimize(assignment.data());
  }
  state.counters["layers"] = static_cast<double>(network.layers());
}

void optimum(benchmark::State& state, const workload::TrainingNetwork& network, int levels) {
  const TensorBytes bytes(network, 256, 4, {});
  const CostTables tables(levels, pairs_of_levels(levels), {});
  for (auto _ : state) {
    AssignmentProblem problem;
    Assignment assignment;
    state_problem(network, bytes, tables, {}, problem);
    benchmark::DoNotOptimize(AssignmentSolver().solve(problem, assignment));
  }
  state.counters["layers"] = static_cast<double>(network.layers());
}

void hypar_of(benchmark::State& state, const std::string& model, int levels) {
  greedy(state, network_of(model), levels);
}
void optimum_of(benchmark::State& state, const std::string& model, int levels) {
  optimum(state, network_of(model), levels);
}
void hypar_repeated(benchmark::State& state) {
  greedy(state, repeated(static_cast<std::size_t>(state.range(0))), 4);
  state.SetComplexityN(state.range(0));
}
void optimum_repeated(benchmark::State& state) {
  optimum(state, repeated(static_cast<std::size_t>(state.range(0))), 4);
  state.SetComplexityN(state.range(0));
}

BENCHMARK_CAPTURE(hypar_of, vgg_e_16, "vgg-e", 4);
BENCHMARK_CAPTURE(optimum_of, vgg_e_16, "vgg-e", 4);
BENCHMARK_CAPTURE(hypar_of, vgg_e_256, "vgg-e", 8);
BENCHMARK_CAPTURE(optimum_of, vgg_e_256, "vgg-e", 8)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(hypar_of, resnet_50_16, "resnet-50", 4)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(optimum_of, resnet_50_16, "resnet-50", 4)->Unit(benchmark::kMillisecond);
BENCHMARK(hypar_repeated)->RangeMultiplier(4)->Range(19, 4864)->Complexity(benchmark::oN);
BENCHMARK(optimum_repeated)->RangeMultiplier(4)->Range(19, 4864)->Complexity(benchmark::oN);

}  // namespace

BENCHMARK_MAIN();
