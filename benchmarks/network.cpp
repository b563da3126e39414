#include <benchmark/benchmark.h>

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hardware/noc/h_tree.h"
#include "hardware/noc/step_simulation.h"
#include "hardware/noc/torus.h"
#include "hardware/pe_array/row_stationary.h"

// One training step of VGG-E on 16 accelerators: the largest that HyPar's studies simulate for each point.

namespace {

using namespace pimsweep::hardware::pe_array;
using namespace pimsweep;

std::vector<hardware::pe_array::ConvolutionLayer> vgg_e(std::int64_t batch) {
  std::vector<hardware::pe_array::ConvolutionLayer> layers;
  std::int64_t in = 3;
  std::int64_t size = 224;
  for (const auto& [out, count] : {std::pair{64, 2}, {128, 2}, {256, 4}, {512, 4}, {512, 4}}) {
    for (int i = 0; i < count; ++i) {
      layers.push_back({batch, in, out, 1, 3, 3, size, size, 1, 1, 1});
      in = out;
    }
    size /= 2;
  }
  layers.push_back(hardware::pe_array::fully_connected(batch, 25088, 4096));
  layers.push_back(hardware::pe_array::fully_connected(batch, 4096, 4096));
  layers.push_back(hardware::pe_array::fully_connected(batch, 4096, 1000));
  return layers;
}

/// Every GEMM of every layer with an exchange at each level after it: 57 computations and 228 exchanges. Gradients are
/// exchanged while errors go on backwards.
hardware::noc::StepProgram training_step(std::size_t levels) {
  hardware::noc::StepProgram program;
  const std::vector<hardware::pe_array::ConvolutionLayer> layers = vgg_e(16);
  const auto product = [&](const hardware::pe_array::ConvolutionProduct& work, double words,
                           std::vector<hardware::noc::TaskId> after) {
    const hardware::noc::TaskId computation =
        program.add_computation(static_cast<double>(work.macs()) / 42e9, std::span<const hardware::noc::TaskId>(after));
    std::vector<hardware::noc::TaskId> ends{computation};
    for (std::size_t level = 1; level <= levels; ++level) {
      ends.push_back(program.add_exchange(level, 8 * words / static_cast<double>(level), {computation}));
    }
    return ends;
  };
  std::vector<hardware::noc::TaskId> before;
  for (const hardware::pe_array::ConvolutionLayer& layer : layers) {
    const hardware::pe_array::ConvolutionProduct forward = training_products(layer).forward;
    before = product(forward, static_cast<double>(forward.output_words()), before);
  }
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
    const hardware::pe_array::TrainingProducts products = training_products(*layer);
    product(products.gradient, static_cast<double>(products.gradient.output_words()), before);
    before = product(products.backward, static_cast<double>(products.backward.output_words()), before);
  }
  return program;
}

void simulate(benchmark::State& state, const hardware::noc::ExchangeNetwork& network) {
  hardware::noc::StepSimulation simulation(network);
  const hardware::noc::StepProgram program = training_step(network.levels());
  for (auto _ : state) benchmark::DoNotOptimize(simulation.run(program).makespan);
  state.counters["tasks"] = static_cast<double>(program.size());
  state.counters["both_part"] = simulation.run(program).both / simulation.run(program).makespan;
}

void map_layers(benchmark::State& state) {
  const hardware::pe_array::RowStationaryArray array{12, 14, 108 * 1024 / 4, 12, 224, 24};
  const std::vector<hardware::pe_array::ConvolutionLayer> layers = vgg_e(16);
  for (auto _ : state) {
    for (const hardware::pe_array::ConvolutionLayer& layer : layers) {
      const hardware::pe_array::TrainingProducts products = training_products(layer);
      benchmark::DoNotOptimize(map_row_stationary(products.forward, array).cycles);
      benchmark::DoNotOptimize(map_row_stationary(products.backward, array).cycles);
      benchmark::DoNotOptimize(map_row_stationary(products.gradient, array).cycles);
    }
  }
  state.counters["products"] = 3 * static_cast<double>(layers.size());
}

}  // namespace

int main(int argc, char** argv) {
  for (const std::size_t levels : {std::size_t{4}, std::size_t{8}}) {
    const std::string size = std::to_string(std::size_t{1} << levels);
    benchmark::RegisterBenchmark(("step/h-tree/" + size).c_str(), simulate, hardware::noc::h_tree(levels, 2e8))
        ->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark(("step/torus/" + size).c_str(), simulate,
                                 hardware::noc::torus(levels, 2e8, hardware::noc::TorusRouting::dimension_order,
                                                      hardware::noc::TorusMapping::alternating))
        ->Unit(benchmark::kMicrosecond);
  }
  benchmark::RegisterBenchmark("row-stationary/vgg-e", map_layers)->Unit(benchmark::kMicrosecond);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
