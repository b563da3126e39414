#include "systems/allspark/allspark.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "hardware/pe_array/gemm_mapper.h"
#include "sweep/hardware_file.h"
#include "systems/system.h"

namespace {

using pimsweep::Value;
using pimsweep::hardware::pe_array::Gemm;
using pimsweep::hardware::pe_array::PeArray;

constexpr PeArray array{8, 8, 49152, 16};

/// Fits the buffer; a feed-forward layer; scores of global attention; a DRAM-bound product in a small buffer.
const std::vector<std::pair<Gemm, PeArray>> products{
    {{49, 32, 49}, array}, {{49, 1024, 1024}, array}, {{3600, 3600, 64}, array}, {{196, 768, 768}, {16, 16, 1024, 1}}};

/// Figure 11's, among the models of configs/models.
bool in_figure_11(const std::string& model) {
  constexpr std::array families{"vit-", "pvt-", "swin-", "focal-", "twins-svt-", "cswin-"};
  return std::any_of(families.begin(), families.end(), [&](const char* family) { return model.rfind(family, 0) == 0; });
}

void map_gemm(benchmark::State& state) {
  const auto& [gemm, pes] = products[static_cast<std::size_t>(state.range(0))];
  for (auto _ : state) benchmark::DoNotOptimize(pimsweep::hardware::pe_array::map_gemm(gemm, pes));
}
BENCHMARK(map_gemm)->DenseRange(0, static_cast<int>(products.size()) - 1);

/// The policies of Figure 11 and its lower bound.
const std::vector<std::pair<std::string, std::string>> policies_and_executions{{"branch", "schedule"},
                                                                               {"patch", "schedule"},
                                                                               {"head", "schedule"},
                                                                               {"allspark", "schedule"},
                                                                               {"allspark", "ideal"}};

/// All points of Figure 11, evaluated by a fresh system.
void figure_11(benchmark::State& state) {
  for (auto _ : state) {
    const std::unique_ptr<pimsweep::systems::System> system = pimsweep::systems::allspark::make_allspark("configs");
    const pimsweep::systems::Schema& schema = system->schema();
    const pimsweep::sweep::HardwareFile hardware =
        pimsweep::sweep::load_hardware("allspark-3d-dram", schema, "configs");
    const auto axis = [&](const char* name) { return static_cast<std::size_t>(schema.axis_index(name)); };
    pimsweep::systems::Record record;
    std::int64_t points = 0;
    for (const std::int64_t image_px : {224, 640, 960}) {
      for (const auto& [policy, execution] : policies_and_executions) {
        for (const std::string& model : schema.axes[axis("model")].choices) {
          if (!in_figure_11(model)) continue;
          const std::int64_t side = model.rfind("pvt", 0) == 0 ? 8 : 16;
          std::map<std::string, Value> chosen{{"model", model},
                                              {"policy", policy},
                                              {"execution", execution},
                                              {"image_px", image_px},
                                              {"hardware.node_array.rows", side},
                                              {"hardware.node_array.cols", side}};
          pimsweep::systems::Point point(schema.axes.size());
          for (std::size_t i = 0; i < schema.axes.size(); ++i) {
            const std::string& name = schema.axes[i].name;
            const auto found = chosen.find(name);
            if (found != chosen.end()) {
              point.set(i, &found->second);
            } else if (schema.axes[i].default_value) {
              point.set(i, &*schema.axes[i].default_value);
            } else {
              point.set(i, &hardware.constants.at(name.substr(std::string("hardware.").size())).value);
            }
          }
          record.reset(schema);
          system->evaluate(point, record);
          benchmark::DoNotOptimize(record);
          ++points;
        }
      }
    }
    state.counters["points"] = static_cast<double>(points);
  }
}
BENCHMARK(figure_11)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
