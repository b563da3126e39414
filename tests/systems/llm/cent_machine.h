#pragma once

#include "hardware/aim/samples.h"
#include "systems/llm/step/cent/layout.h"

namespace pimsweep::test {

/// Llama-2 as CENT has it (utils.py:8-14, commit 8c79786).
inline systems::llm::step::cent::Shape llama_2_7b() {
  return {
      .hidden = 4096, .heads = 32, .kv_heads = 32, .ffn = 11008, .blocks = 32, .head_size = 128, .vocabulary = 32000};
}
inline systems::llm::step::cent::Shape llama_2_13b() {
  return {
      .hidden = 5120, .heads = 40, .kv_heads = 40, .ffn = 13824, .blocks = 40, .head_size = 128, .vocabulary = 32000};
}
inline systems::llm::step::cent::Shape llama_2_70b() {
  return {
      .hidden = 8192, .heads = 64, .kv_heads = 8, .ffn = 28672, .blocks = 80, .head_size = 128, .vocabulary = 32000};
}

/// CENT's machine (Sec. 7 of CENT; cent_power_calculator.py:8-126, cxl_latency.py:4-12, utils.py:7, commit 8c79786).
/// The clocks of traces are read off runs of its simulator (aim_simulator, commit 2eb1ee0).
inline systems::llm::step::cent::Machine cent_machine(std::int64_t devices) {
  constexpr double milli = 1e-3;
  return {.devices = devices,
          .aim = aim_device(),
          .trace = {.element_wise = 91,
                    .copy = 98,
                    .copy_column = 4,
                    .norm = 170,
                    .embedding_norm = 191,
                    .end = 31,
                    .scores_overlap = 40,
                    .softmax = 60,
                    .function = 72,
                    .function_start = 52,
                    .key_row = 126,
                    .key_row_gap = 205,
                    .value = 105,
                    .activation = 33,
                    .activation_column = 14.2,
                    .activation_wait = 2,
                    .activation_hidden = 7},
          .near_memory = {.units = 32,
                          .lanes = 16,
                          .cores = 8,
                          .buffer_read = 1,
                          .buffer_write = 1,
                          .exponent = 11,
                          .core_norm = 26,
                          .core_rotation = 3,
                          .core_softmax = 2,
                          .core_softmax_write = 16},
          .link = {.lanes = 144,
                   .lane_bandwidth = 8 * 1024.0 * 1024.0 * 1024.0,
                   .multicast_share = 0.5,
                   .latency = 180e-9,
                   .flit_bytes = 256,
                   .flit_payload = 192,
                   .byte = 8 * 4.4e-12},
          .power = {.transaction = 267.7082056 * milli,
                    .phy = 381.0445262 * milli,
                    .channels_of_controller = 2,
                    .global_buffer = 0.06702101898 * milli,
                    .shared_buffer = 0.6917736525 * milli,
                    .instruction_buffer = 18.81731768 * milli,
                    .reduce_leakage = 5.62e-6 * milli,
                    .exponent_leakage = 1.28e-5 * milli,
                    .add_leakage = 6.54e-6 * milli,
                    .control = 0.5 * 5.9823757 * milli,
                    .global_buffer_read = 0.2785010052 * milli,
                    .global_buffer_write = 0.3254884575 * milli,
                    .shared_buffer_read = 3.207188769 * milli,
                    .shared_buffer_write = 3.754155771 * milli,
                    .instruction = 70.13266856 * milli,
                    .core = 3.96 * milli,
                    .reduce = 0.2882 * milli,
                    .exponent = 0.5939 * milli,
                    .add = 0.381 * milli},
          .host_time = 0.15e-3};
}

}  // namespace pimsweep::test
