#pragma once

#include <cstdint>

#include "base/words.h"
#include "hardware/aim/device.h"
#include "hardware/attention_pim/device.h"
#include "hardware/gpu/language/card.h"
#include "hardware/links/link.h"
#include "hardware/neupims/attention.h"
#include "hardware/newton/dram.h"
#include "systems/llm/cent/machine.h"
#include "systems/llm/channels.h"
#include "systems/llm/rated_pim.h"

namespace pimsweep::systems::llm {

/// Factors on the modeled times of classes of kernels, for the error of the model (docs/llm-gpu.md).
struct KernelErrors {
  double elementwise = 1;
  double products = 1;
  double decode_attention = 1;
  double prefill_attention = 1;
  double experts = 1;
  double head = 1;
  double sampler = 1;
};

/// Cards that run any operator: GPUs, or what works like one.
struct Cards {
  /// 0: the machine has none.
  std::int64_t count = 0;
  hardware::gpu::language::Card card;
  KernelErrors errors;
  /// Bytes of memory of each.
  double memory = 0;
  /// Share of it for weights, keys and values.
  double usable_share = 1;
  /// Attention loads keys and values once for each head of queries, as vLLM's first paged attention; else once for all
  /// heads that share them.
  bool loads_by_head = false;
  /// Joules of an operation, and of a byte from memory; power of a card that waits.
  double operation_energy = 0;
  double memory_energy = 0;
  double idle_power = 0;
  /// Between them.
  hardware::links::Link link;
};

enum class PimKind : std::uint8_t { none, attention, aim, newton, cxl, rated, channels };
inline constexpr Words<PimKind, 7> pim_kind_words{{{"none", PimKind::none},
                                                   {"attention", PimKind::attention},
                                                   {"aim", PimKind::aim},
                                                   {"newton", PimKind::newton},
                                                   {"cxl", PimKind::cxl},
                                                   {"rated", PimKind::rated},
                                                   {"channels", PimKind::channels}}};

/// Newton in the channels of a card's memory.
struct NewtonChannels {
  std::int64_t count = 0;
  /// Global buffers of a channel.
  std::int64_t buffers = 1;
  bool hides_gwrites = false;
  hardware::newton::Dram dram;

  friend bool operator==(const NewtonChannels&, const NewtonChannels&) = default;
};

/// PIM beside each card.
struct Pim {
  PimKind kind = PimKind::none;
  /// Stacks or devices of each card.
  std::int64_t devices = 0;
  /// Bytes of memory of each device.
  double memory = 0;
  double idle_power = 0;
  /// Between a card and its PIM.
  hardware::links::Link link;
  /// The weights that PIM multiplies lie in its memory; else in that of the card, which is the same memory.
  bool has_own_memory = true;
  /// Banks that card and PIM share serve both at a time (NeuPIMs' dual row buffers, Duplex's bundles of banks); else
  /// either waits for the other.
  bool dual_row_buffer = false;
  hardware::attention_pim::Device stack;
  hardware::attention_pim::Placement placement = hardware::attention_pim::Placement::bank;
  bool power_limit = true;
  bool refresh = true;
  hardware::aim::Device aim;
  RatedPim rated;
  hardware::neupims::Device channels;
  ChannelAssignment assignment = ChannelAssignment::greedy;
  /// Operations on each weight above which PAPI runs products on the card.
  double intensity_threshold = 0;
  NewtonChannels newton;

  /// Whether cards have some beside them.
  bool is_beside_cards() const { return devices > 0 && kind != PimKind::none && kind != PimKind::cxl; }
  /// Channels of a card that each hold whole sequences; 1 where all units share each of them.
  std::int64_t request_channels() const { return kind == PimKind::channels ? devices * channels.channels : 1; }
  /// Whether weights that PIM multiplies lie in a memory of its own.
  bool holds_weights() const { return has_own_memory && kind != PimKind::rated; }
  /// Whether a card waits while PIM does attention, or products, in the memory that is the card's too.
  bool attention_stops_card() const { return !has_own_memory && !dual_row_buffer; }
  bool products_stop_card() const { return (!has_own_memory || kind == PimKind::rated) && !dual_row_buffer; }
};

/// A machine for language models.
struct Machine {
  Cards cards;
  Pim pim;
  /// In place of cards: CXL devices of the DRAM `pim.aim`.
  cent::Machine cxl;
  /// Time of the host for each step, in which nothing else runs.
  double host_time = 0;
};

}  // namespace pimsweep::systems::llm
