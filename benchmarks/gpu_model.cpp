#include "hardware/gpu/gpu_model.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>
#include <vector>

#include "hardware/gpu/random_device.h"
#include "sweep/hardware_file.h"
#include "systems/parts/parts.h"

// Time of the model for one kernel (goal: at most 2 us), over shapes as networks have them; then of whole points. The
// model's work does not depend on the GPU's constants.

namespace {

using namespace pimsweep::hardware::gpu;
using namespace pimsweep::sweep;
using namespace pimsweep::systems::parts;
using namespace pimsweep::systems;
using namespace pimsweep;

std::vector<ConvolutionShape> convolutions() {
  std::vector<ConvolutionShape> all;
  for (const double batch : {1, 32}) {
    for (const double side : {7, 14, 28, 56, 112}) {
      for (const double filter : {1, 3, 5}) {
        for (const double stride : {1, 2}) {
          all.push_back({.width = side,
                         .height = side,
                         .channels = 7168 / side,
                         .batch = batch,
                         .filters = 3584 / side,
                         .filter_height = filter,
                         .filter_width = filter,
                         .pad_height = (filter - 1) / 2,
                         .pad_width = (filter - 1) / 2,
                         .stride_height = stride,
                         .stride_width = stride});
        }
      }
    }
  }
  return all;
}

void convolution(benchmark::State& state, Precision precision, Pass pass) {
  const GpuModel model(plain_device());
  const std::vector<ConvolutionShape> shapes = convolutions();
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(model.convolution(precision, shapes[next], pass));
    next = (next + 1) % shapes.size();
  }
}

void gemm(benchmark::State& state, Precision precision) {
  const GpuModel model(plain_device());
  std::size_t next = 0;
  std::vector<double> sizes{16};
  while (sizes.back() * 2.3 < 20000) sizes.push_back(sizes.back() * 2.3);
  const std::size_t n = sizes.size();
  for (auto _ : state) {
    benchmark::DoNotOptimize(model.gemm(precision, sizes[next % n], sizes[next / n % n], sizes[next / n / n % n]));
    ++next;
  }
}

/// A point of the system: reads the axes, finds the model, all three passes, writes the record.
void point(benchmark::State& state, const std::string& kind) {
  const auto system = make_kernel("configs");
  const HardwareFile file = load_hardware("gpu-v100", system->schema(), "configs");
  std::vector<Value> values;
  for (const Axis& axis : system->schema().axes) {
    const auto found =
        axis.name.starts_with("hardware.") ? file.constants.find(axis.name.substr(9)) : file.constants.end();
    values.push_back(found != file.constants.end() ? found->second.value : axis.default_value.value_or(kind));
  }
  for (const char* name : {"M", "N", "K", "W", "H", "C"}) {
    values[static_cast<std::size_t>(system->schema().axis_index(name))] = std::int64_t{64};
  }
  Point at(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) at.set(i, &values[i]);
  Record record;
  for (auto _ : state) {
    record.reset(system->schema());
    system->evaluate(at, record);
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const auto& [name, precision] : {std::pair{"fp32", Precision::fp32}, std::pair{"tensor", Precision::tensor}}) {
    benchmark::RegisterBenchmark((std::string("gemm/") + name).c_str(), gemm, precision);
    benchmark::RegisterBenchmark((std::string("convolution/forward/") + name).c_str(), convolution, precision,
                                 Pass::forward);
    benchmark::RegisterBenchmark((std::string("convolution/backward_inputs/") + name).c_str(), convolution, precision,
                                 Pass::backward_inputs);
    benchmark::RegisterBenchmark((std::string("convolution/backward_weights/") + name).c_str(), convolution, precision,
                                 Pass::backward_weights);
  }
  benchmark::RegisterBenchmark("point/gemm", point, "gemm");
  benchmark::RegisterBenchmark("point/conv", point, "conv");
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
