#pragma once

#include "hardware/newton/newton.h"
#include "systems/llm/cost.h"
#include "systems/llm/machine.h"
#include "workload/decoder/step.h"

namespace pimsweep::systems::llm {

/// Cost of running an operator once on Newton in the memory of one card, under the paper's controller
/// (docs/newton.md). Keeps its buffers.
class NewtonCosts {
 public:
  /// `impossible` but for products with 16-bit weights. Throws PointError where refreshes leave no time.
  Cost operator()(const Pim& pim, const workload::decoder::Operator& op, const workload::decoder::Bits& bits);

 private:
  hardware::newton::Newton newton_;
};

}  // namespace pimsweep::systems::llm
