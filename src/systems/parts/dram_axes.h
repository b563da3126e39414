#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "hardware/dram/controller.h"
#include "systems/axis_table.h"

namespace pimsweep::systems::parts {

/// What a point of system `dram` says.
struct DramSettings {
  enum class Fidelity : std::uint8_t { analytic, cycle };
  Fidelity fidelity = Fidelity::cycle;
  /// The standard that the channel has to follow, if the point names one.
  std::optional<hardware::dram::Standard> standard;
  hardware::dram::Traffic traffic;
  /// Stands for traffic.mix.
  std::string_view read_fraction;
  hardware::dram::ControllerOptions options;
  hardware::dram::Dram channel;
};

/// Values of axis `standard`.
inline constexpr std::array wanted_standard_words{
    Word<std::optional<hardware::dram::Standard>>{"any", std::nullopt},
    Word<std::optional<hardware::dram::Standard>>{"DDR4(custom)", hardware::dram::Standard::ddr4},
    Word<std::optional<hardware::dram::Standard>>{"DDR4", hardware::dram::Standard::ddr4},
    Word<std::optional<hardware::dram::Standard>>{"GDDR6", hardware::dram::Standard::gddr6},
    Word<std::optional<hardware::dram::Standard>>{"HBM2", hardware::dram::Standard::hbm2}};

AxisTable<DramSettings> dram_axes();

/// Reads a point. Throws PointError where its values do not make a channel and its traffic.
DramSettings read_dram_settings(const AxisTable<DramSettings>& axes, const Point& point);

}  // namespace pimsweep::systems::parts
