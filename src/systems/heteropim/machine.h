#pragma once

#include "hardware/hmc_logic/placement.h"
#include "systems/devices/gpu_axes.h"

namespace pimsweep::systems::heteropim {

/// The host processor: a roofline with two cache levels. SI units; rates are operations of one core in a cycle.
struct Host {
  double cores = 0;
  double clock = 0;
  /// Multiplications and additions; a multiply-add counts as two.
  double rate = 0;
  /// Comparisons, divisions, roots, exponentials.
  double other_rate = 0;
  /// Share of `rate` that large GEMMs reach.
  double efficiency = 0;
  /// Bytes of a core's second-level cache, and of the shared third-level cache.
  double near_cache = 0;
  double last_cache = 0;
  double last_cache_bandwidth = 0;
  double memory_bandwidth = 0;
  double memory_efficiency = 0;
  /// Seconds that the framework takes to start an operation.
  double dispatch = 0;
  double idle_power = 0;
  double busy_power = 0;
  /// Joules for a byte of the host's own memory.
  double memory_energy = 0;
};

/// The memory stack. Bandwidths inside the stack are those at frequency 1x.
struct Stack {
  hardware::hmc_logic::BankGrid grid;
  double edge_bonus = 0;
  double bandwidth = 0;
  double link_bandwidth = 0;
  double background_power = 0;
  /// Joules for a byte between cells and logic die, and between cells and host.
  double inner_energy = 0;
  double outer_energy = 0;
};

/// Pairs of a multiplier and an adder: the fixed-function PIM.
struct Pairs {
  double clock = 0;
  /// Joules for a multiplication and an addition.
  double energy = 0;
};

/// One programmable PIM.
struct Programmable {
  double cores = 0;
  double clock = 0;
  double rate = 0;
  double other_rate = 0;
  double efficiency = 0;
  /// Bytes that one programmable PIM takes from the stack in a second.
  double bandwidth = 0;
  double busy_power = 0;
};

/// Areas of the logic die, in m^2.
struct Area {
  double available = 0;
  double programmable = 0;
  double pair = 0;
};

/// Times in seconds.
struct Synchronization {
  double launch = 0;
  double recursive_call = 0;
  /// Reading the registers that show which PIMs are idle.
  double query = 0;
  /// An interrupt in place of these registers.
  double interrupt = 0;
};

struct Gpu {
  devices::GpuCard card;
  double copy_bandwidth = 0;
  double memory = 0;

  const hardware::gpu::Device& device() const { return card.device; }
};

/// Neurocube (Kim et al., ISCA 2016): multiply-accumulate units that are programmed by counters, one program at a time.
struct Neurocube {
  double macs = 0;
  double clock = 0;
  double efficiency = 0;
  double busy_power = 0;
};

struct Machine {
  /// Factor of all that PIM computes and reads in a cycle: 1 unless calibrated (docs/heteropim.md).
  double throughput = 1;
  Host host;
  Stack stack;
  Pairs pairs;
  Programmable programmable;
  Area area;
  Synchronization synchronization;
  Gpu gpu;
  Neurocube neurocube;
};

}  // namespace pimsweep::systems::heteropim
