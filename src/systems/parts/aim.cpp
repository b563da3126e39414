#include <fmt/format.h>

#include "hardware/aim/product.h"
#include "hardware/pim_memory/apply.h"
#include "systems/axis_table.h"
#include "systems/column_table.h"
#include "systems/devices/aim_axes.h"
#include "systems/devices/pim_memory_axes.h"
#include "systems/parts/parts.h"
#include "systems/roofline.h"

namespace pimsweep::systems::parts {

namespace {

namespace aim = hardware::aim;

/// A point of the system `aim`.
struct AimSettings {
  aim::ProductShape shape;
  bool refresh = true;
  aim::Device device;
  hardware::pim_memory::Conditions conditions;
};

struct AimResult {
  std::int64_t clocks = 0;
  double time = 0;
  double energy = 0;
  aim::Commands commands;
};

void add_aim_point_axes(AxisList& axes, AimSettings& s) {
  axes.count(s.shape.inputs, "inputs", 1, 1 << 24, "inputs of the GEMV: columns of the matrix")
      .count(s.shape.outputs, "outputs", 1, 1 << 24, "outputs of the GEMV: rows of the matrix")
      .count(s.shape.channels, "channels", 1, 1 << 16, "channels that share the outputs", 1)
      .choice(s.shape.order, "order", aim::order_words,
              "order of the GEMV: each input part meets all rows that fit, or results are read row by row",
              aim::Order::reuse_gb)
      .flag(s.refresh, "refresh", "refresh of the DRAM, which the simulator of AiM never does", true);
  devices::add_aim_axes(axes, "", s.device);
  devices::add_pim_memory_axes(axes, "hardware.power_limit", s.conditions);
}

void add_aim_metrics(ColumnList& metrics, const AimResult& r) {
  metrics.count(r.clocks, "clocks", "clocks of the command bus until the last result is out", "cycle")
      .quantity(r.time, "time", "s", "time of the GEMV")
      .quantity(r.energy, "energy", "J", "energy of the GEMV on all channels")
      .count(r.commands.act16, "act16", "activations of all banks of a channel")
      .count(r.commands.prea, "prea", "precharges of all banks of a channel")
      .count(r.commands.mac16, "mac16", "columns multiplied in all banks of a channel")
      .count(r.commands.wrgb, "wrgb", "columns written to the global buffer of a channel")
      .count(r.commands.rdmac16, "rdmac16", "result registers read of all banks of a channel")
      .count(r.commands.wrmac16, "wrmac16", "result registers written in all banks of a channel")
      .count(r.commands.tmod, "tmod", "changes of a channel between one bank and all banks")
      .count(r.commands.refab, "refab", "refreshes of a channel");
}

class AimSystem final : public System, public HasRoofline {
 public:
  AimSystem() {
    add_aim_point_axes(axes_, axes_.layout());
    add_aim_metrics(metrics_, metrics_.layout());
    schema_.name = "aim";
    schema_.version = 2;
    schema_.main_metrics = {"time", "energy"};
    schema_.doc = "A GEMV on GDDR6-AiM, in closed form";
    schema_.axes = axes_.axes();
    schema_.metrics = metrics_.columns();
  }

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    read(point);
    const aim::Product product = aim::product(settings_.device, settings_.shape, settings_.refresh);
    metrics_.write({.clocks = product.clocks,
                    .time = aim::seconds(settings_.device, product),
                    .energy = aim::energy(settings_.device, product, settings_.shape.channels).total(),
                    .commands = product.commands},
                   record);
    record.status = Status::ok;
  }

  Roofline roofline(const Point& point, const Record& record) override {
    read(point);
    const double share = number_of(schema_, record, "mac16") * static_cast<double>(settings_.device.timing.nCCD) /
                         number_of(schema_, record, "clocks");
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

  AxisTable<AimSettings> axes_;
  MetricTable<AimResult> metrics_;
  Schema schema_;
  AimSettings settings_;
};

}  // namespace

std::unique_ptr<System> make_aim(const ConfigFolders& /*configs*/) { return std::make_unique<AimSystem>(); }

}  // namespace pimsweep::systems::parts
