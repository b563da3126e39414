#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/checked.h"
#include "hardware/aim/product.h"
#include "systems/llm/step/pim_units.h"

namespace pimsweep::systems::llm::step::pim {

/// GDDR6-AiM (docs/cent.md), which multiplies a matrix by one vector at a time: a GEMM for each row of activations, and
/// for attention a product of each head in a channel of its own. Its constants are those of PimDevices::aim.
class AimUnits final : public PimUnits {
 public:
  static constexpr std::string_view name = "aim";

  std::optional<double> multipliers(const PimDevices& pim) const override {
    return static_cast<double>(pim.count * pim.aim.channels * pim.aim.banks * pim.aim.lanes);
  }

  /// Devices share the columns.
  Cost gemm(const PimDevices& pim, const Work& work) const override {
    const workload::decoder::Operator& op = work.op;
    const double outputs = op.columns * op.products / static_cast<double>(pim.count);
    return cost_of(pim,
                   {.inputs = Count::of(std::ceil(op.inner)),
                    .outputs = Count::of(std::ceil(outputs)),
                    .channels = pim.aim.channels},
                   op.rows, op.weight_bytes * op.rows);
  }

  /// Queries times keys, and scores times values.
  Cost attention(const PimDevices& pim, const Work& work, std::optional<double> /*fullest*/) const override {
    const workload::decoder::AttentionShape& a = work.step.attention;
    Cost cost;
    for (const workload::decoder::Sequences& some : work.step.sequences) {
      if (some.is_prompt) continue;
      const std::int64_t positions = std::max<std::int64_t>(1, Count::of(std::round(mean_positions(some, work.step))));
      const double heads = some.count * some.new_tokens * a.heads;
      const double rounds = std::ceil(heads / static_cast<double>(pim.count * pim.aim.channels));
      const double bytes = heads * static_cast<double>(positions) * work.bits.cache / 8;
      cost +=
          cost_of(pim, {.inputs = Count::of(std::ceil(a.key_size)), .outputs = positions}, rounds, bytes * a.key_size);
      cost += cost_of(pim, {.inputs = positions, .outputs = Count::of(std::ceil(a.value_size))}, rounds,
                      bytes * a.value_size);
    }
    return cost;
  }

 private:
  static Cost cost_of(const PimDevices& pim, const hardware::aim::ProductShape& shape, double times, double bytes) {
    const hardware::aim::Product product = hardware::aim::product(pim.aim, shape, true);
    return {.seconds = times * hardware::aim::seconds(pim.aim, product),
            .bytes = bytes,
            .energy = times * static_cast<double>(pim.count) *
                      hardware::aim::energy(pim.aim, product, pim.aim.channels).total()};
  }
};

}  // namespace pimsweep::systems::llm::step::pim
