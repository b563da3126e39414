#include "hardware/newton/constants.h"

#include <array>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace pimsweep::hardware::newton {

namespace {

/// Clocks beyond any DRAM, but far from where 64 bits would overflow.
constexpr double max_clocks = 1e6;
constexpr double max_joules = 1;

template <typename Number>
Number& part(Dram& dram, Number Dram::*member) {
  return dram.*member;
}

template <typename Number>
Number& part(Dram& dram, Number Energy::*member) {
  return dram.energy.*member;
}

void put(std::int64_t& number, const Value& value) { number = std::get<std::int64_t>(value); }
void put(double& number, const Value& value) { number = to_real(value); }
void put(bool& flag, const Value& value) { flag = std::get<bool>(value); }

template <typename Number>
constexpr ValueType type_of = ValueType::real;
template <>
constexpr ValueType type_of<std::int64_t> = ValueType::integer;
template <>
constexpr ValueType type_of<bool> = ValueType::boolean;

template <auto member>
constexpr Constant constant(std::string_view key, std::string_view unit, double min, double max, std::string_view doc) {
  using Number = std::remove_reference_t<decltype(part(std::declval<Dram&>(), member))>;
  return {{key, type_of<Number>, unit, min, max, doc},
          [](Dram& dram, const Value& value) { put(part(dram, member), value); }};
}

constexpr std::array all{
    constant<&Dram::clock>("clock", "Hz", 1e3, 1e12, "clock of the command bus"),
    constant<&Dram::nBL>("timing.nBL", "cycle", 0, max_clocks, "burst of data (tBL)"),
    constant<&Dram::nCCD>("timing.nCCD", "cycle", 1, max_clocks, "column access to column access (tCCD)"),
    constant<&Dram::nCL>("timing.nCL", "cycle", 0, max_clocks, "column access to its data (tCL)"),
    constant<&Dram::nRCD>("timing.nRCD", "cycle", 0, max_clocks, "G_ACT to COMP (tRCD for reads)"),
    constant<&Dram::nRP>("timing.nRP", "cycle", 0, max_clocks, "PREA to G_ACT and REF (tRP)"),
    constant<&Dram::nRAS>("timing.nRAS", "cycle", 0, max_clocks, "G_ACT to PREA (tRAS); the artifact ignores it"),
    constant<&Dram::nRC>("timing.nRC", "cycle", 0, max_clocks,
                         "row cycle (tRC); part of GWRITE to COMP in the artifact"),
    constant<&Dram::nFAW>("timing.nFAW", "cycle", 0, max_clocks, "G_ACT to the next G_ACT, four banks each (tFAW)"),
    constant<&Dram::nRTP>("timing.nRTP", "cycle", 0, max_clocks, "COMP to PREA (tRTP); the artifact ignores it"),
    constant<&Dram::nRFC>("timing.nRFC", "cycle", 0, max_clocks, "REF to G_ACT and REF (tRFC)"),
    constant<&Dram::nREFI>("timing.nREFI", "cycle", 0, max_clocks, "between two refreshes (tREFI)"),
    constant<&Dram::gwrite_to_comp>("newton.gwrite_to_comp", "cycle", 0, max_clocks,
                                    "GWRITE to COMP beyond nRC, in clocks; artifact only"),
    constant<&Dram::comp_to_readres>("newton.comp_to_readres", "cycle", 1, max_clocks, "COMP to READRES in clocks"),
    constant<&Dram::readres_to_gwrite>("newton.readres_to_gwrite", "cycle", 0, max_clocks,
                                       "READRES to GWRITE in clocks"),
    constant<&Dram::refresh_served>("newton.refresh_served", "1", 0, 1,
                                    "whether the artifact's simulator serves refreshes with this DRAM"),
    constant<&Dram::banks>("newton.banks", "1", 1, 1024, "banks of a channel, each with a multiplier row"),
    constant<&Dram::banks_per_activation>("newton.banks_per_activation", "1", 1, 1024, "banks that one G_ACT opens"),
    constant<&Dram::columns>("newton.columns", "1", 1, max_columns, "column accesses of a row, and of a global buffer"),
    constant<&Dram::lanes>("newton.lanes", "1", 1, 1024, "16-bit elements of a column: multipliers of a bank"),
    constant<&Energy::precharge_bank>("energy.precharge_bank", "J", 0, max_joules, "PREA, for each bank"),
    constant<&Energy::activate_bank>("energy.activate_bank", "J", 0, max_joules, "G_ACT, for each bank"),
    constant<&Energy::refresh>("energy.refresh", "J", 0, max_joules, "REF"),
    constant<&Energy::gwrite>("energy.gwrite", "J", 0, max_joules, "GWRITE, for each global buffer filled"),
    constant<&Energy::readres>("energy.readres", "J", 0, max_joules, "READRES"),
    constant<&Energy::multiply>("energy.multiply", "J", 0, max_joules, "one multiplication"),
    constant<&Energy::add>("energy.add", "J", 0, max_joules, "one addition"),
    constant<&Energy::buffer_read>("energy.buffer_read", "J", 0, max_joules,
                                   "a column of the global buffer read for one bank"),
    constant<&Energy::row_read>("energy.row_read", "J", 0, max_joules, "all columns of a row read, for each bank"),
};

}  // namespace

std::span<const Constant> constants() { return all; }

}  // namespace pimsweep::hardware::newton
