#include "systems/parts/dram/constants.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace pimsweep::systems::parts::dram {

namespace {

namespace hw = hardware::dram;

/// Clocks beyond any DRAM, but far from where 64 bits would overflow.
constexpr double max_clocks = 1e6;
constexpr double max_amperes = 100;

template <auto part, auto member>
constexpr void set_count(hw::Dram& dram, const Value& value) {
  dram.*part.*member = std::get<std::int64_t>(value);
}

template <auto part, auto member>
constexpr void set_real(hw::Dram& dram, const Value& value) {
  dram.*part.*member = to_real(value);
}

template <auto member>
constexpr Constant clocks(std::string_view key, std::string_view doc, double min = 0) {
  return {{key, ValueType::integer, "1", min, max_clocks, doc}, set_count<&hw::Dram::timing, member>};
}

template <auto member>
constexpr Constant count(std::string_view key, double max, std::string_view doc) {
  return {{key, ValueType::integer, "1", 1, max, doc}, set_count<&hw::Dram::organization, member>};
}

template <auto member>
constexpr Constant current(std::string_view key, std::string_view doc) {
  return {{key, ValueType::real, "A", 0, max_amperes, doc}, set_real<&hw::Dram::power, member>};
}

void set_standard(hw::Dram& dram, const Value& value) {
  const auto found = std::find(hw::standard_names.begin(), hw::standard_names.end(), std::get<std::string>(value));
  dram.standard = static_cast<hw::Standard>(found - hw::standard_names.begin());
}

using T = hw::Timing;
using O = hw::Organization;
using P = hw::Power;

constexpr std::array all{
    Constant{
        {"standard", ValueType::text, "1", 0, 0, "whose command rules hold: DDR4, GDDR6 or HBM2", hw::standard_names},
        set_standard},
    Constant{{"clock_period", ValueType::real, "s", 1e-12, 1e-6, "clock of the command bus (tCK)"},
             [](hw::Dram& dram, const Value& value) { dram.tCK = to_real(value); }},
    clocks<&T::nBL>("timing.nBL", "data of one access on the bus (tBL)", 1),
    clocks<&T::nCL>("timing.nCL", "RD to its data (tCL)"),
    clocks<&T::nCWL>("timing.nCWL", "WR to its data (tCWL)"),
    clocks<&T::nRCDRD>("timing.nRCDRD", "ACT to RD (tRCD)"),
    clocks<&T::nRCDWR>("timing.nRCDWR", "ACT to WR (tRCD)"),
    clocks<&T::nRP>("timing.nRP", "PRE to ACT (tRP)"),
    clocks<&T::nRAS>("timing.nRAS", "ACT to PRE (tRAS)"),
    clocks<&T::nRC>("timing.nRC", "ACT to ACT of a bank (tRC)"),
    clocks<&T::nWR>("timing.nWR", "end of written data to PRE (tWR)"),
    clocks<&T::nRTP>("timing.nRTP", "RD to PRE (tRTP)"),
    clocks<&T::nCCDS>("timing.nCCDS", "RD to RD and WR to WR (tCCD_S)"),
    clocks<&T::nCCDL>("timing.nCCDL", "the same within a bank group (tCCD_L)"),
    clocks<&T::nWTRS>("timing.nWTRS", "end of written data to RD (tWTR_S)"),
    clocks<&T::nWTRL>("timing.nWTRL", "the same within a bank group (tWTR_L)"),
    clocks<&T::nRRDS>("timing.nRRDS", "ACT to ACT (tRRD_S)"),
    clocks<&T::nRRDL>("timing.nRRDL", "the same within a bank group (tRRD_L)"),
    clocks<&T::nFAW>("timing.nFAW", "ACT to the fourth ACT after it (tFAW)"),
    clocks<&T::nRFC>("timing.nRFC", "REF of all banks to ACT (tRFC)"),
    clocks<&T::nREFI>("timing.nREFI", "between two REFs (tREFI)", 1),
    clocks<&T::nPPD>("timing.nPPD", "PRE to PRE (tPPD); GDDR6 only"),
    count<&O::domains>("organization.pseudochannels", hw::max_domains,
                       "parts with data timing and refresh of their own: pseudo-channels of HBM, else 1"),
    count<&O::groups>("organization.bankgroups", hw::max_banks, "bank groups of each"),
    count<&O::banks>("organization.banks", hw::max_banks, "banks of a group"),
    count<&O::rows>("organization.rows", 1 << 24, "rows of a bank"),
    count<&O::columns>("organization.accesses_per_row", 1 << 16, "accesses that a row holds: columns / prefetch"),
    Constant{{"organization.access", ValueType::integer, "B", 1, 1 << 16, "data of one access"},
             set_count<&hw::Dram::organization, &O::access_bytes>},
    Constant{{"power.voltage", ValueType::real, "V", 0, 100, "supply (VDD)"}, set_real<&hw::Dram::power, &P::voltage>},
    Constant{{"power.devices", ValueType::integer, "1", 1, 1024, "chips that work in step"},
             set_count<&hw::Dram::power, &P::devices>},
    current<&P::idd0>("power.IDD0", "a chip's current, one bank activated and precharged each tRC"),
    current<&P::idd2n>("power.IDD2N", "all banks closed"),
    current<&P::idd3n>("power.IDD3N", "a bank open"),
    current<&P::idd4r>("power.IDD4R", "reading without a gap"),
    current<&P::idd4w>("power.IDD4W", "writing without a gap"),
    current<&P::idd5>("power.IDD5", "refreshing without a gap"),
    Constant{{"power.data_energy", ValueType::real, "J/B", 0, 1, "moving data, beyond what the currents tell of"},
             set_real<&hw::Dram::power, &P::data_energy>},
};

}  // namespace

std::span<const Constant> constants() { return all; }

std::string problem_of(const hw::Dram& dram) {
  const hw::Organization& o = dram.organization;
  const std::array sizes{std::pair{"organization.pseudochannels", o.domains},
                         std::pair{"organization.bankgroups", o.groups}, std::pair{"organization.banks", o.banks},
                         std::pair{"organization.rows", o.rows}, std::pair{"organization.accesses_per_row", o.columns}};
  for (const auto& [key, size] : sizes) {
    if (!std::has_single_bit(static_cast<std::uint64_t>(size))) {
      return fmt::format("hardware.{} = {} is not a power of two, as address bits need it", key, size);
    }
  }
  if (o.all_banks() > hw::max_banks) {
    return fmt::format("pseudochannels x bankgroups x banks = {}: a channel has at most {} banks", o.all_banks(),
                       hw::max_banks);
  }
  return {};
}

}  // namespace pimsweep::systems::parts::dram
