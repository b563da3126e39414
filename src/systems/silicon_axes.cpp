#include "systems/silicon_axes.h"

#include <fmt/format.h>

#include <array>

#include "systems/axes.h"

namespace pimsweep {

namespace {

using silicon::Densities;

struct Constant {
  std::string_view key;
  std::string_view unit;
  double Densities::*in;
  std::string_view doc;
};

constexpr std::array constants{
    Constant{"wafer_cost", "USD/m^2", &Densities::wafer_cost, "price of a processed wafer of logic"},
    Constant{"defects", "1/m^2", &Densities::defects, "defects of a critical layer"},
    Constant{"complexity", "1", &Densities::complexity, "exponent of the yield: critical layers of the process"},
    Constant{"processor_area", "m^2", &Densities::processor_area, "die of the host processor or card"},
    Constant{"unit_area", "m^2", &Densities::unit_area, "a processing element or other computing unit"},
    Constant{"lane_area", "m^2", &Densities::lane_area, "a lane of a nonlinear unit"},
    Constant{"sram_area", "m^2/B", &Densities::sram_area, "buffers"},
    Constant{"link_area", "m^2/B", &Densities::link_area, "a router with its link, by bytes carried in a cycle"},
    Constant{"dram_area", "m^2/B", &Densities::dram_area, "dies of DRAM"},
    Constant{"dram_cost", "USD/B", &Densities::dram_cost, "price of DRAM"},
};

std::string name_of(const Constant& constant, std::string_view prefix) {
  return fmt::format("hardware.{}{}", prefix, constant.key);
}

}  // namespace

void append_silicon_axes(std::vector<Axis>& axes, std::string_view prefix) {
  constexpr double most = 1e15;
  for (const Constant& constant : constants) {
    axes.push_back(
        quantity_axis(name_of(constant, prefix), std::string(constant.unit), 0, most, std::string(constant.doc)));
    axes.back().default_value = Value{0.0};
  }
}

void append_silicon_metrics(std::vector<Metric>& metrics, std::string_view what) {
  metrics.push_back({"area", "m^2", fmt::format("silicon of all dies: {}", what)});
  metrics.push_back({"cost", "USD", "what these dies cost to make, by price of wafers, yield and price of DRAM"});
}

SiliconWriter::SiliconWriter(const Schema& schema, std::string_view prefix)
    : first_(axis_at(schema, name_of(constants.front(), prefix))),
      area_(static_cast<std::size_t>(schema.metric_index("area"))),
      cost_(static_cast<std::size_t>(schema.metric_index("cost"))) {}

void SiliconWriter::operator()(const Point& point, const silicon::Parts& parts, Record& record) const {
  Densities densities;
  for (std::size_t i = 0; i < constants.size(); ++i) densities.*constants[i].in = point.real(first_ + i);
  if (!densities.known()) return;
  const silicon::Estimate estimate = silicon::estimate(parts, densities);
  record.metrics[area_] = estimate.area;
  record.metrics[cost_] = estimate.cost;
}

}  // namespace pimsweep
