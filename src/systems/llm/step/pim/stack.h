#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "base/checked.h"
#include "hardware/attention_pim/attention.h"
#include "hardware/pim_memory/apply.h"
#include "hardware/refresh.h"
#include "systems/llm/step/pim_units.h"

namespace pimsweep::systems::llm::step::pim {

/// Stacks with AttAcc's units (ASPLOS 2024; hardware/attention_pim). Each takes an equal share of the heads. Their
/// multipliers hold nothing, so that each query of a group reads keys and values again, and each row of a GEMM its
/// weights.
class StackUnits final : public PimUnits {
 public:
  static constexpr std::string_view name = "attention";

  hardware::attention_pim::Device stack;
  hardware::attention_pim::ClockOptions options;

  void add_axes(AxisList& axes) override;
  void apply(const hardware::pim_memory::Conditions& conditions) override {
    hardware::pim_memory::apply(conditions, options.placement, stack);
  }

  std::optional<double> multipliers(const PimDevices& pim) const override {
    return static_cast<double>(pim.count * stack.channels * stack.units(options.placement) * stack.column_bytes) / 2;
  }

  bool is_monotone_in_context() const override { return false; }

  /// Heads are dealt to stacks one after the other, so that the first one has the most of them. A head of the device
  /// has as many elements as a key or a value of the model on average.
  Cost attention(const PimDevices& pim, const Work& work, std::optional<double> /*fullest*/) const override {
    const workload::decoder::AttentionShape& a = work.step.attention;
    const auto stacks = static_cast<double>(pim.count);
    Cost cost;
    double dealt = 0;
    double on_first = 0;
    for (const workload::decoder::Sequences& some : work.step.sequences) {
      if (some.is_prompt) continue;
      const double heads = some.count * some.new_tokens * a.heads;
      dealt += heads;
      const double before = on_first;
      on_first = std::ceil(dealt / stacks);
      if (on_first == before) continue;
      const double positions = std::max(1.0, std::round(mean_positions(some, work.step)));
      const hardware::attention_pim::AttentionShape shape{
          .heads = Count::of(std::ceil(on_first - before)),
          .context = Count::of(positions),
          .head_size = Count::of(std::ceil((a.key_size + a.value_size) / 2)),
          .value_bytes = work.bits.cache / 8};
      const hardware::attention_pim::Attention attention = hardware::attention_pim::attention(stack, shape, options);
      cost.seconds += attention.time;
      cost.energy += stacks * attention.energy.total();
      cost.bytes += stacks * static_cast<double>(shape.heads) * static_cast<double>(shape.context) *
                    (a.key_size + a.value_size) * work.bits.cache / 8;
    }
    return cost;
  }

