#include "systems/parts/kernel/kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "hardware/gpu/gpu_model.h"
#include "systems/gpu_axes.h"
#include "systems/parts/kernel/schema.h"

namespace pimsweep::systems::parts::kernel {

namespace {

hardware::gpu::Precision precision_of(const Point& p) { return systems::precision_of(p.text(sheet::precision)); }

hardware::gpu::Pass pass_of(const Point& p) {
  const std::string& name = p.text(sheet::pass);
  if (name == "forward") return hardware::gpu::Pass::forward;
  return name == "backward_inputs" ? hardware::gpu::Pass::backward_inputs : hardware::gpu::Pass::backward_weights;
}

hardware::gpu::RecurrentShape recurrent_of(const Point& p) {
  return {.gates = sheet::gates_of(p),
          .hidden = p.real(sheet::hidden),
          .batch = p.real(sheet::batch),
          .steps = p.real(sheet::timesteps)};
}

/// What a point asks for: operations as the layer is defined, and the kernels of its passes.
struct Layer {
  double operations = 0;
  std::optional<hardware::gpu::KernelCost> passes[3];
};

/// All passes of a layer that has gradients; integer layers have none.
template <typename CostOf>
void add_passes(Layer& layer, hardware::gpu::Precision number, const CostOf& cost_of) {
  layer.passes[0] = cost_of(hardware::gpu::Pass::forward);
  if (number == hardware::gpu::Precision::int8) return;
  layer.passes[1] = cost_of(hardware::gpu::Pass::backward_inputs);
  layer.passes[2] = cost_of(hardware::gpu::Pass::backward_weights);
}

Layer layer_of(const hardware::gpu::GpuModel& model, const Point& p) {
  const hardware::gpu::Precision number = precision_of(p);
  const std::string& what = p.text(sheet::kind);
  Layer layer;
  if (what == "gemm") {
    layer.operations = 2 * p.real(sheet::size_m) * p.real(sheet::size_n) * p.real(sheet::size_k);
    layer.passes[0] = model.gemm(number, p.real(sheet::size_m), p.real(sheet::size_n), p.real(sheet::size_k));
  } else if (what == "conv") {
    const hardware::gpu::ConvolutionShape shape = sheet::convolution_of<hardware::gpu::ConvolutionShape>(p);
    layer.operations = shape.operations();
    add_passes(layer, number, [&](hardware::gpu::Pass which) { return model.convolution(number, shape, which); });
  } else if (what == "rnn") {
    const hardware::gpu::RecurrentShape shape = recurrent_of(p);
    layer.operations = shape.operations();
    add_passes(layer, number, [&](hardware::gpu::Pass which) { return model.recurrent(number, shape, which); });
  } else if (what == "elementwise") {
    const double elements =
        p.real(sheet::width) * p.real(sheet::height) * p.real(sheet::channels) * p.real(sheet::size_n);
    layer.operations = elements * p.real(sheet::inputs);
    layer.passes[0] = model.elementwise(number, elements, p.real(sheet::inputs));
  } else {
    hardware::gpu::ConvolutionShape shape = sheet::convolution_of<hardware::gpu::ConvolutionShape>(p);
    shape.filters = shape.channels;
    const double taps = shape.outputs() * shape.filter_height * shape.filter_width;
    layer.operations = what == "depthwise" ? 2 * taps : taps;
    layer.passes[0] = what == "depthwise" ? model.depthwise(number, shape) : model.pooling(number, shape);
  }
  return layer;
}

double peak_of(const hardware::gpu::Device& d, hardware::gpu::Precision number, const std::string& what) {
  double rate = d.fp32_rate;
  if (number == hardware::gpu::Precision::half_storage && what == "conv") rate = std::max(d.fp32_rate, d.fp16_rate);
  if (number == hardware::gpu::Precision::tensor && (what == "gemm" || what == "conv" || what == "rnn"))
    rate = d.tensor_rate;
  if (number == hardware::gpu::Precision::int8 && what == "gemm") rate = d.int8_rate;
  if (number == hardware::gpu::Precision::int8 && what == "conv") rate = std::max(d.int8_rate, d.int8_tensor_rate);
  return rate * d.clock * d.multiprocessors;
}

class Kernel final : public System {
 public:
  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& p, Record& record) override {
    sheet::check_device(p, card_.card(p));
    if (std::string reason = card_.missing_unit(p, precision_of(p)); !reason.empty()) {
      record.status = Status::infeasible;
      record.message = std::move(reason);
      return;
    }
    const hardware::gpu::GpuModel& model = model_of(p);
    const Layer layer = layer_of(model, p);
    const hardware::gpu::KernelCost& cost = chosen(layer, p);
    const hardware::gpu::Energy joules = model.energy(cost);
    const std::string& what = p.text(sheet::kind);

    record.status = Status::ok;
    std::vector<Value>& m = record.metrics;
    m[time] = cost.seconds;
    write_times(layer, what, m);
    m[achieved_rate] = layer.operations / cost.seconds;
    m[peak_share] = layer.operations / cost.seconds / peak_of(model.device(), precision_of(p), what);
    m[bound] = std::string(hardware::gpu::name_of(cost.bound));
    m[algorithm] = std::string(hardware::gpu::name_of(cost.algorithm));
    m[tile] = cost.tile_rows == 0 ? std::string() : fmt::format("{}x{}", cost.tile_rows, cost.tile_columns);
    m[split] = static_cast<double>(std::max(1, cost.split));
    m[launches] = cost.launches;
    m[operations] = layer.operations;
    m[executed_operations] = cost.operations;
    m[memory_bytes] = cost.memory_bytes;
    m[cache_bytes] = cost.cache_bytes;
    m[energy] = joules.total();
    m[idle_energy] = joules.idle;
    m[math_energy] = joules.math;
    m[cache_energy] = joules.cache;
    m[memory_energy] = joules.memory;
    m[power] = joules.total() / cost.seconds;
    m[caveat] = caveat_of(p);
  }

