#include "systems/devices/cpu_axes.h"

#include <fmt/format.h>

#include <array>

#include "systems/devices/error_axes.h"

namespace pimsweep::systems::devices {

namespace {

constexpr std::array processor_words{Word{"this processor", FittedOn::this_processor},
                                     Word{"another processor", FittedOn::another_processor},
                                     Word{"nothing", FittedOn::nothing}};

}  // namespace

void add_cpu_axes(AxisList& axes, std::string_view prefix, Cpu& cpu) {
  const auto key = [&](std::string_view name) { return fmt::format("hardware.{}{}", prefix, name); };
  hardware::manycore::Device& d = cpu.device;
  axes.text(cpu.name, key("processor"), "name of the processor, as in the measured rows")
      .choice(cpu.fitted_on, key("fitted.on"), processor_words,
              "processor of the measured times to which the constants are fitted")
      .quantity(d.clock, key("clock"), "Hz", 1e6, 1e11, "clock at which peak throughput is rated")
      .count(d.cores, key("cores"), 1, 1024, "cores of the processor")
      .count(d.cores_per_tile, key("tile.cores"), 1, 1024, "cores that share the last-level cache")
      .quantity(d.tile_cache, key("tile.cache"), "B", 1024, 1e12, "capacity of a tile's last-level cache")
      .count(d.smt, key("core.threads"), 1, 16, "hardware threads of a core")
      .count(d.lanes, key("core.lanes"), 1, 4096, "fp32 values in a vector register")
      .count(d.fma_units, key("core.fma_units"), 1, 64, "vector multiply-adds that a core begins in a cycle")
      .quantity(d.fma_latency_cycles, key("core.fma_latency"), "cycle", 1, 1000, "cycles of a vector multiply-add")
      .count(d.registers, key("core.registers"), 5, 4096, "vector registers of a core")
      .count(d.issue_width, key("core.issue_width"), 1, 64, "instructions that a core begins in a cycle")
      .quantity(d.core_bandwidth, key("core.bandwidth"), "B/s", 1e6, 1e13,
                "memory bandwidth that a single core can use")
      .quantity(d.cache_bandwidth, key("core.cache_bandwidth"), "B/s", 1e6, 1e14,
                "bandwidth of one core from the last-level cache")
      .quantity(d.gather_cycles, key("core.gather_cycles"), "cycle", 0, 1e4,
                "cycles to copy one element by computed indices")
      .quantity(d.memory_bandwidth, key("memory.bandwidth"), "B/s", 1e6, 1e16,
                "memory bandwidth of all channels together")
      .quantity(d.memory_efficiency, key("fitted.memory_efficiency"), "1", 0.01, 1,
                "share of the memory bandwidth that operations reach")
      .quantity(d.sustained, key("fitted.sustained"), "1", 0.01, 1.5,
                "share of the peak that inner loops sustain; above 1 if the clock rises under load")
      .quantity(d.spawn, key("fitted.spawn"), "s", 0, 1, "time to create one thread and bind it to a core")
      .quantity(d.line_transfer, key("line_transfer"), "s", 0, 1e-3, "time of a cache line from one core to another");
  add_error_axes(axes, d.errors.gemm, key("error.gemm"), "GEMMs");
  add_error_axes(axes, d.errors.convolution, key("error.convolution"), "convolutions");
  add_error_axes(axes, d.errors.convolution_inputs, key("error.convolution_inputs"),
                 "the gradients of convolutions' inputs");
  add_error_axes(axes, d.errors.convolution_weights, key("error.convolution_weights"),
                 "the gradients of convolutions' filters");
}

}  // namespace pimsweep::systems::devices
