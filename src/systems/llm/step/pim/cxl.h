#pragma once

#include <string_view>

#include "systems/llm/step/cent/axes.h"
#include "systems/llm/step/cent/machine.h"
#include "systems/llm/step/pim_units.h"

namespace pimsweep::systems::llm::step::pim {

/// CENT's CXL devices, in place of GPUs: a model runs on them as a whole (cent::run). Their DRAM is PimDevices::aim.
class CxlUnits final : public PimUnits {
 public:
  static constexpr std::string_view name = "cxl";

  cent::Machine machine;

  void add_axes(AxisList& axes) override { cent::add_axes(axes, "cxl.", machine); }
  bool is_beside_gpus() const override { return false; }
};

}  // namespace pimsweep::systems::llm::step::pim
