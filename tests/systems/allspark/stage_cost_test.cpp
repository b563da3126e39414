#include "systems/allspark/stage_cost.h"

#include <catch2/catch.hpp>

#include "systems/allspark/random_models.h"

using namespace pimsweep::systems::allspark;
using namespace pimsweep;

namespace {

/// One block of one head pair, small enough to do by hand: N = 12 patches, C = 16, h = 2.
workload::TransformerStage small_stage() {
  workload::TransformerStage stage;
  stage.channels = 16;
  stage.heads = 2;
  stage.mlp_ratio = 4;
  stage.height = stage.width = 4;
  stage.merge_inputs = 32;
  stage.blocks = {{1, 1, 12, 12, 12, 1, 0, "window"}};
  return stage;
}

Machine small_machine() {
  Machine machine;
  machine.node_rows = machine.node_cols = 4;
  machine.pe_rows = machine.pe_cols = 8;
  machine.clock = 1;
  machine.word_bytes = 1;
  machine.buffer_bytes = 48 * 1024;
  // DRAM so fast that only the link counts: a quarter of a cycle for each byte.
  machine.dram = {1, 1 << 20, 1e18, 1024, {}};
  machine.mesh.link_bandwidth = 4;
  machine.acu = {8, 3, 3, 1};
  machine.min_patch_chunk = 4;
  return machine;
}

}  // namespace

TEST_CASE("a 2 x 3 partition by hand") {
  GemmCache gemms;
  const PartitionCost cost = partition_cost(small_stage(), true, {2, 3, 1}, {1, true}, small_machine(), gemms);
  // p = 4, b = 1, d = 8, q = 8. Phases 2-4 and 7: 4 rows x 2 x 1; scores 4 x 1 x 2; context 4 x 2 x 1;
  // FC1 4 x 2 x 4; FC2 4 x 8 x 1.
  CHECK(cost.time.compute == 4 * 8 + 8 + 8 + 32 + 32);
  // Layer norms 2 x 32 x 3 / 8; softmax 4 x 12 x 3 / 8; GELU 4 x 32 / 8.
  CHECK(cost.time.nonlinear == 24 + 18 + 16);
  // Words: D^LN 2 x 8, D^F 32, D^K and D^V 64 each, D^MSA_FC 32, D^FFN 160; a quarter of a cycle each.
  CHECK(cost.time.transfer == 2 * 2 + 8 + 16 + 16 + 8 + 40);
  // (3 - 1) / 6 of 768, 256 and 2048 words: 256, 86, 683.
  CHECK(cost.time.weight_sharing == 64 + 22 + 171);
  CHECK(cost.weight_bytes == 3072 / 6);
  CHECK(cost.merging_bytes == 0);
  CHECK(cost.capacity == 2);
  // FC1: gathered 16 x 32 weights and 7 chunks of 32.
  CHECK(cost.workspace_bytes == 512 + 7 * 32);
}

TEST_CASE("patch merging counts once, from the second stage on") {
  GemmCache gemms;
  workload::TransformerStage stage = small_stage();
  const Machine machine = small_machine();
  const PartitionCost first = partition_cost(stage, true, {2, 3, 1}, {}, machine, gemms);
  const PartitionCost later = partition_cost(stage, false, {2, 3, 1}, {}, machine, gemms);
  CHECK(later.time.compute - first.time.compute == 4 * 4 * 1);
  CHECK(later.time.transfer - first.time.transfer == 16);              // 4 x 8 x 2 words
  CHECK(later.time.weight_sharing - first.time.weight_sharing == 43);  // ceil(2 / 6 x 512) = 171 words
  CHECK(later.merging_bytes == 86);                                    // ceil(512 / 6)
  stage.blocks[0].count = 5;
  const PartitionCost five = partition_cost(stage, false, {2, 3, 1}, {}, machine, gemms);
  CHECK(five.time.compute == 5 * first.time.compute + 16);
}

TEST_CASE("one node moves nothing, unless keys live in other branches") {
  GemmCache gemms;
  workload::TransformerStage stage = small_stage();
  const PartitionCost local = partition_cost(stage, true, {1, 1, 1}, {}, small_machine(), gemms);
  CHECK(local.time.transfer == 0);
  CHECK(local.time.weight_sharing == 0);
  stage.blocks[0].kv_tokens = 20;
  const PartitionCost global = partition_cost(stage, true, {1, 1, 1}, {}, small_machine(), gemms);
  CHECK(global.time.transfer == 2 * (20 - 12) * 16 / 4);
}

TEST_CASE("the batch multiplies everything but weight sharing (Eq. 12)") {
  GemmCache gemms;
  const PartitionCost one = partition_cost(small_stage(), false, {2, 3, 1}, {1, true}, small_machine(), gemms);
  const PartitionCost four = partition_cost(small_stage(), false, {2, 3, 1}, {4, true}, small_machine(), gemms);
  CHECK(four.time.compute == 4 * one.time.compute);
  CHECK(four.time.nonlinear == 4 * one.time.nonlinear);
  CHECK(four.time.transfer == 4 * one.time.transfer);
  CHECK(four.time.weight_sharing == one.time.weight_sharing);
}

TEST_CASE("spreading weights over sub-arrays stores less and moves more") {
  GemmCache gemms;
  const PartitionCost alone = partition_cost(small_stage(), false, {2, 1, 1}, {}, small_machine(), gemms);
  const PartitionCost shared = partition_cost(small_stage(), false, {2, 1, 4}, {}, small_machine(), gemms);
  CHECK(alone.time.weight_sharing == 0);
  CHECK(shared.time.weight_sharing > 0);
  CHECK(shared.weight_bytes * 4 == alone.weight_bytes);
  CHECK(shared.workspace_bytes > alone.workspace_bytes);
}
