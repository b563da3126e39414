#pragma once

#include <cstdint>

#include "hardware/gpu/device.h"

namespace pimsweep::systems::heteropim {

/// The host processor: a roofline with two cache levels. SI units; rates are operations of one core in a cycle.
struct Host {
  double cores = 0;
  double clock = 0;
  /// Multiplications and additions, a multiply-add counts two.
  double rate = 0;
  /// Comparisons, divisions, roots, exponentials.
  double other_rate = 0;
  /// Share of `rate` that large matrix products reach.
  double efficiency = 0;
  /// Of one core's second level, and of the shared third level.
  double near_cache = 0;
  double last_cache = 0;
  double last_cache_bandwidth = 0;
  double memory_bandwidth = 0;
  double memory_efficiency = 0;
  /// Seconds until the framework has started an operation.
  double dispatch = 0;
  double idle_power = 0;
  double busy_power = 0;
  /// Joules for a byte of its own memory.
  double memory_energy = 0;
};

/// The memory stack. Frequencies and bandwidth inside are those at 1x.
struct Stack {
  double banks_across = 0;
  double banks_along = 0;
  double edge_bonus = 0;
  double bandwidth = 0;
  double link_bandwidth = 0;
  double background_power = 0;
  /// Joules for a byte between cells and logic die, and between cells and host.
  double inner_energy = 0;
  double outer_energy = 0;
};

/// Pairs of a multiplier and an adder.
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
  /// What one of them takes from the stack.
  double bandwidth = 0;
  double busy_power = 0;
};

/// Where the logic die's area goes, in m^2.
struct Area {
  double available = 0;
  double programmable = 0;
  double pair = 0;
};

/// Seconds.
struct Synchronisation {
  double launch = 0;
  double recursive_call = 0;
  /// Reading the registers that tell which PIMs are idle.
  double query = 0;
  /// Learning the same without them.
  double interrupt = 0;
};

struct Card {
  hardware::gpu::Device device;
  double copy_bandwidth = 0;
  double memory = 0;
};

/// Neurocube (Kim et al., ISCA 2016): multiply-accumulate units that are programmed by counters, one program at a time.
struct Neurocube {
  double macs = 0;
  double clock = 0;
  double efficiency = 0;
  double busy_power = 0;
};

struct Machine {
  /// Factor of everything that PIM does and reads in a cycle: 1, unless calibrated (docs/heteropim.md).
  double throughput = 1;
  Host host;
  Stack stack;
  Pairs pairs;
  Programmable programmable;
  Area area;
  Synchronisation synchronisation;
  Card gpu;
  Neurocube neurocube;
};

}  // namespace pimsweep::systems::heteropim
