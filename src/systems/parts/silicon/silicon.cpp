#include "systems/parts/silicon/silicon.h"

#include <fmt/format.h>

#include <array>
#include <span>

#include "systems/device_constants.h"
#include "systems/silicon_axes.h"

namespace pimsweep::systems::parts::silicon {

namespace {

using hardware::silicon::Parts;

using Part = DeviceConstant<Parts>;

constexpr ValueType real = ValueType::real;
constexpr double most = 1e18;

constexpr std::array all{
    Part{"processors", real, "1", 0, most, &Parts::processors, "dies of processor_area"},
    Part{"units", real, "1", 0, most, &Parts::units, "processing elements"},
    Part{"lanes", real, "1", 0, most, &Parts::lanes, "lanes of nonlinear units"},
    Part{"sram", real, "B", 0, most, &Parts::sram_bytes, "buffers"},
    Part{"links", real, "B", 0, most, &Parts::link_bytes, "width of all links together"},
    Part{"logic", real, "m^2", 0, most, &Parts::logic_area, "logic of known area"},
    Part{"logic_dies", real, "1", 1, most, &Parts::logic_dies, "dies that share the logic equally"},
    Part{"dram", real, "B", 0, most, &Parts::dram_bytes, "memory"},
};

constexpr std::span<const Part> parts(all);

Schema make_schema() {
  Schema schema;
  schema.name = "silicon";
  schema.doc = "Area and cost of parts of machines, by densities, yield and prices";
  for (const Part& part : parts) {
    schema.axes.push_back(constant_axis(part, std::string(part.key)));
    schema.axes.back().default_value = Value{part.min};
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
    read_constants(point, parts_, parts, heap);
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
  static std::vector<std::size_t> part_axes(const Schema& schema) {
    std::vector<std::size_t> axes;
    for (const Part& part : parts) axes.push_back(axis_at(schema, part.key));
    return axes;
  }

  Schema schema_ = make_schema();
  std::vector<std::size_t> parts_ = part_axes(schema_);
  SiliconWriter write_{schema_, ""};
};

}  // namespace

std::unique_ptr<System> make_silicon(const std::string& /*config_dir*/) { return std::make_unique<Silicon>(); }

std::vector<PolicyInfo> silicon_policies() { return {}; }

}  // namespace pimsweep::systems::parts::silicon
