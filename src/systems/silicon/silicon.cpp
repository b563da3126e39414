#include "systems/silicon/silicon.h"

#include <fmt/format.h>

#include <array>

#include "systems/axes.h"
#include "systems/silicon_axes.h"

namespace pimsweep {

namespace {

using silicon::Parts;

struct Part {
  std::string_view axis;
  std::string_view unit;
  double Parts::*in;
  std::string_view doc;
};

constexpr std::array parts{
    Part{"processors", "1", &Parts::processors, "dies of processor_area"},
    Part{"units", "1", &Parts::units, "processing elements"},
    Part{"lanes", "1", &Parts::lanes, "lanes of nonlinear units"},
    Part{"sram", "B", &Parts::sram_bytes, "buffers"},
    Part{"links", "B", &Parts::link_bytes, "width of all links together"},
    Part{"logic", "m^2", &Parts::logic_area, "logic of known area"},
    Part{"logic_dies", "1", &Parts::logic_dies, "dies that share the logic equally"},
    Part{"dram", "B", &Parts::dram_bytes, "memory"},
};

Schema make_schema() {
  Schema schema;
  schema.name = "silicon";
  schema.doc = "Area and cost of parts of machines, by densities, yield and prices";
  for (const Part& part : parts) {
    const bool dies = part.in == &Parts::logic_dies;
    schema.axes.push_back(
        quantity_axis(std::string(part.axis), std::string(part.unit), dies ? 1 : 0, 1e18, std::string(part.doc)));
    schema.axes.back().default_value = Value{dies ? 1.0 : 0.0};
  }
  append_silicon_axes(schema.axes, "");
  append_silicon_metrics(schema.metrics, "of the parts given");
  return schema;
}

class Silicon final : public System {
 public:
  const Schema& schema() const override { return schema_; }

  void evaluate(const Point& point, Record& record) override {
    Parts heap;
    // The axes of the parts are the first ones.
    for (std::size_t i = 0; i < parts.size(); ++i) heap.*parts[i].in = point.real(i);
    write_(point, heap, record);
    record.status = Status::ok;
  }

  Hash128 workload_hash(const Point& /*point*/) override { return {}; }

  void explain(const Point& point, Explanation& explanation) override {
    Record record;
    record.reset(schema_);
    evaluate(point, record);
    Explanation::Section& section = explanation.section("silicon");
    for (std::size_t i = 0; i < schema_.metrics.size(); ++i) {
      const Metric& metric = schema_.metrics[i];
      section.lines.push_back({metric.name, fmt::format("{} {}", to_text(record.metrics[i]), metric.unit), metric.doc});
    }
  }

 private:
  Schema schema_ = make_schema();
  SiliconWriter write_{schema_, ""};
};

}  // namespace

std::unique_ptr<System> make_silicon(const std::string& /*config_dir*/) { return std::make_unique<Silicon>(); }

std::vector<PolicyInfo> silicon_policies() { return {}; }

}  // namespace pimsweep
