#include "systems/allspark/gpu_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "systems/axes.h"

namespace pimsweep::systems::allspark {

namespace {

constexpr std::string_view prefix = "gpu.";

hardware::gpu::network::ElementwiseMode mode_named(const std::string& name) {
  return name == "eager" ? hardware::gpu::network::ElementwiseMode::eager
                         : hardware::gpu::network::ElementwiseMode::fused;
}

}  // namespace

void GpuRun::append_axes(std::vector<Axis>& axes) {
  Axis precision = precision_axis();
  precision.name = "gpu_precision";
  precision.doc = "for policy gpu: " + precision.doc;
  axes.push_back(std::move(precision));
  axes.push_back(text_axis("gpu_elementwise", Value{std::string("eager")}, {"eager", "fused"},
                           "for policy gpu: operator by operator as frameworks run, or fused with what computes their "
                           "input"));
  axes.push_back(text_axis("gpu_launches", Value{std::string("queued")}, {"queued", "exposed"},
                           "for policy gpu: kernels are queued ahead, or each is waited for"));
  append_optional_gpu_axes(axes, prefix);
}

GpuRun::GpuRun(const Schema& schema, const workload::ModelLibrary& models)
    : device_(schema, prefix),
      networks_(models),
      model_(axis_at(schema, "model")),
      image_px_(axis_at(schema, "image_px")),
      batch_(axis_at(schema, "batch")),
      precision_(axis_at(schema, "gpu_precision")),
      elementwise_(axis_at(schema, "gpu_elementwise")),
      launches_(axis_at(schema, "gpu_launches")) {}

hardware::gpu::network::Inference GpuRun::operator()(const Point& point) {
  if (const std::vector<std::string> missing = device_.not_given(point); !missing.empty()) {
    throw PointError(fmt::format("policy gpu needs a card, but the hardware does not give {}; allspark-vs-v100 has one",
                                 fmt::join(missing, ", ")));
  }
  const hardware::gpu::Precision precision = precision_of(point.text(precision_));
  if (const std::string reason = device_.missing_unit(point, precision); !reason.empty()) throw PointError(reason);
  const hardware::gpu::Device device = device_(point);
  const hardware::gpu::network::Network& network = networks_.network(
      point.text(model_), point.integer(image_px_), point.integer(batch_), mode_named(point.text(elementwise_)));
  return hardware::gpu::network::run(network, hardware::gpu::network::NetworkKernels(device, precision, false), device,
                                     point.text(launches_) == "queued" ? hardware::gpu::network::Launches::queued
                                                                       : hardware::gpu::network::Launches::exposed);
}

}  // namespace pimsweep::systems::allspark
