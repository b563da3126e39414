#pragma once

#include <cstdint>
#include <string>

#include "hardware/silicon/silicon.h"
#include "systems/heteropim/machine.h"
#include "systems/heteropim/runtime/runtime.h"
#include "workload/training/graph_cache.h"

namespace pimsweep::systems::heteropim {

struct Policy;

/// Source of the pairs' operands: any bank over the network of the logic die, or the bank below each pair
/// (Sec. IV-D: operations can be mapped to the units of the bank that holds their data).
enum class Operands : std::uint8_t { stack, bank };

/// Units that a window of a filter takes: one for each multiplication and each addition (Sec. III-C: 121 and 120 of 444
/// for 11 x 11), or a pair of multiplier and adder (Sec. IV-D) for each multiplication with its addition.
enum class WindowUnits : std::uint8_t { each, pairs };

/// Operations that pairs may take: all that multiply and add, or GEMMs and convolutions with their gradients alone.
enum class PairOperations : std::uint8_t { all, gemms };

/// A point of the system "heteropim".
struct Settings {
  const Policy* policy = nullptr;
  Machine machine;
  hardware::silicon::Densities silicon;
  workload::training::StepChoice model;
  /// Name of a second training step for host and programmable PIM (Sec. VI-F); empty if there is none.
  std::string partner;
  std::uint32_t steps = 1;
  /// Factor of all clocks of PIM and stack (Sec. VI-D).
  double frequency = 1;
  std::uint32_t programmable = 1;
  bool recursive_kernels = true;
  bool operation_pipeline = true;
  bool idle_registers = true;
  runtime::Fallback fallback = runtime::Fallback::always;
  bool idle_pim_helps = true;
  double candidate_share = 0;
  Operands operands = Operands::stack;
  WindowUnits window_units = WindowUnits::each;
  PairOperations pair_operations = PairOperations::all;
  /// "TYPE=FACTOR ...": factors of the time of types of operations on host and programmable PIM, where a
  /// profile is an input.
  std::string kernel_factors;
  /// The host takes its busy power for the whole step, as part of whole-system power (Sec. VI-B), not only while it
  /// works.
  bool host_always_busy = false;
  bool record_timeline = false;

  /// The partner has batch and size of its own.
  workload::training::StepChoice partner_choice() const { return {.name = partner}; }
  /// Factor of what PIM and the inside of the stack do in a second.
  double speed() const { return frequency * machine.throughput; }
};

}  // namespace pimsweep::systems::heteropim
