#include "systems/parts/gpu/gpu.h"

#include <fmt/format.h>

#include "base/error.h"
#include "hardware/gpu/network/inference.h"
#include "hardware/gpu/network/network_cache.h"
#include "systems/axes.h"
#include "systems/gpu_axes.h"
#include "systems/record_builder.h"

namespace pimsweep::systems::parts::gpu {

namespace {

Schema make_schema(const std::vector<std::string>& models) {
  const auto text = [](std::string value) { return Value{std::move(value)}; };
  Schema schema;
  schema.name = "gpu";
  schema.doc = "Inference of a whole network on a graphics card";
  schema.version = 1;
  schema.axes = {
      text_axis("model", std::nullopt, models, "network, one of configs/models"),
      count_axis("image_px", Value{std::int64_t{0}}, 0, 16384,
                 "input size, or tokens of a language model; 0: the model's own"),
      count_axis("batch", Value{std::int64_t{1}}, 1, 1 << 16, "images or sequences of an inference"),
      text_axis("elementwise", text("eager"), {"fused", "counted", "eager"},
                "activation functions and normalisation: part of what computes their input; activation functions as "
                "kernels of their own; or operator by operator, with the copies between layouts"),
      text_axis("pointwise", text("convolution"), {"convolution", "product"},
                "kernels of 1x1 convolutions of stride 1: those of convolutions, or of matrix products"),
      text_axis("launches", text("queued"), {"queued", "exposed"},
                "kernels are queued ahead, so that the longer of all launches and all work counts; or each is waited "
                "for"),
      precision_axis(),
  };
  append_gpu_axes(schema.axes, "");
  schema.metrics = {
      {"time", "s", "time of an inference"},
      {"throughput", "1/s", "images or sequences in a second"},
      {"kernels", "1", "kernels that run"},
      {"launch_time", "s", "launches of all kernels"},
      {"work_time", "s", "what the kernels take beside their launches"},
      {"product_time", "s", "matrix products and fully connected layers, launches included"},
      {"convolution_time", "s", "convolutions of all kinds, launches included"},
      {"other_time", "s", "everything else, launches included"},
      {"energy", "J", "idle power over the time, operations, second-level cache and memory"},
      {"power", "W", "energy by time"},
      {"macs", "1", "multiply-accumulates"},
      {"rate", "1/s", "operations in a second: two for each multiply-accumulate"},
  };
  schema.tables = {{"by_kernel",
                    "one row for each kernel in the order of execution",
                    {
                        {"layer", "1", "operator that it belongs to", ValueType::text},
                        {"kind", "1", "what it computes", ValueType::text},
                        {"time", "s", "its launch included"},
                        {"bound", "1", "what its time is bound by", ValueType::text},
                        {"algorithm", "1", "how the library computes it", ValueType::text},
                        {"memory_bytes", "B", "bytes from and to memory"},
                        {"macs", "1", "multiply-accumulates", ValueType::integer},
                    }}};
  return schema;
}

/// What the kernel computes, as the table of kernels names it.
std::string_view kind_of(const hardware::gpu::network::InferenceKernel& kernel) {
  if (kernel.activation) return "activation";
  if (kernel.node->kind != hardware::gpu::network::NodeKind::other)
    return hardware::gpu::network::name_of(kernel.node->kind);
  switch (kernel.node->work) {
    case hardware::gpu::network::OtherWork::matmul:
      return "product";
    case hardware::gpu::network::OtherWork::grouped_convolution:
      return "grouped convolution";
    case hardware::gpu::network::OtherWork::transposed_convolution:
      return "transposed convolution";
    case hardware::gpu::network::OtherWork::pooling:
      return "pooling";
    case hardware::gpu::network::OtherWork::elementwise:
    case hardware::gpu::network::OtherWork::none:
      break;
  }
  return "element-wise";
}

hardware::gpu::network::ElementwiseMode mode_named(const std::string& name) {
  if (name == "fused") return hardware::gpu::network::ElementwiseMode::fused;
  return name == "counted" ? hardware::gpu::network::ElementwiseMode::counted
                           : hardware::gpu::network::ElementwiseMode::eager;
}

class GpuSystem final : public System {
 public:
  explicit GpuSystem(const std::string& config_dir)
      : models_(config_dir + "/models"),
        schema_(make_schema(models_.names())),
        device_(schema_, ""),
        networks_(models_),
        model_(axis_at(schema_, "model")),
        image_px_(axis_at(schema_, "image_px")),
        batch_(axis_at(schema_, "batch")),
        elementwise_(axis_at(schema_, "elementwise")),
        pointwise_(axis_at(schema_, "pointwise")),
        launches_(axis_at(schema_, "launches")),
        precision_(axis_at(schema_, "precision")) {}

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    if (std::string reason = missing_unit(point); !reason.empty()) {
      record.status = Status::infeasible;
      record.message = std::move(reason);
      return;
    }
    const hardware::gpu::network::Inference inference = infer(point);
    double macs = 0;
    double products = 0;
    double convolutions = 0;
    double others = 0;
    RecordBuilder builder(schema_, record);
    for (const hardware::gpu::network::InferenceKernel& kernel : inference.kernels) {
      const hardware::gpu::network::Node& node = *kernel.node;
      const std::int64_t kernel_macs = kernel.activation ? 0 : node.macs;
      const bool product = node.kind == hardware::gpu::network::NodeKind::fully_connected ||
                           node.work == hardware::gpu::network::OtherWork::matmul;
      double& sum = kernel.activation || kernel_macs == 0 ? others : product ? products : convolutions;
      sum += kernel.cost.seconds;
      macs += static_cast<double>(kernel_macs);
      builder.add("by_kernel",
                  {node.name, std::string(kind_of(kernel)), kernel.cost.seconds,
                   std::string(hardware::gpu::name_of(kernel.cost.bound)),
                   std::string(hardware::gpu::name_of(kernel.cost.algorithm)), kernel.cost.memory_bytes, kernel_macs});
    }
    builder.set("time", inference.seconds);
    builder.set("throughput", static_cast<double>(point.integer(batch_)) / inference.seconds);
    builder.set("kernels", static_cast<std::int64_t>(inference.kernels.size()));
    builder.set("launch_time", inference.launching);
    builder.set("work_time", inference.working);
    builder.set("product_time", products);
    builder.set("convolution_time", convolutions);
    builder.set("other_time", others);
    builder.set("energy", inference.energy.total());
    builder.set("power", inference.energy.total() / inference.seconds);
    builder.set("macs", macs);
    builder.set("rate", 2 * macs / inference.seconds);
    record.status = Status::ok;
  }

