#include <fmt/format.h>

#include "systems/axis_table.h"
#include "systems/column_table.h"
#include "systems/devices/silicon_axes.h"
#include "systems/parts/parts.h"

namespace pimsweep::systems::parts {

namespace {

/// A point of the system `silicon`.
struct SiliconSettings {
  hardware::silicon::Parts parts;
  hardware::silicon::Densities densities;
};

void add_axes(AxisList& axes, SiliconSettings& settings) {
  const auto add = [&](double& place, const char* name, const char* unit, const char* doc, double min = 0) {
    axes.quantity(place, name, unit, min, 1e18, doc, min);
  };
  hardware::silicon::Parts& p = settings.parts;
  add(p.processors, "processors", "1", "dies of hardware.processor_area");
  add(p.units, "units", "1", "processing elements of all dies");
  add(p.lanes, "lanes", "1", "lanes of nonlinear units");
  add(p.sram_bytes, "sram", "B", "capacity of all SRAM buffers");
  add(p.link_bytes, "links", "B", "width of all links together");
  add(p.logic_area, "logic", "m^2", "logic whose area is known");
  add(p.logic_dies, "logic_dies", "1", "dies that share the logic equally", 1);
  add(p.dram_bytes, "dram", "B", "capacity of all DRAM");
  devices::add_silicon_axes(axes, settings.densities, "");
}

class SiliconSystem final : public System {
 public:
  SiliconSystem() {
    add_axes(axes_, axes_.layout());
    devices::add_silicon_metrics(metrics_, metrics_.layout(), "the given parts", "neither densities nor prices given");
    schema_.name = "silicon";
    schema_.main_metrics = {"area", "cost"};
    schema_.doc = "Area and cost of parts of machines, by densities, yield and prices";
    schema_.axes = axes_.axes();
    schema_.metrics = metrics_.columns();
  }

  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    const SiliconSettings settings = axes_.read(point);
    metrics_.write(devices::estimate_silicon(settings.parts, settings.densities), record);
    record.status = Status::ok;
  }

  Hash128 workload_hash(const Point& /*point*/) override { return {}; }

  void explain(const Point& point, Explanation& explanation) override {
    Record record;
    record.reset(schema_);
    evaluate(point, record);
    auto& lines = explanation.section("silicon").lines;
    for (std::size_t i = 0; i < schema_.metrics.size(); ++i) {
      const Metric& metric = schema_.metrics[i];
      lines.push_back({metric.name, fmt::format("{} {}", to_text(record.metrics[i]), metric.unit), metric.doc});
    }
  }

 private:
  AxisTable<SiliconSettings> axes_;
  MetricTable<devices::SiliconEstimate> metrics_;
  Schema schema_;
};

}  // namespace

std::unique_ptr<System> make_silicon(const ConfigFolders& /*configs*/) { return std::make_unique<SiliconSystem>(); }

}  // namespace pimsweep::systems::parts