  /// Rows of a bank are opened one after the other, and all columns of a row meet the multipliers.
  Cost gemm(const PimDevices& pim, const Work& work) const override {
    const workload::decoder::Operator& op = work.op;
    const hardware::attention_pim::Device& d = stack;
    const double interval = static_cast<double>(d.mac_interval(options.placement, options.power_limit));
    const double columns = static_cast<double>(d.columns);
    const double row_clocks =
        std::max(columns * interval + static_cast<double>(d.nRCD + d.nRTP), static_cast<double>(d.nRAS)) +
        static_cast<double>(d.opening(options.placement) + d.nRP);
    const double row_bytes = columns * static_cast<double>(d.column_bytes * d.units(options.placement) * d.channels);
    hardware::require_time_between_refreshes(d.nREFI, d.nRFC);
    const double refreshes = static_cast<double>(d.nREFI) / static_cast<double>(d.nREFI - d.nRFC);
    const double bytes = op.weight_bytes * op.rows;
    const double rows = std::ceil(op.weight_bytes / (row_bytes * static_cast<double>(pim.count))) * op.rows;
    return {.seconds = rows * row_clocks * refreshes / d.clock,
            .bytes = bytes,
            .energy = bytes * d.cell_energy(options.placement) + op.operations / 2 * d.energy.multiply};
  }
};

inline void StackUnits::add_axes(AxisList& axes) {
  hardware::attention_pim::Device& d = stack;
  const auto clocks = [&](std::int64_t& place, const char* key, const char* doc, std::int64_t value) {
    axes.count(place, "hardware.pim.stack." + std::string(key), 0, 1e9, doc, value, "cycle");
  };
  const auto number = [&](std::int64_t& place, const char* key, const char* doc, std::int64_t value) {
    axes.count(place, "hardware.pim.stack." + std::string(key), 1, 1 << 16, doc, value);
  };
  axes.choice(options.placement, "hardware.pim.stack.placement", hardware::attention_pim::placement_words,
              "location of the multipliers of attention PIM: at banks, bank groups, or on the buffer die",
              hardware::attention_pim::Placement::bank)
      .flag(options.power_limit, "hardware.pim.stack.power_limit",
            "slower multiplications of attention PIM that respect the power limit of the stack", true)
      .flag(options.refresh, "hardware.pim.stack.refresh", "refresh of attention PIM while it works", true)
      .quantity(d.clock, "hardware.pim.stack.clock", "Hz", 1e3, 1e12, "command clock of attention PIM", 1e9);
  number(d.channels, "channels", "channels of a stack with attention PIM", 16);
  number(d.pseudo_channels, "pseudo_channels", "pseudo-channels of a channel of attention PIM", 2);
  number(d.ranks, "ranks", "ranks of a pseudo-channel of attention PIM", 1);
  number(d.bank_groups, "bank_groups", "bank groups of a rank of attention PIM", 4);
  number(d.banks, "banks", "banks of a bank group of attention PIM", 4);
  number(d.columns, "columns", "columns of a row of attention PIM", 32);
  number(d.column_bytes, "column_bytes", "bytes of a column access of attention PIM", 32);
  number(d.barrier_rows, "barrier_rows", "rows of scores between two barriers of attention PIM", 16);
  clocks(d.nBL, "nBL", "burst length of attention PIM on the data bus", 2);
  clocks(d.nCCDS, "nCCDS", "column accesses of attention PIM in different bank groups", 2);
  clocks(d.nCCDL, "nCCDL", "column accesses of attention PIM in the same bank group", 4);
  clocks(d.nMAC, "nMAC", "multiplications of all banks of attention PIM, one after another", 4);
  clocks(d.nMAC_power_limit, "nMAC_power_limit", "multiplications of all banks of attention PIM under the power limit",
         6);
  clocks(d.nRCD, "nRCD", "opening a row of attention PIM to its first access", 19);
  clocks(d.nRP, "nRP", "closing a row of attention PIM", 19);
  clocks(d.nRAS, "nRAS", "opening a row of attention PIM to closing it", 45);
  clocks(d.nRTP, "nRTP", "last access of attention PIM to closing the row", 8);
  clocks(d.nFAW, "nFAW", "window of four row openings of attention PIM; 0: all banks of a pseudo-channel open at once",
         0);
  clocks(d.nRFC, "nRFC", "duration of a refresh of attention PIM", 455);
  clocks(d.nREFI, "nREFI", "interval between refreshes of attention PIM", 5070);
  const auto energy = [&](double& place, const char* key, const char* unit, const char* doc) {
    axes.quantity(place, "hardware.pim.stack.energy." + std::string(key), unit, 0, 1, doc, 0);
  };
  energy(d.energy.activate, "activate", "J/B", "energy of opening and closing a row, by byte of the row");
  energy(d.energy.cell_read, "cell_read", "J/B", "energy of a byte from the cells of attention PIM");
  energy(d.energy.bank_group_mux, "bank_group_mux", "J/B", "energy of a byte from bank to bank-group multiplexer");
  energy(d.energy.global_io, "global_io", "J/B", "energy of a byte over the global lines of a DRAM die");
  energy(d.energy.tsv, "tsv", "J/B", "energy of a byte through the stack");
  energy(d.energy.interposer, "interposer", "J/B", "energy of a byte over the interposer");
  energy(d.energy.multiply, "multiply", "J", "energy of a multiplication of attention PIM");
}

}  // namespace pimsweep::systems::llm::step::pim
