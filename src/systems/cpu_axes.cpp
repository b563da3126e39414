#include "systems/cpu_axes.h"

#include <array>
#include <span>

#include "systems/device_constants.h"

namespace pimsweep::systems {

namespace {

using hardware::manycore::Device;

using Constant = DeviceConstant<Device>;

constexpr ValueType real = ValueType::real;
constexpr ValueType count = ValueType::integer;

constexpr std::array all{
    Constant{"clock", real, "Hz", 1e6, 1e11, &Device::clock, "clock that the peak is told for"},
    Constant{"cores", count, "1", 1, 1024, &Device::cores, "cores"},
    Constant{"tile.cores", count, "1", 1, 1024, &Device::cores_per_tile, "cores that share the last cache"},
    Constant{"tile.cache", real, "B", 1024, 1e12, &Device::tile_cache, "last cache of a tile"},
    Constant{"core.threads", count, "1", 1, 16, &Device::smt, "hardware threads of a core"},
    Constant{"core.lanes", count, "1", 1, 4096, &Device::lanes, "fp32 values of a vector register"},
    Constant{"core.fma_units", count, "1", 1, 64, &Device::fma_units, "vector multiply-adds begun in a cycle"},
    Constant{"core.fma_latency", real, "1", 1, 1000, &Device::fma_latency_cycles, "cycles that one takes"},
    Constant{"core.registers", count, "1", 5, 4096, &Device::registers, "vector registers"},
    Constant{"core.issue_width", count, "1", 1, 64, &Device::issue_width, "instructions begun in a cycle"},
    Constant{"core.bandwidth", real, "B/s", 1e6, 1e13, &Device::core_bandwidth, "what one core draws from memory"},
    Constant{"core.cache_bandwidth", real, "B/s", 1e6, 1e14, &Device::cache_bandwidth,
             "what one core draws from the last cache"},
    Constant{"core.gather_cycles", real, "1", 0, 1e4, &Device::gather_cycles,
             "cycles to copy one element by computed indices"},
    Constant{"memory.bandwidth", real, "B/s", 1e6, 1e16, &Device::memory_bandwidth, "of all channels together"},
    Constant{"fitted.memory_efficiency", real, "1", 0.01, 1, &Device::memory_efficiency,
             "share of the bandwidth that operations reach"},
    Constant{"fitted.sustained", real, "1", 0.01, 1.5, &Device::sustained,
             "share of the peak that inner loops sustain; above 1 if the clock rises under load"},
    Constant{"fitted.spawn", real, "s", 0, 1, &Device::spawn, "time to create and bind one thread"},
    Constant{"line_transfer", real, "s", 0, 1e-3, &Device::line_transfer, "a cache line from one core to another"},
};

constexpr std::span<const Constant> table(all);

}  // namespace

void append_cpu_axes(std::vector<Axis>& axes, std::string_view prefix) {
  axes.push_back(text_axis(device_axis_name(prefix, "processor"), std::nullopt, {},
                           "name of the processor, as in the measured rows"));
  axes.push_back(text_axis(device_axis_name(prefix, "fitted.on"), std::nullopt,
                           {"this processor", "another processor", "nothing"},
                           "whose measured times the fitted constants come from"));
  for (const Constant& constant : all) axes.push_back(device_axis(constant, prefix));
}

CpuReader::CpuReader(const Schema& schema, std::string_view prefix)
    : name_(axis_at(schema, device_axis_name(prefix, "processor"))),
      fitted_on_(axis_at(schema, device_axis_name(prefix, "fitted.on"))),
      numbers_(device_axes(schema, prefix, table)) {}

Device CpuReader::operator()(const Point& point) const {
  Device device;
  read_constants(point, numbers_, table, device);
  return device;
}

}  // namespace pimsweep::systems
