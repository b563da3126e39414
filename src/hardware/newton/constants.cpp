#include "hardware/newton/constants.h"

#include <array>

namespace pimsweep::hardware::newton {

namespace {

/// Clocks beyond any DRAM, but far from where 64 bits would overflow.
constexpr double most_clocks = 1e6;
constexpr double most_joules = 1;

constexpr std::array all{
    Constant{"clock", &Dram::clock, "Hz", 1e3, 1e12, "clock of the command bus"},
    Constant{"timing.nBL", &Dram::nBL, "1", 0, most_clocks, "burst of data (tBL)"},
    Constant{"timing.nCCD", &Dram::nCCD, "1", 1, most_clocks, "column access to column access (tCCD)"},
    Constant{"timing.nCL", &Dram::nCL, "1", 0, most_clocks, "column access to its data (tCL)"},
    Constant{"timing.nRCD", &Dram::nRCD, "1", 0, most_clocks, "G_ACT to COMP (tRCD for reads)"},
    Constant{"timing.nRP", &Dram::nRP, "1", 0, most_clocks, "PREA to G_ACT and REF (tRP)"},
    Constant{"timing.nRAS", &Dram::nRAS, "1", 0, most_clocks, "G_ACT to PREA (tRAS); the artifact ignores it"},
    Constant{"timing.nRC", &Dram::nRC, "1", 0, most_clocks, "row cycle (tRC); part of GWRITE to COMP in the artifact"},
    Constant{"timing.nFAW", &Dram::nFAW, "1", 0, most_clocks, "G_ACT to the next G_ACT, four banks each (tFAW)"},
    Constant{"timing.nRTP", &Dram::nRTP, "1", 0, most_clocks, "COMP to PREA (tRTP); the artifact ignores it"},
    Constant{"timing.nRFC", &Dram::nRFC, "1", 0, most_clocks, "REF to G_ACT and REF (tRFC)"},
    Constant{"timing.nREFI", &Dram::nREFI, "1", 0, most_clocks, "between two refreshes (tREFI)"},
    Constant{"newton.gwrite_to_comp", &Dram::gwrite_to_comp, "1", 0, most_clocks,
             "GWRITE to COMP beyond nRC, in clocks; artifact only"},
    Constant{"newton.comp_to_readres", &Dram::comp_to_readres, "1", 1, most_clocks, "COMP to READRES in clocks"},
    Constant{"newton.readres_to_gwrite", &Dram::readres_to_gwrite, "1", 0, most_clocks, "READRES to GWRITE in clocks"},
    Constant{"newton.refresh_served", &Dram::refresh_served, "1", 0, 1,
             "whether the artifact's simulator serves refreshes with this DRAM"},
    Constant{"newton.banks", &Dram::banks, "1", 1, 1024, "banks of a channel, each with a multiplier row"},
    Constant{"newton.banks_per_activation", &Dram::banks_per_activation, "1", 1, 1024, "banks that one G_ACT opens"},
    Constant{"newton.columns", &Dram::columns, "1", 1, most_columns,
             "column accesses of a row, and of a global buffer"},
    Constant{"newton.lanes", &Dram::lanes, "1", 1, 1024, "16-bit elements of a column: multipliers of a bank"},
    Constant{"energy.precharge_bank", &Energy::precharge_bank, "J", 0, most_joules, "PREA, for each bank"},
    Constant{"energy.activate_bank", &Energy::activate_bank, "J", 0, most_joules, "G_ACT, for each bank"},
    Constant{"energy.refresh", &Energy::refresh, "J", 0, most_joules, "REF"},
    Constant{"energy.gwrite", &Energy::gwrite, "J", 0, most_joules, "GWRITE, for each global buffer filled"},
    Constant{"energy.readres", &Energy::readres, "J", 0, most_joules, "READRES"},
    Constant{"energy.multiply", &Energy::multiply, "J", 0, most_joules, "one multiplication"},
    Constant{"energy.add", &Energy::add, "J", 0, most_joules, "one addition"},
    Constant{"energy.buffer_read", &Energy::buffer_read, "J", 0, most_joules,
             "a column of the global buffer read for one bank"},
    Constant{"energy.row_read", &Energy::row_read, "J", 0, most_joules, "all columns of a row read, for each bank"},
};

}  // namespace

ValueType Constant::type() const {
  if (std::holds_alternative<std::int64_t Dram::*>(member)) return ValueType::integer;
  return std::holds_alternative<bool Dram::*>(member) ? ValueType::boolean : ValueType::real;
}

void Constant::set(Dram& dram, const Value& value) const {
  if (const auto* clocks = std::get_if<std::int64_t Dram::*>(&member)) {
    dram.** clocks = std::get<std::int64_t>(value);
  } else if (const auto* flag = std::get_if<bool Dram::*>(&member)) {
    dram.** flag = std::get<bool>(value);
  } else if (const auto* real = std::get_if<double Dram::*>(&member)) {
    dram.** real = to_real(value);
  } else {
    dram.energy.*std::get<double Energy::*>(member) = to_real(value);
  }
}

std::span<const Constant> constants() { return all; }

}  // namespace pimsweep::hardware::newton
