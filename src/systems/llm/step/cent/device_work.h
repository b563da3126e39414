#pragma once

#include <cstdint>

#include "hardware/aim/commands.h"
#include "systems/llm/step/cent/faults.h"
#include "systems/llm/step/cent/layout.h"

namespace pimsweep::systems::llm::step::cent {

/// What one device does for the blocks that its channels run side by side.
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

/// The first device of a block, and its other devices, which have the seven products (and the scores of the keys that
/// lie in them, unless these are charged in the first device). Counted from the commands of CENT's trace
/// (TransformerBlock.py:696-870, Llama.py:597-967, commit 8c79786).
DeviceWork first_device_work(const Shape& shape, const Machine& machine, const Layout& layout, std::int64_t context,
                             const Faults& faults);
DeviceWork other_device_work(const Shape& shape, const Machine& machine, const Layout& layout, std::int64_t context,
                             const Faults& faults);

/// The products of embedding and head in one of the devices that share them, for one block's worth of channels.
DeviceWork embedding_work(const Shape& shape, const Machine& machine, const Layout& layout);

}  // namespace pimsweep::systems::llm::step::cent
