#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "systems/llm/step/pim_units.h"

namespace pimsweep::systems::llm::step::pim {

/// PIM of which only peaks are published (Duplex, PAPI): operators take the longer of their bytes at the bandwidth and
/// their operations at the rate (roofline), and a latency. Each byte is read once for all rows, tokens or heads that
/// use it: where units cannot hold it, their rate is so low that operations take longer. GEMMs and experts use the
/// weights in the memory of the GPU.
class RatedUnits final : public PimUnits {
 public:
  static constexpr std::string_view name = "rated";

  void add_axes(AxisList& axes) override {
    const auto rate = [&](double& place, const char* key, const char* unit, const char* doc) {
      axes.quantity(place, "hardware.pim.rated." + std::string(key), unit, 0, 1e18, doc, 0);
    };
    rate(attention_.bandwidth, "attention.bandwidth", "B/s", "bandwidth inside a device of rated PIM for attention");
    rate(attention_.rate, "attention.rate", "1/s", "operations of attention in a second on a device of rated PIM");
    rate(gemms_.bandwidth, "products.bandwidth", "B/s",
         "bandwidth inside a device of rated PIM for GEMMs and experts; 0: none of its units run them");
    rate(gemms_.rate, "products.rate", "1/s", "operations of GEMMs in a second on a device of rated PIM");
    axes.quantity(latency_, "hardware.pim.rated.latency", "s", 0, 1, "time of an operator of rated PIM beside its work",
                  0);
  }

  Cost attention(const PimDevices& pim, const Work& work, std::optional<double> /*fullest*/) const override {
    double positions = 0;
    for (const workload::decoder::Sequences& some : work.step.sequences) {
      if (!some.is_prompt) positions += some.count * workload::decoder::read_positions(some, work.step);
    }
    const double bytes = positions * work.step.attention.cached_elements() * work.bits.cache / 8;
    return after_latency(roofline(pim, attention_, bytes, work.op.operations));
  }

  Cost gemm(const PimDevices& pim, const Work& work) const override {
    return after_latency(roofline(pim, gemms_, work.op.weight_bytes, work.op.operations));
  }

  Cost expert(const PimDevices& pim, const workload::decoder::Operator& op, const workload::decoder::ExpertLoad& load,
              double passages) const override {
    const double bytes = op.weight_bytes / op.products;
    const double operations = op.operations * load.tokens / passages;
    return load.active * roofline(pim, gemms_, bytes, operations);
  }
  bool has_expert_units() const override { return gemms_.rate > 0 && gemms_.bandwidth > 0; }
  double experts_latency() const override { return latency_; }

  bool gemms_use_gpu_memory() const override { return true; }

 private:
  /// Peaks of one device for a kind of operator.
  struct Peaks {
    /// Bytes in a second from the banks into the units; 0: the device has none.
    double bandwidth = 0;
    /// Operations in a second.
    double rate = 0;
  };

  /// On all devices of a GPU, which share an operator evenly.
  static Cost roofline(const PimDevices& pim, const Peaks& peaks, double bytes, double operations) {
    if (peaks.bandwidth == 0 || peaks.rate == 0) return impossible;
    return {.seconds = std::max(bytes / peaks.bandwidth, operations / peaks.rate) / static_cast<double>(pim.count),
            .bytes = bytes,
            .energy = bytes * pim.memory_energy + operations * pim.operation_energy};
  }

  Cost after_latency(Cost cost) const {
    cost.seconds += latency_;
    return cost;
  }

  Peaks attention_;
  Peaks gemms_;
  double latency_ = 0;
};

}  // namespace pimsweep::systems::llm::step::pim
