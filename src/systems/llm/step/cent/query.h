#pragma once

#include <cstdint>

#include "systems/llm/step/cent/token.h"

namespace pimsweep::systems::llm::step::cent {

/// Tokens at the positions after `from`, up to `to`, of which every `step`th is looked at.
struct Positions {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t step = 1;
};

/// Arithmetic means over tokens, as CENT takes them (run_sim.py:315-430, commit 8c79786): also of rates, so that
/// `tokens_per_second` is not the reciprocal of a mean time.
struct Phase {
  /// s, of all tokens of the phase one after the other.
  double time = 0;
  double tokens_per_second = 0;
  /// J of a token.
  double energy = 0;
  double power = 0;
  /// Means of a token's time, s: all blocks in the banks, in CXL and in units beside the banks.
  double pim_time = 0;
  double link_time = 0;
  double near_memory_time = 0;
};

/// Requires at least one position: from + step <= to.
Phase phase(const Shape& shape, const Machine& machine, const Layout& layout, const Positions& positions,
            const Faults& faults);

}  // namespace pimsweep::systems::llm::step::cent
