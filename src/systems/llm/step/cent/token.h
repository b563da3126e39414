#pragma once

#include <cstdint>

#include "systems/llm/step/cent/block_time.h"
#include "systems/llm/step/cent/device_work.h"
#include "systems/llm/step/cent/faults.h"

namespace pimsweep::systems::llm::step::cent {

/// Energy of a token in J, by consumer.
struct TokenEnergy {
  /// Opening rows, multiplications, columns and pins of the DRAM.
  double banks = 0;
  double pins = 0;
  double link = 0;
  double controllers = 0;
  /// DRAM at rest while its channels work for the token.
  double standby = 0;
  /// Leakage of buffers, units and control meanwhile.
  double leakage = 0;
  /// Energy of buffers and near-memory units.
  double near_memory = 0;
  /// Standby and leakage of devices that wait.
  double waiting = 0;

  double total() const;
  TokenEnergy& operator+=(const TokenEnergy& other);
  friend TokenEnergy operator*(TokenEnergy energy, double factor);
};

/// One token at position `context`. Times in s.
struct Token {
  StepClocks steps;
  double pim_time = 0;
  double link_time = 0;
  double near_memory_time = 0;
  /// Sum of these three: one block.
  double block_time = 0;
  double embedding_time = 0;
  double time = 0;
  double tokens_per_second = 0;
  TokenEnergy energy;
  double power = 0;
  double utilization = 0;
};

/// Energy of a device's work in J: CENT, cent_power_calculator.py:183-253, commit 8c79786. `has_units`: its near-memory
/// units work for the block.
TokenEnergy device_energy(const Shape& shape, const Machine& machine, const Layout& layout, const DeviceWork& work,
                          std::int64_t context, const Faults& faults, bool has_units);

/// CENT, run_sim.py:194-227: all blocks in sequence, embedding, host; as many requests as stages in flight.
Token token(const Shape& shape, const Machine& machine, const Layout& layout, std::int64_t context,
            const Faults& faults);

/// Tokens at the positions after `from`, up to `to`; only every `step`th is evaluated.
struct Positions {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t step = 1;
};

/// Arithmetic means over tokens, as CENT takes them (run_sim.py:315-430, commit 8c79786): also of rates, so that
/// `tokens_per_second` is not the reciprocal of a mean time.
struct Phase {
  /// Time in s of all tokens of the phase in sequence.
  double time = 0;
  double tokens_per_second = 0;
  /// J of a token.
  double energy = 0;
  double power = 0;
  /// Means over tokens in s, for all blocks: time in banks, in CXL and in near-memory units.
  double pim_time = 0;
  double link_time = 0;
  double near_memory_time = 0;
};

/// Requires at least one position: from + step <= to.
Phase phase(const Shape& shape, const Machine& machine, const Layout& layout, const Positions& positions,
            const Faults& faults);

}  // namespace pimsweep::systems::llm::step::cent
