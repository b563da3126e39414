#pragma once

#include "../../hardware/attention_pim/attacc_stack.h"
#include "systems/artifacts/attacc/machine.h"

namespace pimsweep::systems::artifacts::attacc::fixture {

/// GPUs of AttAcc's artifact (config.py:17-130, devices.py:160-240; commit c600051): an A100 with HBM3, and an H100.
inline Gpu gpu() {
  constexpr double pj = 1e-12;
  return {.peak_share = 0.8,
          .bandwidth_share = 0.85,
          .activation = {.per_byte = 4.47e-13, .fixed = 8.29e-6},
          .norm = {.per_byte = 1.6e-12, .fixed = 6.87e-6},
          .measured_bandwidth = 1555e9,
          .measured_link = 600e9,
          .reduce_fixed = 6060e-9,
          .reduce_per_byte = 0.009e-9,
          .energy = {.registers = 0.0675 * pj,
                     .core_memory = 1.28 * pj,
                     .cache = 2.4 * pj,
                     .memory = 28.72 * pj,
                     .link = 10.4 * pj,
                     .multiply = 0.32 * pj}};
}

inline Gpu a100() {
  Gpu a100 = gpu();
  a100.cores = 108;
  a100.peak = 312e12;
  a100.bandwidth = 3352e9;
  a100.core_memory = 192.0 * 1024;
  a100.cache = 40.0 * 1024 * 1024;
  a100.link_bandwidth = 600e9;
  return a100;
}

inline Gpu h100() {
  Gpu h100 = gpu();
  h100.cores = 132;
  h100.peak = 989.4e12;
  h100.bandwidth = 3352e9;
  h100.core_memory = 256.0 * 1024;
  h100.cache = 50.0 * 1024 * 1024;
  h100.link_bandwidth = 900e9;
  return h100;
}

/// Eight units of five stacks (config.py:156-199).
inline AttAcc attacc(hardware::attention_pim::Placement placement, bool power_limit) {
  using hardware::attention_pim::Placement;
  double gain = 1;
  if (placement == Placement::bank) gain = power_limit ? 9 : 16;
  if (placement == Placement::bank_group) gain = power_limit ? 3 : 8;
  return {.units = 8,
          .stacks = 5,
          .stack = hardware::attention_pim::attacc::stack(),
          .options = {.placement = placement,
                      .power_limit = power_limit,
                      .commands = hardware::attention_pim::Commands::tabulated},
          .published = nullptr,
          .stack_bandwidth = 670.4e9,
          .gain = gain,
          .link_bandwidth = 600e9,
          .softmax_memory = 0.0034e-12};
}

/// Models of config.py:202-216.
inline Model gpt3_175b() { return {.layers = 96, .hidden = 12288, .heads = 96}; }
inline Model llama_65b() {
  return {.layers = 80, .hidden = 8192, .heads = 64, .feed_forward_scale = 8.0 / 3, .feed_forward = FeedForward::gated};
}
inline Model mt_530b() { return {.layers = 105, .hidden = 20480, .heads = 128}; }
inline Model opt_66b() { return {.layers = 64, .hidden = 9216, .heads = 72, .feed_forward = FeedForward::relu}; }

}  // namespace pimsweep::systems::artifacts::attacc::fixture
