#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "base/checked.h"
#include "hardware/hbm_pim/product.h"
#include "systems/devices/hbm_pim_axes.h"
#include "systems/llm/step/pim_units.h"

namespace pimsweep::systems::llm::step::pim {

/// Samsung's HBM-PIM as the GPU's own memory (hardware/hbm_pim): GEMMs with 16-bit weights, one vector after another;
/// devices share the columns. No energy is published: bytes and multiplications have assumed energies.
class HbmPimUnits final : public PimUnits {
 public:
  static constexpr std::string_view name = "hbm-pim";

  void add_axes(AxisList& axes) override {
    devices::add_hbm_pim_axes(axes, "pim.hbm_pim.", device_, true);
    const auto energy = [&](double& place, const char* key, const char* unit, const char* doc) {
      axes.quantity(place, std::string("hardware.pim.hbm_pim.energy.") + key, unit, 0, 1, doc, 0);
    };
    energy(cells_, "cells", "J/B", "energy of a byte from the cells of HBM-PIM to its multipliers");
    energy(writes_, "writes", "J/B", "energy of a byte of inputs or results that is written to the banks of HBM-PIM");
    energy(multiply_, "multiply", "J", "energy of a multiplication of HBM-PIM");
  }

  /// Throws PointError where refreshes leave no time.
  Cost gemm(const PimDevices& pim, const Work& work) const override {
    const workload::decoder::Operator& op = work.op;
    if (op.weight_bits != 8 * element_bytes) return impossible;
    const auto devices = static_cast<double>(pim.count);
    const hardware::hbm_pim::Product product =
        hardware::hbm_pim::product(device_, {.inputs = Count::of(std::ceil(op.inner)),
                                             .outputs = Count::of(std::ceil(op.columns * op.products / devices)),
                                             .batch = Count::of(std::ceil(op.rows))});
    const double burst_bytes = static_cast<double>(device_.lanes) * element_bytes;
    const double units = devices * static_cast<double>(device_.channels * device_.units);
    const double read = static_cast<double>(product.multiplications) * units * burst_bytes;
    const double written = static_cast<double>(product.writes) * units * burst_bytes;
    return {.seconds = hardware::hbm_pim::seconds(device_, product),
            .bytes = read,
            .energy = read * cells_ + written * writes_ + read / element_bytes * multiply_};
  }

 private:
  static constexpr double element_bytes = 2;

  hardware::hbm_pim::Device device_;
  double cells_ = 0;
  double writes_ = 0;
  double multiply_ = 0;
};

}  // namespace pimsweep::systems::llm::step::pim
