#include "systems/allspark/random_models.h"

namespace pimsweep::systems::allspark {

namespace {

std::int64_t pick(std::mt19937_64& random, std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution<std::int64_t>(low, high)(random);
}

}  // namespace

workload::VisionTransformer swin_b_640() {
  workload::VisionTransformer model{"swin-b", "swin", 640, {}};
  const std::int64_t blocks[] = {2, 2, 18, 2};
  const std::int64_t branches[] = {529, 144, 36, 9};
  for (std::int64_t s = 0; s < 4; ++s) {
    workload::TransformerStage stage;
    stage.channels = 128LL << s;
    stage.heads = 4LL << s;
    stage.height = stage.width = 160 >> s;
    stage.merge_inputs = s == 0 ? 48 : 2 * stage.channels;
    stage.blocks = {{blocks[s], branches[s], 49, 49, 49, 1, 0, "window"}};
    model.stages.push_back(stage);
  }
  return model;
}

workload::VisionTransformer random_model(std::mt19937_64& random) {
  workload::VisionTransformer model{"random", "random", 224, {}};
  const std::int64_t stages = pick(random, 1, 4);
  for (std::int64_t s = 0; s < stages; ++s) {
    workload::TransformerStage stage;
    stage.heads = pick(random, 1, 16);
    stage.channels = stage.heads * pick(random, 4, 40);
    stage.mlp_ratio = static_cast<double>(pick(random, 1, 8));
    stage.merge_inputs = pick(random, 0, 2) * stage.channels;
    const std::int64_t branches = pick(random, 1, 90);
    const std::int64_t tokens = pick(random, 1, 100);
    // A map that the branches cover, with padding.
    stage.height = branches;
    stage.width = pick(random, 1, tokens);
    stage.blocks.push_back({pick(random, 1, 9), branches, tokens, tokens, tokens, 1, 0, "window"});
    if (pick(random, 0, 1) == 1) {
      const std::int64_t share = (tokens + 3) / 4;
      stage.blocks.push_back({pick(random, 1, 3), branches, tokens, branches * share, share, 2, 0, "sub-sampled"});
    }
    if (pick(random, 0, 2) == 2) {
      stage.blocks.push_back({1, branches, tokens, tokens + 20, tokens, 1, 9.0, "coarse"});
    }
    model.stages.push_back(stage);
  }
  return model;
}

Machine table_iv() {
  Machine machine;
  machine.node_rows = machine.node_cols = 16;
  machine.pe_rows = machine.pe_cols = 8;
  machine.clock = 4e8;
  machine.word_bytes = 1;
  machine.buffer_bytes = 48 * 1024;
  machine.dram = {1, 8 << 20, 6.4e9, 1024, {}};
  machine.mesh.link_bandwidth = 3.2e9;
  machine.acu = {8, 3, 3, 1};
  machine.min_patch_chunk = 8;
  return machine;
}

Machine random_machine(std::mt19937_64& random) {
  Machine machine;
  machine.node_rows = pick(random, 1, 20);
  machine.node_cols = pick(random, 1, 20);
  machine.pe_rows = pick(random, 1, 16);
  machine.pe_cols = pick(random, 1, 16);
  machine.clock = 4e8;
  machine.word_bytes = static_cast<double>(pick(random, 1, 2));
  machine.buffer_bytes =
      machine.word_bytes * static_cast<double>(machine.pe_array().min_buffer_words() + pick(random, 0, 50000));
  machine.dram.capacity = static_cast<double>(pick(random, 1 << 16, 1 << 24));
  machine.dram.bandwidth = machine.clock * machine.word_bytes * static_cast<double>(pick(random, 1, 64)) / 2;
  machine.mesh.link_bandwidth = machine.clock * 32 / static_cast<double>(pick(random, 1, 64));
  machine.acu = {pick(random, 1, 16), pick(random, 1, 4), pick(random, 1, 4), pick(random, 1, 2)};
  machine.min_patch_chunk = pick(random, 1, 16);
  return machine;
}

}  // namespace pimsweep::systems::allspark
