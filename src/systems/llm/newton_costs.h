#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "hardware/newton/newton.h"
#include "systems/llm/cost.h"
#include "systems/llm/machine.h"
#include "workload/decoder/step.h"

namespace pimsweep::systems::llm {

/// Cost of running an operator once on Newton in the memory of one card, under the paper's controller
/// (docs/newton.md). Keeps its buffers, and the costs of products on the last machine: points of a sweep have few
/// different ones, and counting the commands of one takes a fraction of a millisecond.
class NewtonCosts {
 public:
  /// `impossible` but for products with 16-bit weights. Throws PointError where refreshes leave no time.
  Cost operator()(const Pim& pim, const workload::decoder::Operator& op, const workload::decoder::Bits& bits);

 private:
  /// Rows, inputs and outputs of a product.
  using Shape = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

  /// On one device.
  Cost product(const Shape& shape);

  hardware::newton::Newton newton_;
  NewtonChannels channels_;
  std::map<Shape, Cost> known_;
};

}  // namespace pimsweep::systems::llm
