#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "base/csv.h"
#include "base/posix_file.h"
#include "hardware/pe_array/mapper/mapper.h"
#include "hardware/pe_array/network.h"
#include "sweep/hardware_file.h"
#include "systems/parts/parts.h"
#include "systems/system.h"
#include "workload/model_library.h"

// Microseconds per GEMM of the mapper: the rows of Timeloop on their engine, and products and arrays of other sizes,
// layers of networks. Run from the project's folder.

namespace {

using namespace pimsweep::hardware::pe_array::mapper;
using namespace pimsweep::hardware::pe_array;
using namespace pimsweep::sweep;
using namespace pimsweep::systems::parts;
using namespace pimsweep::systems;
using namespace pimsweep;

struct Case {
  Gemm gemm;
  double dram_words_per_cycle;
};

std::vector<Case> timeloop_cases() {
  const std::string path = "results/reference/gemm/timeloop.csv";
  const CsvTable table = parse_csv(read_file(path), path);
  const auto number = [&](const std::vector<CsvCell>& row, const char* column) {
    return std::stoll(row.at(static_cast<std::size_t>(table.column(column))).text);
  };
  std::vector<Case> cases;
  for (const auto& row : table.rows) {
    cases.push_back({{number(row, "M"), number(row, "N"), number(row, "K")},
                     static_cast<double>(number(row, "dram_words_per_cycle"))});
  }
  return cases;
}

/// Different layers of networks.
std::vector<Case> layer_cases() {
  const pimsweep::workload::ModelLibrary models("configs/models");
  std::vector<Case> cases;
  for (const char* model : {"resnet-50", "mobilenet-v2", "swin-t", "bert-base", "llama-3.1-8b"}) {
    for (const NetworkLayer& layer : network_layers(models.graph(model, models.default_image_px(model)), 1, 1)) {
      const auto same = [&](const Case& known) { return known.gemm == layer.gemm; };
      if (layer.on_array() && std::ranges::none_of(cases, same)) cases.push_back({layer.gemm, 16});
    }
  }
  return cases;
}

Engine engine_of(const std::string& hardware, std::int64_t side) {
  const std::unique_ptr<System> system = make_gemm("configs");
  const HardwareFile file = load_hardware(hardware, system->schema(), "configs");
  const auto real = [&](const char* key) { return to_real(file.constants.at(key).value); };
  const auto words = [&](const char* key) { return static_cast<std::int64_t>(real(key) / real("data.word")); };
  Engine engine;
  engine.rows = engine.cols = side;
  engine.accumulator_words = words("accumulator.capacity");
  engine.buffer_words = words("sram.buffer");
  engine.line_words = words("sram.line");
  engine.energy = {real("energy.mac"), real("energy.register_word"), real("energy.accumulator_word"),
                   real("energy.buffer_line"), real("energy.dram_line")};
  return engine;
}

void run(benchmark::State& state, const std::vector<Case>& cases, Engine engine, Objective objective) {
  using Clock = std::chrono::steady_clock;
  Mapper mapper;
  // The shortest of all iterations for each product, as the machine may be busy.
  std::vector<double> shortest(cases.size(), 1e9);
  for (auto _ : state) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      engine.dram_words_per_cycle = cases[i].dram_words_per_cycle;
      const auto start = Clock::now();
      benchmark::DoNotOptimize(mapper(cases[i].gemm, engine, objective));
      shortest[i] = std::min(shortest[i], std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    }
  }
  std::sort(shortest.begin(), shortest.end());
  state.counters["products"] = static_cast<double>(cases.size());
  state.counters["us_min"] = shortest.front();
  state.counters["us_median"] = shortest[shortest.size() / 2];
  state.counters["us_max"] = shortest.back();
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<Case> rows = timeloop_cases();
  std::vector<Case> large;
  for (const std::int64_t m : {1, 197, 3136, 50176}) {
    for (const std::int64_t n : {1000, 4096}) {
      for (const std::int64_t k : {768, 16384}) large.push_back({{m, n, k}, 16});
    }
  }
  const std::vector<Case> layers = layer_cases();
  // The DRAM limits, so that nearly all spatial factors are fast enough.
  std::vector<Case> slow = layers;
  slow.insert(slow.end(), large.begin(), large.end());
  slow.insert(slow.end(), {{{2048, 128256, 4096}, 1}, {{4096, 28672, 8192}, 1}});
  for (Case& each : slow) each.dram_words_per_cycle = 1;
  for (const Word<Objective>& objective : objective_words) {
    const auto add = [&](const std::string& name, const std::vector<Case>& cases, std::int64_t side) {
      const Engine engine = engine_of("gemm-nvdla", side);
      benchmark::RegisterBenchmark((name + "/" + std::string(objective.name)).c_str(), [&cases, engine, &objective](
                                                                                           benchmark::State& state) {
        run(state, cases, engine, objective.value);
      })->Unit(benchmark::kMillisecond);
    };
    add("timeloop_rows/8x8", rows, 8);
    add("timeloop_rows/32x32", rows, 32);
    add("layers/8x8", layers, 8);
    add("layers/32x32", layers, 32);
    add("large/8x8", large, 8);
    add("large/32x32", large, 32);
    add("slow_dram/32x32", slow, 32);
    add("slow_dram/128x128", slow, 128);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
