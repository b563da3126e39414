#include "systems/silicon_axes.h"

#include <fmt/format.h>

#include <array>
#include <span>

#include "systems/device_constants.h"

namespace pimsweep::systems {

namespace {

using hardware::silicon::Densities;

using Constant = DeviceConstant<Densities>;

constexpr ValueType real = ValueType::real;
constexpr double most = 1e15;

constexpr std::array all{
    Constant{"wafer_cost", real, "USD/m^2", 0, most, &Densities::wafer_cost, "price of a processed wafer of logic"},
    Constant{"defects", real, "1/m^2", 0, most, &Densities::defects, "defects of a critical layer"},
    Constant{"complexity", real, "1", 0, most, &Densities::complexity,
             "exponent of the yield: critical layers of the process"},
    Constant{"processor_area", real, "m^2", 0, most, &Densities::processor_area, "die of the host processor or card"},
    Constant{"unit_area", real, "m^2", 0, most, &Densities::unit_area, "a processing element or other computing unit"},
    Constant{"lane_area", real, "m^2", 0, most, &Densities::lane_area, "a lane of a nonlinear unit"},
    Constant{"sram_area", real, "m^2/B", 0, most, &Densities::sram_area, "buffers"},
    Constant{"link_area", real, "m^2/B", 0, most, &Densities::link_area,
             "a router with its link, by bytes carried in a cycle"},
    Constant{"dram_area", real, "m^2/B", 0, most, &Densities::dram_area, "dies of DRAM"},
    Constant{"dram_cost", real, "USD/B", 0, most, &Densities::dram_cost, "price of DRAM"},
};

constexpr std::span<const Constant> constants(all);

}  // namespace

void append_silicon_axes(std::vector<Axis>& axes, std::string_view prefix) {
  for (const Constant& constant : constants) {
    axes.push_back(device_axis(constant, prefix));
    axes.back().default_value = Value{0.0};
  }
}

void append_silicon_metrics(std::vector<Metric>& metrics, std::string_view what) {
  metrics.push_back({"area", "m^2", fmt::format("silicon of all dies: {}", what)});
  metrics.push_back({"cost", "USD", "what these dies cost to make, by price of wafers, yield and price of DRAM"});
}

SiliconWriter::SiliconWriter(const Schema& schema, std::string_view prefix)
    : constants_(device_axes(schema, prefix, constants)),
      area_(static_cast<std::size_t>(schema.metric_index("area"))),
      cost_(static_cast<std::size_t>(schema.metric_index("cost"))) {}

void SiliconWriter::operator()(const Point& point, const hardware::silicon::Parts& parts, Record& record) const {
  Densities densities;
  read_constants(point, constants_, constants, densities);
  if (!densities.known()) return;
  const hardware::silicon::Estimate estimate = hardware::silicon::estimate(parts, densities);
  record.metrics[area_] = estimate.area;
  record.metrics[cost_] = estimate.cost;
}

}  // namespace pimsweep::systems
