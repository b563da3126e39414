#include "systems/allspark/gpu_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "base/error.h"

namespace pimsweep::systems::allspark {

namespace network = hardware::gpu::network;

network::Inference GpuRun::operator()(const Settings& settings) {
  const GpuSettings& gpu = settings.gpu;
  if (const std::vector<std::string> missing = devices::missing_gpu_axes(gpu_prefix, gpu.card); !missing.empty()) {
    throw PointError(
        fmt::format("execution gpu needs a card, but the hardware does not give {}; allspark-vs-v100 has one",
                    fmt::join(missing, ", ")));
  }
  if (const std::string reason = devices::missing_unit(gpu_prefix, gpu.card, gpu.precision); !reason.empty()) {
    throw PointError(reason);
  }
  network::Inference inference =
      run(settings, models_.input_size(settings.model, settings.input), settings.conditions.batch);
  if (gpu.throughput > 0) {
    const auto batch = static_cast<double>(gpu.throughput_batch);
    const std::int64_t own_size = models_.input_size(settings.model, {});
    inference.seconds *= batch / gpu.throughput / run(settings, own_size, gpu.throughput_batch).seconds;
  }
  return inference;
}

network::Inference GpuRun::run(const Settings& settings, std::int64_t size, std::int64_t batch) {
  const GpuSettings& gpu = settings.gpu;
  const network::Network& graph = networks_.network(std::string(settings.model), size, batch, gpu.elementwise);
  return network::run(graph, network::NetworkKernels(gpu.card.device, gpu.precision, false), gpu.card.device,
                      gpu.launches);
}

}  // namespace pimsweep::systems::allspark
