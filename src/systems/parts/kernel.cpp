#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/error.h"
#include "hardware/gpu/gpu_model.h"
#include "systems/devices/gpu_roofline.h"
#include "systems/parts/axis_names.h"
#include "systems/parts/kernel_point.h"
#include "systems/parts/parts.h"
#include "systems/roofline.h"

namespace pimsweep::systems::parts {

namespace {

using devices::OperationKind;
using hardware::ConvolutionShape;
using hardware::Pass;
using hardware::gpu::GpuModel;
using hardware::gpu::KernelCost;
using hardware::gpu::Library;
using hardware::gpu::Precision;

/// Costs of a point: operations as the layer is defined, and the kernels of its passes.
struct LayerCosts {
  double operations = 0;
  std::array<std::optional<KernelCost>, 3> passes;
};

/// All passes of a layer that has gradients; integer layers have none.
template <typename CostOf>
LayerCosts all_passes(double operations, Precision precision, const CostOf& cost_of) {
  LayerCosts layer{operations, {cost_of(Pass::forward)}};
  if (precision == Precision::int8) return layer;
  layer.passes[1] = cost_of(Pass::backward_inputs);
  layer.passes[2] = cost_of(Pass::backward_weights);
  return layer;
}

LayerCosts costs_of(const GpuModel& model, const devices::Sheet& s) {
  const Precision precision = s.precision;
  const auto per_channel = [&] {
    ConvolutionShape shape = s.convolution();
    shape.filters = shape.channels;
    return shape;
  };
  switch (s.kind) {
    case OperationKind::gemm:
      return {2 * s.m * s.n * s.k, {model.gemm(precision, s.m, s.n, s.k)}};
    case OperationKind::conv: {
      const ConvolutionShape shape = s.convolution();
      return all_passes(shape.operations(), precision,
                        [&](Pass pass) { return model.convolution(precision, shape, pass); });
    }
    case OperationKind::rnn: {
      const hardware::gpu::RecurrentShape shape{s.gates(), s.hidden, s.batch, s.timesteps};
      return all_passes(shape.operations(), precision,
                        [&](Pass pass) { return model.recurrent(precision, shape, pass); });
    }
    case OperationKind::elementwise:
      return {s.elements() * s.inputs, {model.elementwise(precision, s.elements(), s.inputs)}};
    case OperationKind::depthwise: {
      const ConvolutionShape shape = per_channel();
      return {2 * (shape.outputs() * shape.filter_height * shape.filter_width), {model.depthwise(precision, shape)}};
    }
    default: {
      const ConvolutionShape shape = per_channel();
      return {shape.outputs() * shape.filter_height * shape.filter_width, {model.pooling(precision, shape)}};
    }
  }
}

void put_times(const LayerCosts& layer, OperationKind kind, KernelResult& r) {
  constexpr double ms = 1e3;
  if (kind == OperationKind::gemm) {
    r.sheet.gemm = layer.passes[0]->seconds * ms;
    return;
  }
  r.sheet.forward = layer.passes[0]->seconds * ms;
  if (!layer.passes[1]) return;
  r.sheet.backward_inputs = layer.passes[1]->seconds * ms;
  r.sheet.backward_weights = layer.passes[2]->seconds * ms;
  r.sheet.backward_total = (layer.passes[1]->seconds + layer.passes[2]->seconds) * ms;
}

/// Reasons for which no measured times support the result.
std::string caveat_of(const KernelSettings& s) {
  std::string text;
  const auto add = [&](const char* reason) { text += text.empty() ? reason : std::string("; ") + reason; };
  const OperationKind kind = s.sheet.kind;
  if (kind != OperationKind::gemm && kind != OperationKind::conv && kind != OperationKind::rnn) {
    add("no measured times of this kind");
  }
  if (!s.card.fitted_on_this_card) add("no measured times of this GPU");
  if (s.card.device.library == Library::cuda12 && s.sheet.precision != Precision::tensor) {
    add("constants fitted to convolutions in fp16");
  }
  if (s.memory_channels != 0 && s.memory_channels != s.card.memory_channels) {
    add("no measured times with fewer memory channels");
  }
  return text;
}

class KernelSystem final : public System, public HasRoofline {
 public:
  KernelSystem() {
    add_axes(axes_, axes_.layout());
    add_metrics(metrics_, metrics_.layout());
    schema_.name = "kernel";
    schema_.version = 3;
    schema_.main_metrics = {"time"};
    schema_.doc = "Time and energy of single GPU kernels";
    schema_.axes = axes_.axes();
    schema_.metrics = metrics_.columns();
  }

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    read(point);
    if (std::string reason = missing_unit(); !reason.empty()) {
      record.status = Status::infeasible;
      record.message = std::move(reason);
      return;
    }
    if (is_language_kernel(settings_.sheet, settings_.language)) {
      metrics_.write(language_result(), record);
      record.status = Status::ok;
      return;
    }
    const LayerCosts layer = costs_of(*model_, settings_.sheet);
    const KernelCost& cost = *layer.passes[static_cast<std::size_t>(settings_.sheet.pass)];
    KernelResult result;
    result.time = cost.seconds;
    put_times(layer, settings_.sheet.kind, result);
    result.operations = layer.operations;
    result.achieved_rate = layer.operations / cost.seconds;
    result.peak_share = layer.operations / cost.seconds /
                        devices::peak_rate(model_->device(), settings_.sheet.precision, settings_.sheet.kind);
    put_kernel(cost, result);
    result.caveat = caveat_of(settings_);
    metrics_.write(result, record);
    record.status = Status::ok;
  }

