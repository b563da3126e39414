#include "systems/llm/llm.h"

#include <benchmark/benchmark.h>

#include "systems/system_points.h"

// A point of the system llm: the step of a language model, with the record of its operators. Needs the source tree's
// root as working directory.

namespace {

using namespace pimsweep;

void step(benchmark::State& state, const char* hardware, const char* model, const char* policy) {
  SystemPoints points(systems::llm::make_llm("configs"), hardware);
  const std::vector<Value> values = points.values({{"model", Value{std::string(model)}},
                                                   {"policy", Value{std::string(policy)}},
                                                   {"batch", Value{std::int64_t{16}}},
                                                   {"context", Value{std::int64_t{512}}}});
  systems::Point point(values.size());
  for (std::size_t axis = 0; axis < values.size(); ++axis) point.set(axis, &values[axis]);
  systems::Record record;
  for (auto _ : state) {
    record.reset(points.schema());
    points.system().evaluate(point, record);
    benchmark::DoNotOptimize(record.metrics.data());
  }
}

BENCHMARK_CAPTURE(step, llama_70b_gpu, "llm-8-a100", "llama-3.1-70b", "gpu")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(step, llama_70b_attacc_ff, "llm-8-a100-attacc", "llama-3.1-70b", "attacc-ff")
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(step, mixtral_attacc, "llm-8-a100-attacc", "mixtral-8x7b", "attacc")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(step, gpt2_xl_ianus, "llm-ianus", "gpt2-xl", "ianus")->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(step, gpt2_xl_newton, "llm-titan-v-newton", "gpt2-xl", "ianus")->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
