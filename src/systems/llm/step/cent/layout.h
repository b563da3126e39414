#pragma once

#include <cstdint>
#include <string>

#include "systems/llm/step/cent/machine.h"

namespace pimsweep::systems::llm::step::cent {

/// A decoder of equal blocks with a gated feed-forward network, 16-bit. Sizes are elements.
struct Shape {
  std::int64_t hidden = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t ffn = 0;
  std::int64_t blocks = 0;
  std::int64_t head_size = 0;
  std::int64_t vocabulary = 0;

  /// Query heads per key-value head.
  std::int64_t queries_of_head() const { return heads / kv_heads; }
  std::int64_t query_size() const { return heads * head_size; }
  std::int64_t key_size() const { return kv_heads * head_size; }
};

/// A pipeline of all blocks, some of which share a device; or each block over the devices of a group, whose first one
/// has the attention.
enum class Mapping : std::uint8_t { pipeline, tensor };

/// Blocks on devices.
struct Layout {
  Mapping mapping = Mapping::pipeline;
  /// Requests in flight, which is the number of stages, and devices of a stage.
  std::int64_t stages = 0;
  std::int64_t devices_of_block = 1;
  /// Blocks of a device, and channels of each.
  std::int64_t blocks_of_device = 1;
  std::int64_t channels = 0;
  /// Blocks whose equal commands a device's channels run at the same time.
  std::int64_t side_by_side = 1;
  std::int64_t used_devices = 0;
  /// Banks of a block in a device, and in all of its devices.
  std::int64_t banks = 0;
  std::int64_t all_banks = 0;

  /// Channels of a device that have a block.
  std::int64_t working_channels() const { return channels * side_by_side; }
  double utilization(const Machine& machine) const {
    return static_cast<double>(used_devices) / static_cast<double>(machine.devices);
  }
};

/// Reason why a model cannot be mapped onto the machine in this way; empty if it can. `tensor_parallel`: devices per
/// block, 1 for a pipeline.
std::string layout_obstacle(const Shape& shape, const Machine& machine, Mapping mapping, std::int64_t tensor_parallel);

/// Must not be called if there is an obstacle. CENT, run_sim.py:286-305, commit 8c79786.
Layout layout_of(const Shape& shape, const Machine& machine, Mapping mapping, std::int64_t tensor_parallel);

/// Bytes in the fullest device: weights of its blocks, and KV caches of as many requests as there are stages, each with
/// `context` tokens. The first device of a block has all of its values.
double device_bytes(const Shape& shape, const Layout& layout, std::int64_t context);

/// A vector in the banks of a block's device: `parts` of equal length in as many banks, each of whole columns. `share`:
/// banks of the device for each part.
struct Spread {
  std::int64_t length = 0;
  std::int64_t parts = 0;
  std::int64_t columns = 0;

  /// Number of columns that are written separately.
  std::int64_t bursts() const { return parts * columns; }
};
Spread spread(const Machine& machine, const Layout& layout, std::int64_t elements, std::int64_t share);

}  // namespace pimsweep::systems::llm::step::cent
