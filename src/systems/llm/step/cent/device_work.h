#pragma once

#include <cstdint>

#include "hardware/aim/commands.h"
#include "systems/llm/step/cent/faults.h"
#include "systems/llm/step/cent/layout.h"

namespace pimsweep::systems::llm::step::cent {

/// Work of one device for the blocks that its channels run in parallel.
struct DeviceWork {
  /// Commands of all its channels.
  hardware::aim::Commands commands;
  /// Commands of the device's own instruction set, without bursts into single banks.
  Count instructions = 0;
  /// Channels that any command uses.
  std::int64_t channels = 0;
  /// Clocks from the first command to the last one.
  double clocks = 0;
};

/// Work of the first device of a block, and of its other devices, which have the seven GEMVs (and the scores of the
/// keys that they store, unless these are charged to the first device). Counted from the commands of CENT's trace
/// (TransformerBlock.py:696-870, Llama.py:597-967, commit 8c79786).
DeviceWork first_device_work(const Shape& shape, const Machine& machine, const Layout& layout, std::int64_t context,
                             const Faults& faults);
DeviceWork other_device_work(const Shape& shape, const Machine& machine, const Layout& layout, std::int64_t context,
                             const Faults& faults);

/// GEMVs of embedding and head in one of the devices that share them, for one block's worth of channels.
DeviceWork embedding_work(const Shape& shape, const Machine& machine, const Layout& layout);

}  // namespace pimsweep::systems::llm::step::cent