  Hash128 workload_hash(const Point&) override { return {}; }

  void explain(const Point& p, Explanation& explanation) override {
    sheet::check_device(p, card_.card(p));
    if (const std::string reason = card_.missing_unit(p, precision_of(p)); !reason.empty()) throw PointError(reason);
    const hardware::gpu::GpuModel& model = model_of(p);
    const Layer layer = layer_of(model, p);
    const char* const names[] = {"forward", "backward_inputs", "backward_weights"};
    for (std::size_t i = 0; i < 3; ++i) {
      if (!layer.passes[i]) continue;
      const hardware::gpu::KernelCost& cost = *layer.passes[i];
      const hardware::gpu::Energy joules = model.energy(cost);
      auto& lines = explanation.section(names[i]).lines;
      lines.push_back({"time", fmt::format("{:.6g} s", cost.seconds),
                       fmt::format("bound by {}", hardware::gpu::name_of(cost.bound))});
      lines.push_back(
          {"algorithm", std::string(hardware::gpu::name_of(cost.algorithm)), "the fastest that the library has"});
      lines.push_back({"tile", fmt::format("{} x {}", cost.tile_rows, cost.tile_columns),
                       fmt::format("depth split into {}", std::max(1, cost.split))});
      lines.push_back({"launches", fmt::format("{}", cost.launches),
                       fmt::format("{:.6g} s", cost.launches * model.device().launch)});
      lines.push_back(
          {"operations", fmt::format("{:.6g}", layer.operations), fmt::format("{:.6g} carried out", cost.operations)});
      lines.push_back(
          {"memory", fmt::format("{:.6g} B", cost.memory_bytes),
           fmt::format("{:.6g} s at the bandwidth reached",
                       cost.memory_bytes / (model.device().memory_bandwidth * model.device().memory_efficiency))});
      lines.push_back({"energy", fmt::format("{:.6g} J", joules.total()),
                       fmt::format("idle {:.3g}, math {:.3g}, cache {:.3g}, memory {:.3g}", joules.idle, joules.math,
                                   joules.cache, joules.memory)});
    }
  }

 private:
  /// What is outside of the measured times that the model was checked with.
  std::string caveat_of(const Point& p) const {
    std::string text;
    const auto add = [&](const char* reason) { text += text.empty() ? reason : std::string("; ") + reason; };
    const std::string& what = p.text(sheet::kind);
    if (what != "gemm" && what != "conv" && what != "rnn") add("no measured times of this kind");
    if (!card_.fitted_on_this_card(p)) add("no measured times of this card");
    if (p.integer(memory_channels) != 0 && p.integer(memory_channels) != card_.memory_channels(p)) {
      add("no measured times with fewer memory channels");
    }
    return text;
  }

  /// With the memory channels that are left to it.
  hardware::gpu::Device device_of(const Point& p) const {
    hardware::gpu::Device card = card_(p);
    const std::int64_t all_channels = card_.memory_channels(p);
    const std::int64_t left = p.integer(memory_channels);
    if (left > all_channels) {
      throw PointError(
          fmt::format("memory_channels is {}, but the card has {} (hardware.memory.channels)", left, all_channels));
    }
    if (left > 0) card.memory_bandwidth *= static_cast<double>(left) / static_cast<double>(all_channels);
    return card;
  }

  static const hardware::gpu::KernelCost& chosen(const Layer& layer, const Point& p) {
    const auto index = static_cast<std::size_t>(pass_of(p));
    if (layer.passes[index]) return *layer.passes[index];
    throw PointError(fmt::format("kind '{}' with precision '{}' has no pass '{}', only 'forward'", p.text(sheet::kind),
                                 p.text(sheet::precision), p.text(sheet::pass)));
  }

  static void write_times(const Layer& layer, const std::string& what, std::vector<Value>& m) {
    constexpr double ms = 1e3;
    if (what == "gemm") {
      m[time_ms] = layer.passes[0]->seconds * ms;
      return;
    }
    m[forward_ms] = layer.passes[0]->seconds * ms;
    if (!layer.passes[1]) return;
    m[backward_inputs_ms] = layer.passes[1]->seconds * ms;
    m[backward_weights_ms] = layer.passes[2]->seconds * ms;
    m[backward_total_ms] = (layer.passes[1]->seconds + layer.passes[2]->seconds) * ms;
  }

  /// The model of the point's device; points that follow each other mostly share it.
  const hardware::gpu::GpuModel& model_of(const Point& p) {
    const hardware::gpu::Device wanted = device_of(p);
    if (!model_ || !(model_->device() == wanted)) model_.emplace(wanted);
    return *model_;
  }

  Schema schema_ = make_schema();
  DeviceReader card_{schema_, ""};
  std::optional<hardware::gpu::GpuModel> model_;
};

}  // namespace

std::unique_ptr<System> make_kernel(const std::string&) { return std::make_unique<Kernel>(); }

std::vector<PolicyInfo> kernel_policies() { return {}; }

}  // namespace pimsweep::systems::parts::kernel
