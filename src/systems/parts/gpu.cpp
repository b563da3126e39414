#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

#include "base/error.h"
#include "hardware/gpu/network/inference.h"
#include "hardware/gpu/network/network_cache.h"
#include "systems/axis_table.h"
#include "systems/column_table.h"
#include "systems/devices/gpu_axes.h"
#include "systems/devices/gpu_roofline.h"
#include "systems/parts/parts.h"
#include "systems/roofline.h"

namespace pimsweep::systems::parts {

namespace {

namespace network = hardware::gpu::network;
using network::ElementwiseMode;
using network::Inference;
using network::InferenceKernel;
using network::Launches;

constexpr std::array elementwise_words{Word{"fused", ElementwiseMode::fused}, Word{"counted", ElementwiseMode::counted},
                                       Word{"eager", ElementwiseMode::eager}};
constexpr std::array launch_words{Word{"queued", Launches::queued}, Word{"exposed", Launches::exposed}};

/// Settings of a point of the system `gpu`.
struct GpuSettings {
  std::string model;
  workload::InputSize size;
  std::int64_t batch = 1;
  ElementwiseMode elementwise = ElementwiseMode::eager;
  bool pointwise_as_gemm = false;
  Launches launches = Launches::queued;
  devices::Precision precision = devices::Precision::fp32;
  devices::GpuCard card;
};

struct GpuResult {
  double time = 0;
  double time_per_sample = 0;
  double energy_per_sample = 0;
  double throughput = 0;
  std::size_t kernels = 0;
  double launch_time = 0;
  double work_time = 0;
  double gemm_time = 0;
  double convolution_time = 0;
  double other_time = 0;
  double energy = 0;
  double power = 0;
  double macs = 0;
  double rate = 0;
};

struct KernelRow {
  std::string_view layer;
  std::string_view kind;
  double time = 0;
  std::string_view bound;
  std::string_view algorithm;
  double memory_bytes = 0;
  std::int64_t macs = 0;
};

void add_axes(AxisList& axes, GpuSettings& s, const std::vector<std::string>& models) {
  axes.text(s.model, "model", "model, one of configs/models", {}, models)
      .kind(AxisKind::model)
      .count(s.size.image_px, "image_px", 0, 16384, "side of an image in pixels; 0: the model's own", 0)
      .kind(AxisKind::image_size)
      .count(s.size.tokens, "tokens", 0, 16384, "tokens of a language model's sequence; 0: the model's own", 0)
      .kind(AxisKind::tokens)
      .count(s.batch, "batch", 1, 1 << 16, "images or sequences of an inference", 1)
      .choice(s.elementwise, "elementwise", elementwise_words,
              "activation functions and normalization: fused, counted as kernels of their own, or eager, operator by "
              "operator",
              ElementwiseMode::eager)
      .choice(s.pointwise_as_gemm, "pointwise", network::pointwise_words,
              "kernels of 1x1 convolutions of stride 1: those of convolutions, or GEMMs", false)
      .choice(
          s.launches, "launches", launch_words,
          "kernel launches: queued ahead, the longer of all launches and all work counts, or exposed, each waited for",
          Launches::queued)
      .choice(s.precision, "precision", devices::precision_words, std::string(devices::precision_doc),
              devices::Precision::fp32);
  devices::add_gpu_axes(axes, "", s.card);
}

void add_metrics(ColumnList& metrics, const GpuResult& r) {
  metrics.quantity(r.time, "time", "s", "time of an inference")
      .quantity(r.time_per_sample, "time_per_sample", "s", "time of an inference divided by the batch")
      .quantity(r.throughput, "throughput", "1/s", "images or sequences in a second")
      .count(r.kernels, "kernels", "kernels that run in an inference")
      .quantity(r.launch_time, "launch_time", "s", "time of the launches of all kernels")
      .quantity(r.work_time, "work_time", "s", "time of all kernels without launches")
      .quantity(r.gemm_time, "gemm_time", "s", "time of GEMMs and fully connected layers, launches included")
      .quantity(r.convolution_time, "convolution_time", "s", "time of convolutions of all kinds, launches included")
      .quantity(r.other_time, "other_time", "s", "time of all other kernels, launches included")
      .quantity(r.energy, "energy", "J", "energy of idle power, operations, second-level cache and memory")
      .quantity(r.energy_per_sample, "energy_per_sample", "J", "energy of an inference divided by the batch")
      .quantity(r.power, "power", "W", "mean power: energy by time")
      .quantity(r.macs, "macs", "1", "multiply-accumulates of an inference")
      .quantity(r.rate, "rate", "1/s", "operations in a second; a multiply-accumulate counts two");
}

void add_columns(ColumnList& columns, const KernelRow& row) {
  columns.text(row.layer, "layer", "operator that the kernel belongs to")
      .text(row.kind, "kind", "kind of work that the kernel does")
      .quantity(row.time, "time", "s", "time of the kernel, launch included")
      .text(row.bound, "bound", "resource that bounds the kernel's time")
      .text(row.algorithm, "algorithm", "algorithm that the library takes")
      .quantity(row.memory_bytes, "memory_bytes", "B", "bytes from and to memory")
      .count(row.macs, "macs", "multiply-accumulates of the kernel");
}

std::string_view kind_of(const InferenceKernel& kernel) {
  using network::OtherWork;
  if (kernel.activation) return "activation";
  if (kernel.node->kind != network::NodeKind::other) return network::name_of(kernel.node->kind);
  switch (kernel.node->work) {
    case OtherWork::matmul:
      return "gemm";
    case OtherWork::grouped_convolution:
      return "grouped convolution";
    case OtherWork::transposed_convolution:
      return "transposed convolution";
    case OtherWork::pooling:
      return "pooling";
    case OtherWork::elementwise:
    case OtherWork::none:
      break;
  }
  return "element-wise";
}

std::int64_t macs_of(const InferenceKernel& kernel) { return kernel.activation ? 0 : kernel.node->macs; }

/// The part of the time that a kernel belongs to.
double& part_of(GpuResult& result, const InferenceKernel& kernel) {
  if (macs_of(kernel) == 0) return result.other_time;
  const bool is_gemm =
      kernel.node->kind == network::NodeKind::fully_connected || kernel.node->work == network::OtherWork::matmul;
  return is_gemm ? result.gemm_time : result.convolution_time;
}

GpuResult result_of(const Inference& inference, std::int64_t batch) {
  GpuResult result;
  for (const InferenceKernel& kernel : inference.kernels) {
    part_of(result, kernel) += kernel.cost.seconds;
    result.macs += static_cast<double>(macs_of(kernel));
  }
  result.time = inference.seconds;
  result.time_per_sample = inference.seconds / static_cast<double>(batch);
  result.throughput = static_cast<double>(batch) / inference.seconds;
  result.kernels = inference.kernels.size();
  result.launch_time = inference.launching;
  result.work_time = inference.working;
  result.energy = inference.energy.total();
  result.energy_per_sample = result.energy / static_cast<double>(batch);
  result.power = inference.energy.total() / inference.seconds;
  result.rate = 2 * result.macs / inference.seconds;
  return result;
}

class GpuSystem final : public System, public HasRoofline {
 public:
  explicit GpuSystem(const ConfigFolders& configs) : models_(configs.models), networks_(models_) {
    add_axes(axes_, axes_.layout(), models_.names());
    add_metrics(metrics_, metrics_.layout());
    add_columns(by_kernel_, by_kernel_.layout());
    schema_.name = "gpu";
    schema_.main_metrics = {"time_per_sample", "energy_per_sample"};
    schema_.doc = "Inference of a whole model on a GPU";
    schema_.version = 3;
    schema_.axes = axes_.axes();
    schema_.metrics = metrics_.columns();
    by_kernel_.attach(schema_);
    model_axis_ = static_cast<std::size_t>(schema_.axis_index(AxisKind::model));
  }

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    axes_.read(point, settings_);
    if (std::string reason = missing_unit(); !reason.empty()) {
      record.status = Status::infeasible;
      record.message = std::move(reason);
      return;
    }
    const Inference inference = infer();
    metrics_.write(result_of(inference, settings_.batch), record);
    for (const InferenceKernel& kernel : inference.kernels) {
      by_kernel_.add(
          {kernel.node->name, kind_of(kernel), kernel.cost.seconds, hardware::gpu::name_of(kernel.cost.bound),
           hardware::gpu::name_of(kernel.cost.algorithm), kernel.cost.memory_bytes, macs_of(kernel)},
          record);
    }
    record.status = Status::ok;
  }

