#include "systems/upmem/machine.h"

#include <fmt/format.h>

#include <cstddef>

namespace pimsweep::systems::upmem {

double bytes_of(DataType type) {
  constexpr std::array<double, data_type_words.size()> bytes{0, 1, 2, 4, 8, 4, 8};
  return bytes[static_cast<std::size_t>(type)];
}

double Machine::multiply_cycles(DataType type, double operand_bits) const {
  const bool is_stepwise = type == DataType::int16 || type == DataType::int32;
  return multiply[static_cast<std::size_t>(type)] + (is_stepwise ? multiply_step * operand_bits : 0);
}

std::string Machine::lacking(std::int64_t needed, std::int64_t tasklets) const {
  if (needed > dpus()) {
    return fmt::format("dpus is {}, but the machine has {}: {} ranks of {} less {} dead", needed, dpus(), ranks,
                       rank_dpus, dead_dpus);
  }
  if (tasklets > threads)
    return fmt::format("tasklets is {}, but a DPU holds {} (hardware.threads)", tasklets, threads);
  return {};
}

namespace {

void add_core_axes(AxisList& axes, Machine& m) {
  axes.quantity(m.clock, "hardware.clock", "Hz", 1e6, 1e11, "clock of the DPUs")
      .count(m.threads, "hardware.threads", 1, 1024, "tasklets that a DPU can hold")
      .count(m.issue_interval, "hardware.issue_interval", 1, 1000, "cycles between two instructions of a tasklet", {},
             "cycle")
      .quantity(m.conflicts, "hardware.conflicts", "1", 0, 1,
                "extra cycles of an instruction whose operands share a half of the register file")
      .quantity(m.cycles_factor, "hardware.cycles_factor", "1", 0.01, 100,
                "factor on the cycles that a kernel issues for an element")
      .quantity(m.mram, "hardware.mram", "B", 1, 1e15, "DRAM bank of a DPU")
      .quantity(m.wram, "hardware.wram", "B", 1, 1e12, "scratchpad of a DPU")
      .quantity(m.stack, "hardware.stack", "B", 0, 1e9, "stack of a tasklet in the scratchpad")
      .quantity(m.dma_read, "hardware.dma.read", "cycle", 0, 1e6, "fixed part of a DMA from the bank")
      .quantity(m.dma_write, "hardware.dma.write", "cycle", 0, 1e6, "fixed part of a DMA to the bank")
      .quantity(m.dma_bytes_per_cycle, "hardware.dma.rate", "B/cycle", 1e-3, 1e6, "bytes that a DMA moves in a cycle")
      .quantity(m.dma_step, "hardware.dma.step", "B", 1, 1e6, "size of which a DMA moves whole multiples")
      .quantity(m.dma_max, "hardware.dma.max", "B", 1, 1e9, "size of the largest DMA");
  const auto operation = [&](OperationCycles& cycles, const char* name, const char* doc) {
    for (const Word<DataType>& type : std::span(data_type_words).subspan(1)) {
      axes.quantity(cycles[static_cast<std::size_t>(type.value)],
                    std::string("hardware.") + name + "." + std::string(type.name), "cycle", 0, 1e6,
                    std::string(doc) + " of type " + std::string(type.name));
    }
  };
  operation(m.add, "add", "cycles of an addition");
  operation(m.multiply, "multiply", "cycles of a multiplication");
  axes.quantity(m.multiply_step, "hardware.multiply.step", "cycle", 0, 1e3,
                "cycles of an integer multiplication for each bit of the smaller operand")
      .quantity(m.gemv_int8, "hardware.gemv.int8", "cycle", 0.1, 1e4,
                "cycles of a multiply-accumulate with weights of 8 bits")
      .quantity(m.gemv_int4, "hardware.gemv.int4", "cycle", 0.1, 1e4,
                "cycles of a multiply-accumulate with weights of 4 bits")
      .quantity(m.gemv_output, "hardware.gemv.output", "cycle", 0, 1e6,
                "cycles of an output beyond its multiply-accumulates");
}

void add_system_axes(AxisList& axes, Machine& m) {
  axes.count(m.ranks, "hardware.ranks", 1, 4096, "ranks of the machine")
      .count(m.rank_dpus, "hardware.rank_dpus", 1, 4096, "DPUs of a rank, dead ones included")
      .count(m.chip_dpus, "hardware.chip_dpus", 1, 4096, "DPUs of a chip")
      .count(m.dead_dpus, "hardware.dead_dpus", 0, 1 << 20, "dead DPUs of the machine")
      .quantity(m.launch_one, "hardware.launch.one", "s", 0, 1, "launch of a kernel on one DPU")
      .quantity(m.launch_several, "hardware.launch.several", "s", 0, 1, "launch of a kernel on several DPUs")
      .quantity(m.transfer_fixed, "hardware.host.transfer.fixed", "s", 0, 1, "fixed part of a transfer by the host")
      .quantity(m.transfer_per_dpu, "hardware.host.transfer.per_dpu", "s", 0, 1,
                "time that each DPU adds to a transfer by the host")
      .quantity(m.call_fixed, "hardware.host.call.fixed", "s", 0, 1, "fixed part of a further transfer in a series")
      .quantity(m.call_per_dpu, "hardware.host.call.per_dpu", "s", 0, 1,
                "time that each DPU adds to a further transfer in a series");
  const auto bandwidths = [&](std::array<double, 3>& rates, const char* name, const char* doc) {
    constexpr std::array places{"one", "rank", "full"};
    constexpr std::array sizes{"one DPU", "one rank", "many ranks"};
    for (std::size_t i = 0; i < rates.size(); ++i) {
      axes.quantity(rates[i], std::string("hardware.host.") + name + "." + places[i], "B/s", 1, 1e15,
                    std::string(doc) + sizes[i]);
    }
  };
  bandwidths(m.to_dpus, "to", "bandwidth of parallel transfers to ");
  bandwidths(m.from_dpus, "from", "bandwidth of parallel transfers from ");
  axes.count(m.host_full_dpus, "hardware.host.full_dpus", 65, 1 << 20,
             "DPUs from which on the bandwidth no longer grows")
      .quantity(m.serial, "hardware.host.serial", "B/s", 1, 1e15,
                "bandwidth of copies to or from one DPU after another")
      .quantity(m.broadcast, "hardware.host.broadcast", "1", 1e-3, 1e3,
                "bandwidth of a broadcast by that of a parallel transfer to as many DPUs")
      .quantity(m.unknown_host_factor, "hardware.host.unknown_factor", "1", 1, 100,
                "factor within which the transfers of an unmeasured host lie")
      .quantity(m.known_host_factor, "hardware.host.known_factor", "1", 1, 100,
                "factor within which the transfers of a measured host lie")
      .quantity(m.host_memory, "hardware.host.memory", "B/s", 1e6, 1e15, "memory bandwidth of the host")
      .quantity(m.chip_power, "hardware.power.chip", "W", 0, 1e4, "power of a chip of DPUs")
      .quantity(m.host_power, "hardware.power.host", "W", 0, 1e5, "power of the host while the DPUs work for it");
}

}  // namespace

void add_machine_axes(AxisList& axes, Machine& machine) {
  add_core_axes(axes, machine);
  add_system_axes(axes, machine);
}

}  // namespace pimsweep::systems::upmem
