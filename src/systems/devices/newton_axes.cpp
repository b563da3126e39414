#include "systems/devices/newton_axes.h"

#include <fmt/format.h>

#include <optional>

namespace pimsweep::systems::devices {

namespace {

using hardware::newton::Dram;

/// Clocks beyond any DRAM, but far from where 64 bits would overflow.
constexpr double max_cycles = 1e6;
constexpr double max_joules = 1;

class NewtonAxes {
 public:
  NewtonAxes(AxisList& axes, std::string_view prefix, Dram& dram, bool optional)
      : axes_(axes), prefix_(prefix), dram_(dram), optional_(optional) {}

  void add_timing() {
    axes_.quantity(dram_.clock, key("clock"), "Hz", 1e3, 1e12, "clock of the command bus", otherwise(1e9));
    cycles(dram_.nBL, "timing.nBL", 0, "cycles of a data burst (tBL)");
    cycles(dram_.nCCD, "timing.nCCD", 1, "cycles between two column accesses (tCCD)");
    cycles(dram_.nCL, "timing.nCL", 0, "cycles from a column access to its data (tCL)");
    cycles(dram_.nRCD, "timing.nRCD", 0, "cycles from G_ACT to COMP (tRCD for reads)");
    cycles(dram_.nRP, "timing.nRP", 0, "cycles from PREA to G_ACT and REF (tRP)");
    cycles(dram_.nRAS, "timing.nRAS", 0, "cycles from G_ACT to PREA (tRAS); the artifact ignores it");
    cycles(dram_.nRC, "timing.nRC", 0, "cycles of a row cycle (tRC); part of GWRITE to COMP in the artifact");
    cycles(dram_.nFAW, "timing.nFAW", 0, "cycles from G_ACT to the next G_ACT, four banks each (tFAW)");
    cycles(dram_.nRTP, "timing.nRTP", 0, "cycles from COMP to PREA (tRTP); the artifact ignores it");
    cycles(dram_.nRFC, "timing.nRFC", 0, "cycles from REF to G_ACT and REF (tRFC)");
    cycles(dram_.nREFI, "timing.nREFI", 0, "cycles between two refreshes (tREFI)");
    cycles(dram_.gwrite_to_comp, "newton.gwrite_to_comp", 0, "cycles from GWRITE to COMP beyond nRC; artifact only");
    cycles(dram_.comp_to_readres, "newton.comp_to_readres", 1, "cycles from COMP to READRES");
    cycles(dram_.readres_to_gwrite, "newton.readres_to_gwrite", 0, "cycles from READRES to GWRITE");
  }

  void add_organization() {
    axes_
        .flag(dram_.refresh_served, key("newton.refresh_served"),
              "whether the artifact's simulator serves refreshes with this DRAM", otherwise(true))
        .count(dram_.banks, key("newton.banks"), 1, 1024, "banks of a channel, each with a row of multipliers",
               otherwise(1))
        .count(dram_.banks_per_activation, key("newton.banks_per_activation"), 1, 1024, "banks that one G_ACT opens",
               otherwise(1))
        .count(dram_.columns, key("newton.columns"), 1, static_cast<double>(hardware::newton::max_columns),
               "column accesses of a row and of a global buffer", otherwise(1))
        .count(dram_.lanes, key("newton.lanes"), 1, 1024,
               "16-bit elements of a column, one for each multiplier of a bank", otherwise(1));
  }

  void add_energy() {
    hardware::newton::Energy& energy = dram_.energy;
    joules(energy.precharge_bank, "energy.precharge_bank", "energy of PREA for each bank");
    joules(energy.activate_bank, "energy.activate_bank", "energy of G_ACT for each bank");
    joules(energy.refresh, "energy.refresh", "energy of a REF command");
    joules(energy.gwrite, "energy.gwrite", "energy of GWRITE for each global buffer filled");
    joules(energy.readres, "energy.readres", "energy of a READRES command");
    joules(energy.multiply, "energy.multiply", "energy of one multiplication");
    joules(energy.add, "energy.add", "energy of one addition");
    joules(energy.buffer_read, "energy.buffer_read", "energy of a global buffer's column read for one bank");
    joules(energy.row_read, "energy.row_read", "energy of reading all columns of a row for each bank");
  }

 private:
  /// The default of a constant that need not be given.
  template <typename Number>
  std::optional<Number> otherwise(Number value) const {
    return optional_ ? std::optional<Number>(value) : std::nullopt;
  }
  std::string key(std::string_view name) const { return fmt::format("hardware.{}{}", prefix_, name); }
  void cycles(std::int64_t& place, std::string_view name, double min, const char* doc) {
    axes_.count(place, key(name), min, max_cycles, doc, otherwise(static_cast<std::int64_t>(min)), "cycle");
  }
  void joules(double& place, std::string_view name, const char* doc) {
    axes_.quantity(place, key(name), "J", 0, max_joules, doc, otherwise(0.0));
  }

  AxisList& axes_;
  std::string_view prefix_;
  Dram& dram_;
  bool optional_;
};

}  // namespace

void add_newton_axes(AxisList& axes, std::string_view prefix, Dram& dram, bool optional) {
  NewtonAxes all(axes, prefix, dram, optional);
  all.add_timing();
  all.add_organization();
  all.add_energy();
}

}  // namespace pimsweep::systems::devices