  Hash128 workload_hash(const Point& point) override { return models_.content(point.text(model_)); }

  void explain(const Point& point, Explanation& explanation) override {
    if (const std::string reason = missing_unit(point); !reason.empty()) throw PointError(reason);
    const hardware::gpu::network::Inference inference = infer(point);
    auto& sum = explanation.section("Inference");
    sum.lines.push_back({"launches", fmt::format("{:.4g} ms", 1e3 * inference.launching), "of all kernels"});
    sum.lines.push_back({"work", fmt::format("{:.4g} ms", 1e3 * inference.working), "of all kernels"});
    sum.lines.push_back({"time", fmt::format("{:.4g} ms", 1e3 * inference.seconds), point.text(launches_)});
    auto& list = explanation.section("Kernels");
    for (const hardware::gpu::network::InferenceKernel& kernel : inference.kernels) {
      list.lines.push_back(
          {kernel.node->name, fmt::format("{:.4g} us", 1e6 * kernel.cost.seconds),
           fmt::format("{}, {}, bound by {}", kind_of(kernel), hardware::gpu::name_of(kernel.cost.algorithm),
                       hardware::gpu::name_of(kernel.cost.bound))});
    }
  }

 private:
  std::string missing_unit(const Point& point) const {
    return device_.missing_unit(point, precision_of(point.text(precision_)));
  }

  hardware::gpu::network::Inference infer(const Point& point) {
    const hardware::gpu::network::Network& network = networks_.network(
        point.text(model_), point.integer(image_px_), point.integer(batch_), mode_named(point.text(elementwise_)));
    const hardware::gpu::Device device = device_(point);
    const hardware::gpu::network::NetworkKernels kernels(device, precision_of(point.text(precision_)),
                                                         point.text(pointwise_) == "product");
    return hardware::gpu::network::run(network, kernels, device,
                                       point.text(launches_) == "queued" ? hardware::gpu::network::Launches::queued
                                                                         : hardware::gpu::network::Launches::exposed);
  }

  workload::ModelLibrary models_;
  Schema schema_;
  DeviceReader device_;
  hardware::gpu::network::NetworkCache networks_;
  std::size_t model_, image_px_, batch_, elementwise_, pointwise_, launches_, precision_;
};

}  // namespace

std::unique_ptr<System> make_gpu(const std::string& config_dir) { return std::make_unique<GpuSystem>(config_dir); }

std::vector<PolicyInfo> gpu_policies() { return {}; }

}  // namespace pimsweep::systems::parts::gpu
