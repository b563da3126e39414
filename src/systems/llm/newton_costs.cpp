#include "systems/llm/newton_costs.h"

#include <cmath>

#include "base/error.h"

namespace pimsweep::systems::llm {

namespace {

namespace newton = hardware::newton;
using workload::decoder::Kind;

constexpr double element_bits = 16;

std::int64_t rounded_up(double number) { return Count::of(std::ceil(number)); }

}  // namespace

// Tokens are rows of a fully connected layer; devices share its columns.
Cost NewtonCosts::operator()(const Pim& pim, const workload::decoder::Operator& op,
                             const workload::decoder::Bits& bits) {
  constexpr std::size_t max_known = 1 << 16;
  const bool is_product = op.kind == Kind::linear || op.kind == Kind::head;
  if (!pim.is_beside_cards() || !is_product || bits.weights != element_bits) return impossible;
  if (channels_ != pim.newton || known_.size() > max_known) {
    channels_ = pim.newton;
    known_.clear();
  }
  const auto devices = static_cast<double>(pim.devices);
  const Shape shape{rounded_up(op.rows), rounded_up(op.inner), rounded_up(op.columns * op.products / devices)};
  auto found = known_.find(shape);
  if (found == known_.end()) found = known_.emplace(shape, product(shape)).first;
  const Cost& one = found->second;
  return {.seconds = one.seconds, .bytes = devices * one.bytes, .energy = devices * one.energy};
}

Cost NewtonCosts::product(const Shape& shape) {
  const auto [rows, inputs, outputs] = shape;
  const newton::Dram& dram = channels_.dram;
  const newton::Result& result = newton_({.height = rows, .width = 1, .inputs = inputs, .outputs = outputs}, dram,
                                         {.controller = newton::Controller::paper,
                                          .channels = channels_.count,
                                          .n_gwrite = channels_.buffers,
                                          .gwrite_hiding = channels_.hides_gwrites});
  if (!result.failure.empty()) throw PointError(result.failure);
  const double columns_read = static_cast<double>(Count{result.all_channels.comp} * dram.banks);
  return {.seconds = static_cast<double>(result.busiest.cycles) / dram.clock,
          .bytes = columns_read * static_cast<double>(dram.lanes) * element_bits / 8,
          .energy = newton::energy(result.all_channels, dram)};
}

}  // namespace pimsweep::systems::llm
