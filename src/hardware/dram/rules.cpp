#include "hardware/dram/rules.h"

namespace pimsweep::hardware::dram {

namespace {

using enum Command;

/// Cycles of a command beyond the first.
std::int64_t more_cycles(const CommandBus& bus, Command command) {
  if (command == act) return bus.activate - 1;
  return command == rd || command == wr ? bus.access - 1 : 0;
}

}  // namespace

Rules::Rules(const Dram& dram)
    : read(dram.timing.nCL + dram.timing.nBL),
      act_bus(static_cast<std::int32_t>(dram.commands.activate)),
      column_bus(static_cast<std::int32_t>(dram.commands.access)),
      act_within(static_cast<std::int32_t>(dram.timing.nAAD)),
      odd(dram.commands.grid == 2 ? 1 : 0),
      refresh_interval(dram.timing.nREFI),
      bank_refresh_interval(dram.timing.nREFIpb),
      two_buses(dram.commands.buses == 2),
      apart_(dram.organization.ranks > 1 || dram.organization.stacks > 1) {
  for (Table& table : tables_) {
    for (auto& row : table) row.fill(none);
  }
  for (const Constraint& row : dram.constraints->rows) {
    const std::int64_t clocks =
        row.latency(dram.timing) + more_cycles(dram.commands, row.after) - more_cycles(dram.commands, row.before);
    Table& table = tables_[static_cast<std::size_t>(row.level)];
    std::int32_t& rule = row.window == 1 ? table[index(row.after)][index(row.before)] : four_act_;
    rule = std::max(rule, static_cast<std::int32_t>(clocks));
  }
  for (std::size_t after = 0; after < commands; ++after) {
    for (std::size_t before = 0; before < commands; ++before) {
      std::int32_t& in_group = tables_[static_cast<std::size_t>(Level::group)][after][before];
      in_group = std::max(in_group, tables_[static_cast<std::size_t>(Level::domain)][after][before]);
    }
  }
}

bool Rules::columns_follow_rows() const {
  const bool spaced = domain(act, act) >= std::max(domain(rd, rd), domain(wr, wr)) &&
                      group(act, act) >= std::max(group(rd, rd), group(wr, wr));
  return spaced && plain() && std::min({bank(rd, pre), bank(wr, pre), domain(rd, preab), domain(wr, preab)}) > 0;
}

std::int64_t Rules::longest_column_rule() const {
  return std::max({group(rd, rd), group(wr, wr), group(rd, wr), group(wr, rd), bank(act, rd), bank(act, wr)});
}

std::int64_t Rules::visit() const { return std::max(bank(act, rd) + bank(rd, pre), bank(act, wr) + bank(wr, pre)); }

std::int64_t Rules::bank_refresh_blocks() const {
  return std::max<std::int64_t>(bank(act, act), visit() + bank(pre, act)) + act_bus + std::max(domain(refpb, refpb), 0);
}

std::int64_t Rules::refresh_blocks() const {
  return std::int64_t{domain(act, ref)} + visit() + domain(preab, ref) + std::max(domain(ref, act), domain(ref, preab));
}

}  // namespace pimsweep::hardware::dram
