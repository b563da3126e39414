#include "systems/llm/newton_costs.h"

#include <cmath>

#include "hardware/refresh.h"

namespace pimsweep::systems::llm {

namespace {

namespace newton = hardware::newton;
using workload::decoder::Kind;

std::int64_t rounded_up(double number) { return Count::of(std::ceil(number)); }

}  // namespace

// Tokens are rows of a fully connected layer; devices share its columns.
Cost NewtonCosts::operator()(const Pim& pim, const workload::decoder::Operator& op,
                             const workload::decoder::Bits& bits) {
  constexpr double element_bits = 16;
  const bool is_product = op.kind == Kind::linear || op.kind == Kind::head;
  if (!pim.is_beside_cards() || !is_product || bits.weights != element_bits) return impossible;
  const newton::Dram& dram = pim.newton.dram;
  hardware::require_time_between_refreshes(dram.nREFI, dram.nRFC);
  const auto devices = static_cast<double>(pim.devices);
  const newton::Result& result = newton_({.height = rounded_up(op.rows),
                                          .width = 1,
                                          .inputs = rounded_up(op.inner),
                                          .outputs = rounded_up(op.columns * op.products / devices)},
                                         dram,
                                         {.controller = newton::Controller::paper,
                                          .channels = pim.newton.count,
                                          .n_gwrite = pim.newton.buffers,
                                          .gwrite_hiding = pim.newton.hides_gwrites});
  const double columns_read = static_cast<double>(Count{result.all_channels.comp} * dram.banks);
  return {.seconds = static_cast<double>(result.busiest.cycles) / dram.clock,
          .bytes = devices * columns_read * static_cast<double>(dram.lanes) * element_bits / 8,
          .energy = devices * newton::energy(result.all_channels, dram)};
}

}  // namespace pimsweep::systems::llm
