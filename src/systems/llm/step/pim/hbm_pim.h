#pragma once

#include <cmath>
#include <string_view>

#include "base/checked.h"
#include "hardware/hbm_pim/product.h"
#include "hardware/pim_memory/apply.h"
#include "systems/devices/hbm_pim_axes.h"
#include "systems/llm/step/pim_units.h"

namespace pimsweep::systems::llm::step::pim {

/// Samsung's HBM-PIM as the GPU's own memory (hardware/hbm_pim): GEMMs with 16-bit weights, one vector after another;
/// devices share the columns. No energy is published: bytes and multiplications have assumed energies.
class HbmPimUnits final : public PimUnits {
 public:
  static constexpr std::string_view name = "hbm-pim";

  void add_axes(AxisList& axes) override { devices::add_hbm_pim_axes(axes, "pim.hbm_pim.", device_, true); }
  void apply(const hardware::pim_memory::Conditions& conditions) override {
    hardware::pim_memory::apply(conditions, device_);
  }

  std::optional<double> multipliers(const PimDevices& pim) const override {
    return static_cast<double>(pim.count * device_.channels * device_.units * device_.lanes);
  }

  /// Throws PointError where refreshes leave no time.
  Cost gemm(const PimDevices& pim, const Work& work) const override {
    const workload::decoder::Operator& op = work.op;
    if (op.weight_bits != 8 * hardware::hbm_pim::Device::element_bytes) return impossible;
    const auto devices = static_cast<double>(pim.count);
    const hardware::hbm_pim::Product product =
        hardware::hbm_pim::product(device_, {.inputs = Count::of(std::ceil(op.inner)),
                                             .outputs = Count::of(std::ceil(op.columns * op.products / devices)),
                                             .batch = Count::of(std::ceil(op.rows))});
    return {.seconds = hardware::hbm_pim::seconds(device_, product),
            .bytes = devices * hardware::hbm_pim::read_bytes(device_, product),
            .energy = devices * hardware::hbm_pim::energy(device_, product)};
  }

 private:
  hardware::hbm_pim::Device device_;
};

}  // namespace pimsweep::systems::llm::step::pim