  Hash128 workload_hash(const Point& /*point*/) override { return {}; }

  std::vector<std::string> fit_axes() const override { return axis_names(schema_); }

  void explain(const Point& point, Explanation& explanation) override {
    read(point);
    if (const std::string reason = missing_unit(); !reason.empty()) throw PointError(reason);
    if (is_language_kernel(settings_.sheet, settings_.language)) {
      explain_language(explanation.section(std::string(word_of(devices::operation_words, settings_.sheet.kind))));
      return;
    }
    const LayerCosts layer = costs_of(*model_, settings_.sheet);
    for (const Word<Pass>& pass : devices::pass_words) {
      const auto& cost = layer.passes[static_cast<std::size_t>(pass.value)];
      if (cost) explain_kernel(*cost, layer.operations, explanation.section(std::string(pass.name)));
    }
  }

  Roofline roofline(const Point& point, const Record& record) override {
    read(point);
    const double operations = number_of(schema_, record, "executed_operations");
    if (!(operations > 0)) return {.reason = "a collective carries out no arithmetic operations"};
    return {{{.name = "GPU",
              .operations = operations,
              .memory_bytes = number_of(schema_, record, "memory_bytes"),
              .time = number_of(schema_, record, "time"),
              .peak_rate = number_of(schema_, record, "achieved_rate") / number_of(schema_, record, "peak_share"),
              .memory_bandwidth = model_->device().memory_bandwidth}}};
  }

 protected:
  void require_fit(const Point& point) override {
    read(point);
    missing_unit();
  }

 private:
  /// Sets settings_ and model_; neighboring points mostly share a model. Throws PointError for a point without a
  /// meaning.
  void read(const Point& point) {
    axes_.read(point, settings_);
    settings_.sheet.precision = settings_.language.numbers.sheet;
    const devices::Sheet& s = settings_.sheet;
    devices::check_device(s, settings_.card.name);
    const bool has_gradients =
        (s.kind == OperationKind::conv || s.kind == OperationKind::rnn) && s.precision != Precision::int8;
    if (s.pass != Pass::forward && !has_gradients && !is_language_kernel(s, settings_.language)) {
      throw PointError(fmt::format(
          "kind '{}' with precision '{}' has no pass '{}', only 'forward'", word_of(devices::operation_words, s.kind),
          word_of(devices::precision_words, s.precision), word_of(devices::pass_words, s.pass)));
    }
    const hardware::gpu::Device device = remaining_device();
    if (!model_ || !(model_->device() == device)) model_.emplace(device);
  }

  /// The GPU with the memory channels that are left to it.
  hardware::gpu::Device remaining_device() const {
    hardware::gpu::Device device = settings_.card.device;
    const std::int64_t all = settings_.card.memory_channels;
    const std::int64_t left = settings_.memory_channels;
    if (left > all) {
      throw PointError(fmt::format("memory_channels is {}, but the GPU has {} (hardware.memory.channels)", left, all));
    }
    if (left > 0) device.memory_bandwidth *= static_cast<double>(left) / static_cast<double>(all);
    return device;
  }

  std::string missing_unit() {
    if (!is_language_kernel(settings_.sheet, settings_.language)) {
      return devices::missing_unit("", settings_.card, settings_.sheet.precision);
    }
    hardware::gpu::serving::Card& card = settings_.language_gpu.card;
    const hardware::gpu::Device& device = model_->device();
    card.multiprocessors = device.multiprocessors;
    card.clock = device.clock;
    card.tensor_rate = device.tensor_rate;
    card.memory_bandwidth = device.memory_bandwidth;
    card.cache_capacity = device.cache_capacity;
    return misfit_of(settings_.sheet, settings_.language, settings_.language_gpu);
  }

