#include <fmt/format.h>

#include "hardware/hbm_pim/product.h"
#include "hardware/pim_memory/apply.h"
#include "systems/axis_table.h"
#include "systems/column_table.h"
#include "systems/devices/hbm_pim_axes.h"
#include "systems/devices/pim_memory_axes.h"
#include "systems/parts/parts.h"
#include "systems/roofline.h"

namespace pimsweep::systems::parts {

namespace {

namespace hbm_pim = hardware::hbm_pim;

/// A point of the system `hbm-pim`.
struct HbmPimSettings {
  hbm_pim::ProductShape shape;
  /// Negative: a mean over all phases.
  std::int64_t since_refresh = -1;
  hbm_pim::Device device;
  hardware::pim_memory::Conditions conditions;
};

struct HbmPimResult {
  double clocks = 0;
  double time = 0;
  double energy = 0;
  double refreshes = 0;
  std::int64_t multiplications = 0;
  std::int64_t writes = 0;
};

class HbmPimSystem final : public System, public HasRoofline {
 public:
  HbmPimSystem() {
    HbmPimSettings& s = axes_.layout();
    axes_.count(s.shape.inputs, "inputs", 1, 1 << 24, "inputs of the GEMV: columns of the matrix")
        .count(s.shape.outputs, "outputs", 1, 1 << 24, "outputs of the GEMV: rows of the matrix")
        .count(s.shape.batch, "batch", 1, 1 << 20, "number of vectors that the matrix is multiplied by, in sequence", 1)
        .count(s.since_refresh, "since_refresh", -1, 1e12,
               "clocks since the refresh counter began before the GEMV; -1: mean over all phases", -1, "cycle");
    devices::add_hbm_pim_axes(axes_, "", s.device);
    devices::add_pim_memory_axes(axes_, "hardware.power_limit", s.conditions);
    const HbmPimResult& r = metrics_.layout();
    metrics_.quantity(r.clocks, "clocks", "cycle", "clocks until the banks are back in normal operation")
        .quantity(r.time, "time", "s", "time of the GEMV")
        .quantity(r.energy, "energy", "J", "energy of the GEMV on all channels, assumed: none is published")
        .quantity(r.refreshes, "refreshes", "1", "refreshes of a channel during the GEMV")
        .count(r.multiplications, "multiplications", "all-bank reads of a channel, each with a multiplication")
        .count(r.writes, "writes", "writes of inputs and results in a channel");
    schema_.name = "hbm-pim";
    schema_.main_metrics = {"time", "energy"};
    schema_.doc = "GEMVs on Samsung's HBM-PIM, in closed form";
    schema_.axes = axes_.axes();
    schema_.metrics = metrics_.columns();
  }

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    read(point);
    std::optional<std::int64_t> since_refresh;
    if (settings_.since_refresh >= 0) since_refresh = settings_.since_refresh;
    const hbm_pim::Product product = hbm_pim::product(settings_.device, settings_.shape, since_refresh);
    metrics_.write({.clocks = product.clocks,
                    .time = hbm_pim::seconds(settings_.device, product),
                    .energy = hbm_pim::energy(settings_.device, product),
                    .refreshes = product.refreshes,
                    .multiplications = product.multiplications,
                    .writes = product.writes},
                   record);
    record.status = Status::ok;
  }

  Roofline roofline(const Point& point, const Record& record) override {
    read(point);
    const double share = number_of(schema_, record, "multiplications") *
                         static_cast<double>(settings_.device.timing.nCCDL) / number_of(schema_, record, "clocks");
    return {
        .reason = "each operation reads its weight from the bank, so that operations and bytes keep one ratio",
        .bound = fmt::format("{} (multiplications take {:.0f} % of the clocks)",
                             share >= 0.5 ? "multiplications in the banks" : "activations and transfers", 100 * share)};
  }

 private:
  void read(const Point& point) {
    axes_.read(point, settings_);
    hardware::pim_memory::apply(settings_.conditions, settings_.device);
  }

  AxisTable<HbmPimSettings> axes_;
  MetricTable<HbmPimResult> metrics_;
  Schema schema_;
  HbmPimSettings settings_;
};

}  // namespace

std::unique_ptr<System> make_hbm_pim(const ConfigFolders& /*configs*/) { return std::make_unique<HbmPimSystem>(); }

}  // namespace pimsweep::systems::parts
