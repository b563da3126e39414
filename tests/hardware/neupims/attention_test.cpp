#include "hardware/neupims/attention.h"

#include <catch2/catch.hpp>

namespace pimsweep::hardware::neupims {

namespace {

constexpr Device device{
    .channels = 32, .banks = 32, .page_bytes = 1024, .write_cycles = 100, .tile_cycles = 184, .clock = 1e9};

}  // namespace

TEST_CASE("cycles of a request, by hand after Algorithm 1 with the artifact's rounding") {
  // GPT-3 7B on four GPUs: 8 heads of 128. Scores: 1024 / 512 = 2 pages, 100 / 32 rounded up to 4 tiles. Values: one
  // page of 100 positions, 128 / 32 = 4 tiles for each head.
  CHECK(attention_cycles(device, {.heads = 8, .head_size = 128, .context = 100}) ==
        2 * (100 + 184 * 4) + 1 * 8 * (100 + 184 * 4));
  // 513 positions: 17 tiles, and a second page of scores.
  CHECK(attention_cycles(device, {.heads = 8, .head_size = 128, .context = 513}) ==
        2 * (100 + 184 * 17) + 2 * 8 * (100 + 184 * 4));
  // Half the bytes, half the pages.
  CHECK(attention_cycles(device, {.heads = 8, .head_size = 128, .context = 513, .value_bytes = 1}) ==
        1 * (100 + 184 * 17) + 1 * 8 * (100 + 184 * 4));
}

TEST_CASE("no request takes longer with less context, fewer heads or more banks") {
  for (double context = 1; context < 3000; context += 37) {
    const AttentionShape shape{.heads = 12, .head_size = 128, .context = context};
    AttentionShape less = shape;
    less.context = context / 2;
    CHECK(attention_cycles(device, less) <= attention_cycles(device, shape));
    less = shape;
    less.heads = 11;
    CHECK(attention_cycles(device, less) < attention_cycles(device, shape));
    Device more = device;
    more.banks = 64;
    CHECK(attention_cycles(more, shape) <= attention_cycles(device, shape));
  }
}

}  // namespace pimsweep::hardware::neupims