  /// Kernels of language models have no algorithm, tile or passes; bytes of the cache are not counted.
  KernelResult language_result() const {
    const hardware::gpu::serving::KernelTime time =
        time_of(settings_.sheet, settings_.language, settings_.language_gpu);
    const hardware::gpu::Device& device = model_->device();
    const double peak = settings_.language_gpu.card.peak_rate(factor_bytes_of(settings_.sheet, settings_.language));
    KernelResult result;
    result.time = time.seconds;
    if (settings_.sheet.kind == OperationKind::gemm) result.sheet.gemm = time.seconds * 1e3;
    if (settings_.sheet.kind != OperationKind::gemm) result.sheet.forward = time.seconds * 1e3;
    const double memory = time.memory_bytes / device.memory_bandwidth;
    const double math = time.operations > 0 ? time.operations / peak : 0;
    // Below half of the time both bounds are hidden by latencies.
    result.bound = hardware::gpu::name_of(std::max(memory, math) < time.seconds / 2 ? hardware::gpu::Bound::latency
                                          : memory > math                           ? hardware::gpu::Bound::memory
                                                                                    : hardware::gpu::Bound::math);
    result.split = 1;
    result.launches = 1;
    result.operations = time.operations;
    result.executed_operations = time.operations;
    result.achieved_rate = time.operations / time.seconds;
    result.peak_share = math / time.seconds;
    result.memory_bytes = time.memory_bytes;
    result.parts = {.idle = device.idle_power * time.seconds,
                    .math = device.tensor_energy * time.operations,
                    .memory = device.memory_energy * time.memory_bytes};
    result.energy = result.parts.total();
    result.power = result.energy / time.seconds;
    return result;
  }

  void explain_language(Explanation::Section& section) const {
    const KernelResult r = language_result();
    section.lines.push_back({"time", fmt::format("{:.6g} s", r.time), fmt::format("bound by {}", r.bound)});
    section.lines.push_back(
        {"operations", fmt::format("{:.6g}", r.operations), fmt::format("{:.3g} of the peak", r.peak_share)});
    section.lines.push_back(
        {"memory", fmt::format("{:.6g} B", r.memory_bytes),
         fmt::format("{:.3g} of the bandwidth", r.memory_bytes / model_->device().memory_bandwidth / r.time)});
    section.lines.push_back(
        {"energy", fmt::format("{:.6g} J", r.energy),
         fmt::format("idle {:.3g}, math {:.3g}, memory {:.3g}", r.parts.idle, r.parts.math, r.parts.memory)});
  }

  void put_kernel(const KernelCost& cost, KernelResult& r) const {
    r.bound = hardware::gpu::name_of(cost.bound);
    r.algorithm = hardware::gpu::name_of(cost.algorithm);
    if (cost.tile_rows != 0) r.tile = fmt::format("{}x{}", cost.tile_rows, cost.tile_columns);
    r.split = std::max(1, cost.split);
    r.launches = cost.launches;
    r.executed_operations = cost.operations;
    r.memory_bytes = cost.memory_bytes;
    r.cache_bytes = cost.cache_bytes;
    r.parts = model_->energy(cost);
    r.energy = r.parts.total();
    r.power = r.energy / cost.seconds;
  }

  void explain_kernel(const KernelCost& cost, double operations, Explanation::Section& section) const {
    const hardware::gpu::Device& device = model_->device();
    const hardware::gpu::Energy energy = model_->energy(cost);
    const auto add = [&](const char* name, std::string value, std::string note) {
      section.lines.push_back({name, std::move(value), std::move(note)});
    };
    add("time", fmt::format("{:.6g} s", cost.seconds), fmt::format("bound by {}", hardware::gpu::name_of(cost.bound)));
    add("algorithm", std::string(hardware::gpu::name_of(cost.algorithm)), "the fastest that the library has");
    add("tile", fmt::format("{} x {}", cost.tile_rows, cost.tile_columns),
        fmt::format("depth split into {}", std::max(1, cost.split)));
    add("launches", fmt::format("{}", cost.launches), fmt::format("{:.6g} s", cost.launches * device.launch));
    add("operations", fmt::format("{:.6g}", operations), fmt::format("{:.6g} carried out", cost.operations));
    add("memory", fmt::format("{:.6g} B", cost.memory_bytes),
        fmt::format("{:.6g} s at the bandwidth reached",
                    cost.memory_bytes / (device.memory_bandwidth * device.memory_efficiency)));
    add("energy", fmt::format("{:.6g} J", energy.total()),
        fmt::format("idle {:.3g}, math {:.3g}, cache {:.3g}, memory {:.3g}", energy.idle, energy.math, energy.cache,
                    energy.memory));
  }

  AxisTable<KernelSettings> axes_;
  MetricTable<KernelResult> metrics_;
  Schema schema_;
  KernelSettings settings_;
  std::optional<GpuModel> model_;
};

}  // namespace

std::unique_ptr<System> make_kernel(const ConfigFolders& /*configs*/) { return std::make_unique<KernelSystem>(); }

}  // namespace pimsweep::systems::parts