  Hash128 workload_hash(const Point& point) override { return models_.content(point.text(model_axis_)); }

  std::vector<std::string> fit_axes() const override { return {"model", "image_px", "tokens"}; }

  void explain(const Point& point, Explanation& explanation) override {
    axes_.read(point, settings_);
    if (const std::string reason = missing_unit(); !reason.empty()) throw PointError(reason);
    const Inference inference = infer();
    auto& sum = explanation.section("Inference").lines;
    sum.push_back({"launches", fmt::format("{:.4g} ms", 1e3 * inference.launching), "of all kernels"});
    sum.push_back({"work", fmt::format("{:.4g} ms", 1e3 * inference.working), "of all kernels"});
    sum.push_back({"time", fmt::format("{:.4g} ms", 1e3 * inference.seconds),
                   std::string(word_of(launch_words, settings_.launches))});
    auto& list = explanation.section("Kernels").lines;
    for (const InferenceKernel& kernel : inference.kernels) {
      list.push_back({kernel.node->name, fmt::format("{:.4g} us", 1e6 * kernel.cost.seconds),
                      fmt::format("{}, {}, bound by {}", kind_of(kernel), hardware::gpu::name_of(kernel.cost.algorithm),
                                  hardware::gpu::name_of(kernel.cost.bound))});
    }
  }

  Roofline roofline(const Point& point, const Record& /*record*/) override {
    axes_.read(point, settings_);
    return {{devices::gpu_roofline(settings_.card.device, settings_.precision, infer())}};
  }

 protected:
  void require_fit(const Point& point) override {
    axes_.read(point, settings_);
    models_.graph(settings_.model, input_size());
  }

 private:
  std::string missing_unit() const { return devices::missing_unit("", settings_.card, settings_.precision); }
  std::int64_t input_size() const { return models_.input_size(settings_.model, settings_.size); }

  Inference infer() {
    const GpuSettings& s = settings_;
    const network::Network& nodes = networks_.network(s.model, input_size(), s.batch, s.elementwise);
    const network::NetworkKernels kernels(s.card.device, s.precision, s.pointwise_as_gemm);
    return network::run(nodes, kernels, s.card.device, s.launches);
  }

  workload::ModelLibrary models_;
  network::NetworkCache networks_;
  AxisTable<GpuSettings> axes_;
  MetricTable<GpuResult> metrics_;
  RowTable<KernelRow> by_kernel_{"by_kernel", "kernels of an inference in the order of execution"};
  Schema schema_;
  std::size_t model_axis_ = 0;
  GpuSettings settings_;
};

}  // namespace

std::unique_ptr<System> make_gpu(const ConfigFolders& configs) { return std::make_unique<GpuSystem>(configs); }

}  // namespace pimsweep::systems::parts
