#include "systems/heteropim/axes.h"

#include <array>

#include "systems/devices/silicon_axes.h"
#include "systems/heteropim/policies.h"
#include "systems/timeline.h"

namespace pimsweep::systems::heteropim {

namespace {

using runtime::Fallback;

constexpr std::array fallback_words{Word{"never", Fallback::never}, Word{"earlier", Fallback::earlier},
                                    Word{"always", Fallback::always}};
constexpr std::array idle_pim_words{Word{"helps", true}, Word{"waits", false}};
constexpr std::array window_words{Word{"each", WindowUnits::each}, Word{"pairs", WindowUnits::pairs}};
constexpr std::array pair_operations_words{Word{"all", PairOperations::all}, Word{"gemms", PairOperations::gemms}};
constexpr std::array host_power_words{Word{"while-busy", false}, Word{"whole-step", true}};
constexpr std::array operands_words{Word{"stack", Operands::stack}, Word{"bank", Operands::bank}};

/// "none" and all models.
std::vector<Word<std::string>> partner_words(const std::vector<std::string>& models) {
  std::vector<Word<std::string>> words{{"none", ""}};
  for (const std::string& model : models) words.push_back({model, model});
  return words;
}

void add_point_axes(AxisList& axes, Settings& s, const std::vector<std::string>& models) {
  axes.text(s.model.name, "model", "training step of configs/training, or model of configs/models, trained plainly", {},
            models)
      .kind(AxisKind::model)
      .choice(s.model.inference, "task", workload::training::task_words,
              "whole training step, or forward operations alone", false)
      .kind(AxisKind::task)
      .policy(s.policy, policies, "machine and scheduler of the operations")
      .choice(s.partner, "partner", partner_words(models),
              "second training step beside the first, on host and programmable PIM (hetero-pim, lookahead)", "")
      .count(s.model.batch, "batch", 0, 1 << 16, "samples (images or sequences) of a step; 0: the step's own batch", 0)
      .count(s.model.size.image_px, "image_px", 0, 16384,
             "side of the square input images in pixels; 0: the size of the step's model", 0)
      .kind(AxisKind::image_size)
      .count(s.model.size.tokens, "tokens", 0, 16384,
             "sequence length of a language model; 0: that of the step's model", 0)
      .kind(AxisKind::tokens)
      .count(s.steps, "steps", 1, 64, "steps that are run; reported times are means over all but the first", 4)
      .quantity(s.frequency, "frequency", "1", 0.01, 100.0, "factor of all clocks of PIM and memory stack", 1.0)
      .count(s.programmable, "programmable", 1, 64,
             "programmable PIMs on the logic die; pairs of multiplier and adder fill the rest of the area", 1)
      .flag(s.recursive_kernels, "rc",
            "recursive kernels: the programmable PIM, not the host, runs the phases of recursive operations", true)
      .flag(s.operation_pipeline, "op",
            "operation pipeline: several operations share the pairs, and consecutive steps overlap", true)
      .flag(s.idle_registers, "idle_registers", "registers that show the runtime which PIMs are idle", true)
      .choice(s.fallback, "fallback", fallback_words,
              "condition under which an idle host takes a candidate from a busy PIM", Fallback::always)
      .choice(s.idle_pim_helps, "idle_pim", idle_pim_words,
              "use of PIM without work: help for a busy host with operations that are not candidates, or none", true)
      .quantity(s.candidate_share, "candidate_share", "1", 0.0, 1.0,
                "share of the profiled time that the candidates for PIM make up", 0.9)
      .choice(s.operands, "operands", operands_words,
              "source of the pairs' operands: any bank of the stack, or the bank below each pair", Operands::stack)
      .choice(s.window_units, "window_units", window_words,
              "units that a filter's window takes: one each for multiplications and additions, or pairs for both",
              WindowUnits::each)
      .choice(s.pair_operations, "pair_operations", pair_operations_words,
              "operations that pairs may take: all that multiply and add, or GEMMs, convolutions and their gradients",
              PairOperations::all)
      .text(s.kernel_factors, "kernel_factors",
            "factors of times on host and programmable PIM by type, such as BiasAddGrad=20; * is every other type", "")
      .choice(s.host_always_busy, "host_power", host_power_words,
              "time for which the host takes its busy power: while it works, or the whole step", false)
      .flag(s.record_timeline, std::string(record_timeline_axis),
            "recording of the timeline of operations (table timeline)", false);
}

void add_host_axes(AxisList& axes, Host& host) {
  axes.count(host.cores, "hardware.host.cores", 1, 4096, "cores of the host")
      .quantity(host.clock, "hardware.host.clock", "Hz", 1e6, 1e11, "clock of the host's cores")
      .quantity(host.rate, "hardware.host.rate", "1", 1, 1e6, "multiplications and additions of a host core in a cycle")
      .quantity(host.other_rate, "hardware.host.other_rate", "1", 1e-3, 1e6,
                "comparisons, divisions, roots, exponentials of a host core in a cycle")
      .quantity(host.efficiency, "hardware.host.efficiency", "1", 0.01, 1,
                "share of the host's peak rate that GEMMs and convolutions reach")
      .quantity(host.near_cache, "hardware.host.near_cache", "B", 1024, 1e12, "second-level cache of a host core")
      .quantity(host.last_cache, "hardware.host.last_cache", "B", 1024, 1e12, "third-level cache of all host cores")
      .quantity(host.last_cache_bandwidth, "hardware.host.last_cache_bandwidth", "B/s", 1e6, 1e16,
                "bandwidth of the host's third-level cache")
      .quantity(host.memory_bandwidth, "hardware.host.memory_bandwidth", "B/s", 1e6, 1e16,
                "bandwidth of main memory in machines without a stack")
      .quantity(host.memory_efficiency, "hardware.host.memory_efficiency", "1", 0.01, 1,
                "share of the bandwidth of main memory or link that the host reaches")
      .quantity(host.dispatch, "hardware.host.dispatch", "s", 0, 1,
                "time that the framework takes to start an operation")
      .quantity(host.idle_power, "hardware.host.idle_power", "W", 0, 1e5, "power of the idle host")
      .quantity(host.busy_power, "hardware.host.busy_power", "W", 0, 1e5,
                "additional power of the host while it computes")
      .quantity(host.memory_energy, "hardware.host.memory_energy", "J/B", 0, 1, "energy of a byte of main memory");
}

void add_stack_axes(AxisList& axes, Stack& stack) {
  axes.count(stack.grid.columns, "hardware.pim.stack.banks_across", 1, 1024, "banks in a row of the logic die")
      .count(stack.grid.rows, "hardware.pim.stack.banks_along", 1, 1024, "rows of banks on the logic die")
      .quantity(stack.edge_bonus, "hardware.pim.stack.edge_bonus", "1", 0, 100,
                "share of pairs that a bank at the edge has more than one in the middle")
      .quantity(stack.bandwidth, "hardware.pim.stack.bandwidth", "B/s", 1e6, 1e16,
                "bandwidth between cells and logic die at frequency 1")
      .quantity(stack.link_bandwidth, "hardware.pim.stack.link_bandwidth", "B/s", 1e6, 1e16,
                "bandwidth between stack and host")
      .quantity(stack.background_power, "hardware.pim.stack.background_power", "W", 0, 1e5,
                "power of the stack's links and refresh")
      .quantity(stack.inner_energy, "hardware.pim.stack.inner_energy", "J/B", 0, 1,
                "energy of a byte between cells and logic die")
      .quantity(stack.outer_energy, "hardware.pim.stack.outer_energy", "J/B", 0, 1,
                "energy of a byte between cells and host");
}

void add_unit_axes(AxisList& axes, Pairs& pairs, Programmable& programmable) {
  axes.quantity(pairs.clock, "hardware.pim.pair.clock", "Hz", 1e6, 1e11, "clock of the pairs at frequency 1")
      .quantity(pairs.energy, "hardware.pim.pair.energy", "J", 0, 1, "energy of a multiplication and an addition")
      .count(programmable.cores, "hardware.pim.programmable.cores", 1, 4096, "cores of a programmable PIM")
      .quantity(programmable.clock, "hardware.pim.programmable.clock", "Hz", 1e6, 1e11,
                "clock of a programmable PIM at frequency 1")
      .quantity(programmable.rate, "hardware.pim.programmable.rate", "1", 1e-3, 1e6,
                "multiplications and additions of a programmable PIM's core in a cycle")
      .quantity(programmable.other_rate, "hardware.pim.programmable.other_rate", "1", 1e-3, 1e6,
                "other operations of a programmable PIM's core in a cycle")
      .quantity(programmable.efficiency, "hardware.pim.programmable.efficiency", "1", 0.01, 1,
                "share of a programmable PIM's peak rate that GEMMs and convolutions reach")
      .quantity(programmable.bandwidth, "hardware.pim.programmable.bandwidth", "B/s", 1e6, 1e16,
                "bandwidth of the stack that a programmable PIM takes at frequency 1")
      .quantity(programmable.busy_power, "hardware.pim.programmable.busy_power", "W", 0, 1e5,
                "power of a busy programmable PIM at frequency 1");
}

void add_die_axes(AxisList& axes, Area& area, Synchronization& synchronization) {
  constexpr double tiny = 1e-30;
  axes.quantity(area.available, "hardware.pim.area.available", "m^2", tiny, 1, "area of the logic die for PIM")
      .quantity(area.programmable, "hardware.pim.area.programmable", "m^2", tiny, 1, "area of a programmable PIM")
      .quantity(area.pair, "hardware.pim.area.pair", "m^2", tiny, 1,
                "area of a pair of multiplier and adder with buffers")
      .quantity(synchronization.launch, "hardware.pim.synchronization.launch", "s", 0, 1,
                "time to launch a kernel on PIM from the host and to report the end")
      .quantity(synchronization.recursive_call, "hardware.pim.synchronization.recursive_call", "s", 0, 1,
                "time to call pairs from the programmable PIM and to report the end")
      .quantity(synchronization.query, "hardware.pim.synchronization.query", "s", 0, 1,
                "time to read the idle registers before a launch")
      .quantity(synchronization.interrupt, "hardware.pim.synchronization.interrupt", "s", 0, 1,
                "time of an interrupt before a launch, without idle registers");
}

void add_rival_axes(AxisList& axes, Gpu& gpu, Neurocube& neurocube) {
  axes.quantity(gpu.copy_bandwidth, "hardware.copy.bandwidth", "B/s", 1e6, 1e16,
                "bandwidth between host and GPU, each way")
      .quantity(gpu.memory, "hardware.copy.card_memory", "B", 1e6, 1e15, "memory capacity of the GPU")
      .count(neurocube.macs, "hardware.neurocube.macs", 1, 1e9, "multiply-accumulate units of Neurocube")
      .quantity(neurocube.clock, "hardware.neurocube.clock", "Hz", 1e6, 1e11,
                "clock of Neurocube's multiply-accumulate units")
      .quantity(neurocube.efficiency, "hardware.neurocube.efficiency", "1", 0.01, 1,
                "share of Neurocube's peak rate that is reached")
      .quantity(neurocube.busy_power, "hardware.neurocube.busy_power", "W", 0, 1e5, "power of Neurocube's busy logic");
}

}  // namespace

AxisTable<Settings> make_axes(const std::vector<std::string>& models) {
  AxisTable<Settings> axes;
  Settings& s = axes.layout();
  Machine& machine = s.machine;
  add_point_axes(axes, s, models);
  add_host_axes(axes, machine.host);
  axes.quantity(machine.throughput, "hardware.pim.throughput", "1", 1e-3, 1e6,
                "factor of what pairs, programmable PIMs and the inside of the stack do in a cycle");
  add_stack_axes(axes, machine.stack);
  add_unit_axes(axes, machine.pairs, machine.programmable);
  add_die_axes(axes, machine.area, machine.synchronization);
  add_rival_axes(axes, machine.gpu, machine.neurocube);
  devices::add_gpu_axes(axes, "gpu.", machine.gpu.card);
  devices::add_silicon_axes(axes, s.silicon);
  return axes;
}

}  // namespace pimsweep::systems::heteropim
