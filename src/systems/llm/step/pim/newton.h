#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>

#include "base/checked.h"
#include "base/error.h"
#include "hardware/newton/newton.h"
#include "hardware/pim_memory/apply.h"
#include "systems/devices/newton_axes.h"
#include "systems/llm/step/pim_units.h"

namespace pimsweep::systems::llm::step::pim {

/// Newton in the channels of the GPU's own memory, under the paper's controller (docs/newton.md): GEMMs with 16-bit
/// weights, whose tokens are rows of a fully connected layer; devices share its columns. Keeps its buffers, and the
/// costs of layers on the last machine: points of a sweep have few different ones, and counting the commands of one
/// takes a fraction of a millisecond.
class NewtonUnits final : public PimUnits {
 public:
  static constexpr std::string_view name = "newton";

  void add_axes(AxisList& axes) override {
    constexpr auto max_channels = static_cast<double>(hardware::newton::max_channels);
    axes.count(channels_.count, "hardware.pim.newton.channels", 1, max_channels,
               "channels of a GPU's memory that have Newton's multipliers", 1)
        .count(channels_.buffers, "hardware.pim.newton.buffers", 1, max_channels,
               "global buffers of a Newton channel, for inputs that share an opened row", 1)
        .flag(channels_.hides_gwrites, "hardware.pim.newton.gwrite_hiding",
              "opening of Newton's rows while inputs are on their way to the global buffer", false);
    devices::add_newton_axes(axes, "pim.", channels_.dram, true);
  }

  void apply(const hardware::pim_memory::Conditions& conditions) override {
    hardware::pim_memory::apply(conditions, channels_.count, channels_.dram);
  }

  std::optional<double> multipliers(const PimDevices& pim) const override {
    return static_cast<double>(pim.count * channels_.count * channels_.dram.banks * channels_.dram.lanes);
  }

  /// Throws PointError where refreshes leave no time.
  Cost gemm(const PimDevices& pim, const Work& work) const override {
    constexpr std::size_t max_known = 1 << 16;
    const workload::decoder::Operator& op = work.op;
    if (op.weight_bits != element_bits) return impossible;
    if (known_->channels != channels_ || known_->layers.size() > max_known) {
      known_->channels = channels_;
      known_->layers.clear();
    }
    const auto devices = static_cast<double>(pim.count);
    const Shape shape{Count::of(std::ceil(op.rows)), Count::of(std::ceil(op.inner)),
                      Count::of(std::ceil(op.columns * op.products / devices))};
    auto found = known_->layers.find(shape);
    if (found == known_->layers.end()) found = known_->layers.emplace(shape, layer(shape)).first;
    const Cost& one = found->second;
    return {.seconds = one.seconds, .bytes = devices * one.bytes, .energy = devices * one.energy};
  }

 private:
  static constexpr double element_bits = 16;
  /// Rows, inputs and outputs of a layer.
  using Shape = std::tuple<std::int64_t, std::int64_t, std::int64_t>;
  struct Channels {
    std::int64_t count = 0;
    /// Global buffers of a channel.
    std::int64_t buffers = 1;
    bool hides_gwrites = false;
    hardware::newton::Dram dram;

    friend bool operator==(const Channels&, const Channels&) = default;
  };

  /// Costs of layers on the last machine, and the buffers of Newton.
  struct Known {
    Channels channels;
    std::map<Shape, Cost> layers;
    hardware::newton::Newton newton;
  };

  /// On one device.
  Cost layer(const Shape& shape) const {
    const auto [rows, inputs, outputs] = shape;
    const hardware::newton::Dram& dram = channels_.dram;
    const hardware::newton::Result& result =
        known_->newton({.height = rows, .width = 1, .inputs = inputs, .outputs = outputs}, dram,
                       {.controller = hardware::newton::Controller::paper,
                        .channels = channels_.count,
                        .n_gwrite = channels_.buffers,
                        .gwrite_hiding = channels_.hides_gwrites});
    if (!result.failure.empty()) throw PointError(result.failure);
    const double columns_read = static_cast<double>(Count{result.all_channels.comp} * dram.banks);
    return {.seconds = static_cast<double>(result.busiest.cycles) / dram.clock,
            .bytes = columns_read * static_cast<double>(dram.lanes) * element_bits / 8,
            .energy = hardware::newton::energy(result.all_channels, dram)};
  }

  Channels channels_;
  /// Shared by copies of a machine.
  std::shared_ptr<Known> known_ = std::make_shared<Known>();
};

}  // namespace pimsweep::systems::llm::step::pim
