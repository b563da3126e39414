#pragma once

#include <cstdint>

#include "systems/llm/step/cent/faults.h"
#include "systems/llm/step/cent/layout.h"

namespace pimsweep::systems::llm::step::cent {

/// Clocks in the banks of the first device of a block, for the token at position `context`, by step. Traces of the
/// blocks of a device run side by side.
struct StepClocks {
  /// Both normalizations.
  double norm = 0;
  double query_key_value = 0;
  double rotary = 0;
  double store_keys = 0;
  double store_values = 0;
  double scores = 0;
  double softmax = 0;
  double values = 0;
  double output = 0;
  double gate_up = 0;
  double activation = 0;
  double down = 0;

  double total() const;
};

/// The order of a block (CENT, Llama.py:597-889 and TransformerBlock.py:696-870, commit 8c79786), each GEMV by the
/// closed form of hardware/aim; bursts into single banks are issued at one per clock for the whole device.
StepClocks step_clocks(const Shape& shape, const Machine& machine, const Layout& layout, std::int64_t context);

/// Only the seven GEMVs, which the other devices of a block run (Llama.py:938-967).
double product_clocks(const Shape& shape, const Machine& machine, const Layout& layout);

/// Input embedding as a GEMV, normalization and head (Llama.py:891-936).
double embedding_clocks(const Shape& shape, const Machine& machine, const Layout& layout);

/// Seconds of CXL in a block (cxl_latency.py): of a pipeline the transfer to the next block, of a block on many devices
/// ten transfers of a hidden vector (five of them gathers) and two of the feed-forward network's.
double link_seconds(const Shape& shape, const Machine& machine, const Layout& layout, const Faults& faults);

/// Clocks of near-memory units for one block (run_sim.py:166-180).
struct NearMemoryClocks {
  double norm = 0;
  double softmax = 0;
  double rotary = 0;

  double total() const { return norm + softmax + rotary; }
};
NearMemoryClocks near_memory_clocks(const Shape& shape, const Machine& machine, std::int64_t context,
                                    const Faults& faults);

}  // namespace pimsweep::systems::llm::step::cent
