#include "systems/llm/pim_costs.h"

#include <algorithm>
#include <cmath>

#include "hardware/aim/product.h"
#include "hardware/attention_pim/attention.h"
#include "hardware/refresh.h"
#include "systems/llm/channel_attention.h"
#include "systems/llm/expert_costs.h"

namespace pimsweep::systems::llm {

namespace {

namespace aim = hardware::aim;
namespace attention_pim = hardware::attention_pim;
using workload::decoder::Bits;
using workload::decoder::Kind;
using workload::decoder::Operator;
using workload::decoder::Sequences;
using workload::decoder::Step;

std::int64_t whole(double number) { return Count::of(std::ceil(number)); }

/// Positions that a query of a sequence reads on average.
std::int64_t positions_of(const Sequences& some, const Step& step) {
  return std::max<std::int64_t>(
      1, Count::of(std::round(workload::decoder::attended_positions(some, step.window) / some.new_tokens)));
}

/// Attention of the sequences that decode, on stacks that each take an equal share of the heads: heads are dealt to
/// stacks one after the other, so that the first one has the most of them. A head of the device has as many elements as
/// a key or a value of the model on average.
Cost stack_attention(const Pim& pim, const Step& step, const Bits& bits) {
  const workload::decoder::AttentionShape& a = step.attention;
  const auto stacks = static_cast<double>(pim.devices);
  Cost cost;
  double dealt = 0;
  double on_first = 0;
  for (const Sequences& some : step.sequences) {
    if (some.is_prompt) continue;
    const double heads = some.count * some.new_tokens * a.heads;
    dealt += heads;
    const double before = on_first;
    on_first = std::ceil(dealt / stacks);
    if (on_first == before) continue;
    const attention_pim::AttentionShape shape{.heads = whole(on_first - before),
                                              .context = positions_of(some, step),
                                              .head_size = whole((a.key_size + a.value_size) / 2),
                                              .value_bytes = bits.cache / 8};
    const attention_pim::Attention attention = attention_pim::attention(
        pim.stack, shape, {.placement = pim.placement, .power_limit = pim.power_limit, .refresh = pim.refresh});
    cost.seconds += attention.time;
    cost.energy += stacks * attention.energy.total();
    cost.bytes += stacks * static_cast<double>(shape.heads) * static_cast<double>(shape.context) *
                  (a.key_size + a.value_size) * bits.cache / 8;
  }
  return cost;
}

/// Products by the units of attention PIM: rows of a bank are opened one after the other, and all of a row's columns
/// meet the multipliers, anew for each row of the other factor.
Cost stack_product(const Pim& pim, const Operator& op) {
  const attention_pim::Device& d = pim.stack;
  const double interval = static_cast<double>(d.mac_interval(pim.placement, pim.power_limit));
  const double columns = static_cast<double>(d.columns);
  const double row_clocks =
      std::max(columns * interval + static_cast<double>(d.nRCD + d.nRTP), static_cast<double>(d.nRAS)) +
      static_cast<double>(d.nRP);
  const double row_bytes = columns * static_cast<double>(d.column_bytes * d.units(pim.placement) * d.channels);
  hardware::require_time_between_refreshes(d.nREFI, d.nRFC);
  const double refreshes = static_cast<double>(d.nREFI) / static_cast<double>(d.nREFI - d.nRFC);
  const double bytes = op.weight_bytes * op.rows;
  const double rows = std::ceil(op.weight_bytes / (row_bytes * static_cast<double>(pim.devices))) * op.rows;
  return {.seconds = rows * row_clocks * refreshes / d.clock,
          .bytes = bytes,
          .energy = bytes * d.cell_energy(pim.placement) + op.operations / 2 * d.energy.multiply};
}

Cost cost_of(const Pim& pim, const aim::Product& product, double times, double bytes) {
  const double devices = static_cast<double>(pim.devices);
  return {.seconds = times * aim::seconds(pim.aim, product),
          .bytes = bytes,
          .energy = times * devices * aim::energy(pim.aim, product, pim.aim.channels).total()};
}

/// A product for each row of the other factor; devices share the columns.
Cost aim_product(const Pim& pim, const Operator& op) {
  const aim::Product product =
      aim::product(pim.aim,
                   {.inputs = whole(op.inner),
                    .outputs = whole(op.columns * op.products / static_cast<double>(pim.devices)),
                    .channels = pim.aim.channels},
                   true);
  return cost_of(pim, product, op.rows, op.weight_bytes * op.rows);
}

/// Queries times keys, and scores times values, each a product of one head in a channel of its own.
Cost aim_attention(const Pim& pim, const Step& step, const Bits& bits) {
  const workload::decoder::AttentionShape& a = step.attention;
  Cost cost;
  for (const Sequences& some : step.sequences) {
    if (some.is_prompt) continue;
    const std::int64_t positions = positions_of(some, step);
    const double heads = some.count * some.new_tokens * a.heads;
    const double rounds = std::ceil(heads / static_cast<double>(pim.devices * pim.aim.channels));
    const double bytes = heads * static_cast<double>(positions) * bits.cache / 8;
    cost += cost_of(pim, aim::product(pim.aim, {.inputs = whole(a.key_size), .outputs = positions}, true), rounds,
                    bytes * a.key_size);
    cost += cost_of(pim, aim::product(pim.aim, {.inputs = positions, .outputs = whole(a.value_size)}, true), rounds,
                    bytes * a.value_size);
  }
  return cost;
}

}  // namespace

Cost pim_cost(const Pim& pim, const Operator& op, const Step& step, const Bits& bits,
              std::span<const std::int32_t> assigned) {
  const bool is_product = op.kind == Kind::linear || op.kind == Kind::head;
  if (!pim.is_beside_cards()) return impossible;
  if (op.kind == Kind::experts) return all_on_pim(pim, op, step);
  if (!is_product && op.kind != Kind::attention) return impossible;
  switch (pim.kind) {
    case PimKind::attention:
      return is_product ? stack_product(pim, op) : stack_attention(pim, step, bits);
    case PimKind::aim:
      return is_product ? aim_product(pim, op) : aim_attention(pim, step, bits);
    case PimKind::rated: {
      const auto devices = static_cast<double>(pim.devices);
      return is_product ? rated_product(pim.rated, devices, op) : rated_attention(pim.rated, devices, op, step, bits);
    }
    case PimKind::channels:
      return is_product ? impossible : channel_attention(pim, op, step, bits, assigned);
    case PimKind::none:
    case PimKind::newton:
    case PimKind::cxl:
      break;
  }
  return impossible;
}

}  // namespace pimsweep::systems::llm
