// Time that a design point waits for its model: benchmark_workload, run from the source directory.
#include <benchmark/benchmark.h>

#include "workload/model_library.h"

namespace pimsweep::workload {

namespace {

const ModelLibrary& library() {
  static const ModelLibrary models("configs/models");
  return models;
}

void read_library(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(ModelLibrary("configs/models"));
}

void all_transformers(benchmark::State& state) {
  for (auto _ : state) {
    for (const std::string& model : library().names()) {
      benchmark::DoNotOptimize(library().vision_transformer(model, state.range(0)));
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(library().names().size()));
}

void graph_of_cswin_l(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(library().graph("cswin-l", state.range(0)));
}

BENCHMARK(read_library)->Unit(benchmark::kMillisecond);
BENCHMARK(all_transformers)->Arg(224)->Arg(960)->Unit(benchmark::kMicrosecond);
BENCHMARK(graph_of_cswin_l)->Arg(224)->Arg(960)->Unit(benchmark::kMicrosecond);

}  // namespace

}  // namespace pimsweep::workload

BENCHMARK_MAIN();
