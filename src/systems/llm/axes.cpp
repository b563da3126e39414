#include "systems/llm/axes.h"

#include "systems/devices/aim_axes.h"
#include "systems/devices/newton_axes.h"
#include "systems/llm/attacc_accounting.h"
#include "systems/llm/card_axes.h"
#include "systems/llm/cent/axes.h"
#include "systems/llm/channels.h"
#include "systems/llm/policies.h"
#include "systems/timeline.h"

namespace pimsweep::systems::llm {

namespace {

constexpr std::array clock_words{Word{"published", true}, Word{"modeled", false}};
constexpr std::array own_memory_words{Word{"own", true}, Word{"shared", false}};

void add_point_axes(AxisList& axes, Settings& s, const std::vector<std::string>& models) {
  axes.text(s.model, "model", "language model of the family decoder, one of configs/models", {}, models)
      .kind(AxisKind::model)
      .choice(s.phase, "phase", phase_words,
              "prompts (prefill), a step of generating (decode), one with a prompt's chunk (mixed), or all together "
              "(query)",
              Phase::decode)
      .count(s.batch, "batch", 1, 1 << 20, "sequences of a batch; each stage of a pipeline has a batch of its own", 1)
      .count(s.context, "context", 1, 1 << 24,
             "tokens of a sequence before the new ones; tokens of a prompt in phases prefill and query", 1024)
      .count(s.new_tokens, "new_tokens", 1, 1 << 20,
             "new tokens of a sequence in a step, more than 1 if guessed; of a whole query in phase query", 1)
      .count(s.chunk, "chunk", 1, 1 << 20, "tokens of another prompt that a mixed step reads", 512)
      .choice(s.queueing, "queueing", queueing_words,
              "fate of queries that memory has no room for (phase query): the point is infeasible, or they wait",
              Queueing::refuse)
      .quantity(s.time_bound, "time_bound", "s", 0, 1e6,
                "longest time of a token for which the largest batch is looked for; 0: none", 0)
      .quantity(s.bits.weights, "weight_bits", "1", 1, 64, "bits of a weight", 16)
      .quantity(s.bits.cache, "cache_bits", "1", 1, 64, "bits of a cached number of keys and values", 16)
      .quantity(s.bits.activations, "activation_bits", "1", 1, 64, "bits of an activation", 16)
      .count(s.tensor_parallel, "tensor_parallel", 0, 1 << 16,
             "cards that share each operator; 0: all of a stage, or a pipeline of blocks on CXL devices", 0)
      .count(s.pipeline_parallel, "pipeline_parallel", 1, 1 << 16,
             "stages of a pipeline, each with a part of the blocks", 1)
      .choice(s.accounting, "accounting", accounting_words,
              "rules by which time and energy are counted: our own, or those of a paper's artifact", Accounting::own)
      .choice(s.pipelining, "pipelining", attacc::pipelining_words,
              "work beside attention on PIM, head by head: none, transfers, or projections on the cards too",
              attacc::Pipelining::projections)
      .choice(s.attacc.uses_published_clocks, "attacc_clocks", clock_words,
              "clocks of PIM in accounting attacc-artifact: published with the artifact, or modeled", true)
      .choice(s.attacc.mended, "attacc_mended", mended_words,
              "fault of AttAcc's artifact that accounting attacc-artifact mends", Mended::none)
      .choice(s.cent_faults, "cent_mended", cent::mended_words,
              "fault of CENT's artifact that accounting cent-artifact mends", cent::artifact_faults)
      .policy(s.policy, policies, "rule by which operators run on cards or on PIM")
      .flag(s.record_timeline, std::string(record_timeline_axis),
            "recording of the timeline of a block (table timeline)", false);
}

void add_load_axes(AxisList& axes, Settings& s) {
  axes.choice(s.load.lengths, "lengths", workload::decoder::lengths_words,
              "lengths of the sequences of a batch: equal, drawn around the context, or requests of a table",
              workload::decoder::Lengths::equal)
      .quantity(s.load.length_sigma, "length_sigma", "1", 0, 5,
                "standard deviation of the logarithm of drawn lengths of sequences", 0.5)
      .count(s.load.length_seed, "length_seed", 0, 1e15, "seed of drawn lengths of sequences", 1)
      .text(s.load.length_table, "length_table", "CSV file of requests beside the model files, without .csv", "")
      .choice(s.load.routing, "routing", workload::decoder::routing_words,
              "choice of experts by tokens: all alike, by Zipf's law, or by the shares of a table",
              workload::decoder::Routing::uniform)
      .quantity(s.load.routing_exponent, "routing_exponent", "1", 0, 10,
                "exponent of Zipf's law for the choice of experts", 1)
      .text(s.load.routing_table, "routing_table", "CSV file of experts' shares beside the model files, without .csv",
            "")
      .choice(s.machine.pim.assignment, "channel_assignment", channel_assignment_words,
              "rule by which sequences come to the PIM channels that hold their keys and values",
              ChannelAssignment::greedy);
}

void add_link_axes(AxisList& axes, hardware::links::Link& link, const std::string& prefix, const std::string& between) {
  axes.quantity(link.bandwidth, prefix + "bandwidth", "B/s", 1, 1e18, "bandwidth between " + between + ", each way",
                1e12)
      .quantity(link.latency, prefix + "latency", "s", 0, 1, "latency of a message between " + between, 0)
      .quantity(link.energy, prefix + "energy", "J/B", 0, 1, "energy of a byte between " + between, 0);
}

void add_stack_axes(AxisList& axes, Pim& pim) {
  hardware::attention_pim::Device& d = pim.stack;
  const auto clocks = [&](std::int64_t& place, const char* key, const char* doc, std::int64_t value) {
    axes.count(place, "hardware.pim.stack." + std::string(key), 0, 1e9, doc, value, "cycle");
  };
  const auto number = [&](std::int64_t& place, const char* key, const char* doc, std::int64_t value) {
    axes.count(place, "hardware.pim.stack." + std::string(key), 1, 1 << 16, doc, value);
  };
  axes.choice(pim.placement, "hardware.pim.stack.placement", hardware::attention_pim::placement_words,
              "place of the multipliers of attention PIM: at banks, bank groups, or on the buffer die",
              hardware::attention_pim::Placement::bank)
      .flag(pim.power_limit, "hardware.pim.stack.power_limit",
            "slower multiplications of attention PIM that respect the power limit of the stack", true)
      .flag(pim.refresh, "hardware.pim.stack.refresh", "refresh of attention PIM while it works", true)
      .quantity(d.clock, "hardware.pim.stack.clock", "Hz", 1e3, 1e12, "command clock of attention PIM", 1e9);
  number(d.channels, "channels", "channels of a stack with attention PIM", 16);
  number(d.pseudo_channels, "pseudo_channels", "pseudo-channels of a channel of attention PIM", 2);
  number(d.ranks, "ranks", "ranks of a pseudo-channel of attention PIM", 1);
  number(d.bank_groups, "bank_groups", "bank groups of a rank of attention PIM", 4);
  number(d.banks, "banks", "banks of a bank group of attention PIM", 4);
  number(d.columns, "columns", "columns of a row of attention PIM", 32);
  number(d.column_bytes, "column_bytes", "bytes of a column access of attention PIM", 32);
  number(d.barrier_rows, "barrier_rows", "rows of scores between two barriers of attention PIM", 16);
  clocks(d.nBL, "nBL", "burst length of attention PIM on the data bus", 2);
  clocks(d.nCCDS, "nCCDS", "column accesses of attention PIM in different bank groups", 2);
  clocks(d.nCCDL, "nCCDL", "column accesses of attention PIM in the same bank group", 4);
  clocks(d.nMAC, "nMAC", "multiplications of all banks of attention PIM, one after another", 4);
  clocks(d.nMAC_power_limit, "nMAC_power_limit", "multiplications of all banks of attention PIM under the power limit",
         6);
  clocks(d.nRCD, "nRCD", "opening a row of attention PIM to its first access", 19);
  clocks(d.nRP, "nRP", "closing a row of attention PIM", 19);
  clocks(d.nRAS, "nRAS", "opening a row of attention PIM to closing it", 45);
  clocks(d.nRTP, "nRTP", "last access of attention PIM to closing the row", 8);
  clocks(d.nRFC, "nRFC", "duration of a refresh of attention PIM", 455);
  clocks(d.nREFI, "nREFI", "interval between refreshes of attention PIM", 5070);
  const auto energy = [&](double& place, const char* key, const char* unit, const char* doc) {
    axes.quantity(place, "hardware.pim.stack.energy." + std::string(key), unit, 0, 1, doc, 0);
  };
  energy(d.energy.activate, "activate", "J/B", "energy of opening and closing a row, by byte of the row");
  energy(d.energy.cell_read, "cell_read", "J/B", "energy of a byte from the cells of attention PIM");
  energy(d.energy.bank_group_mux, "bank_group_mux", "J/B", "energy of a byte from bank to bank-group multiplexer");
  energy(d.energy.global_io, "global_io", "J/B", "energy of a byte over the global lines of a DRAM die");
  energy(d.energy.tsv, "tsv", "J/B", "energy of a byte through the stack");
  energy(d.energy.interposer, "interposer", "J/B", "energy of a byte over the interposer");
  energy(d.energy.multiply, "multiply", "J", "energy of a multiplication of attention PIM");
}

void add_rated_axes(AxisList& axes, Pim& pim) {
  RatedPim& r = pim.rated;
  const auto rate = [&](double& place, const char* key, const char* unit, const char* doc) {
    axes.quantity(place, "hardware.pim.rated." + std::string(key), unit, 0, 1e18, doc, 0);
  };
  rate(r.attention.bandwidth, "attention.bandwidth", "B/s", "bandwidth inside a device of rated PIM for attention");
  rate(r.attention.rate, "attention.rate", "1/s", "operations of attention in a second on a device of rated PIM");
  rate(r.products.bandwidth, "products.bandwidth", "B/s",
       "bandwidth inside a device of rated PIM for products and experts; 0: it has no units for them");
  rate(r.products.rate, "products.rate", "1/s", "operations of products in a second on a device of rated PIM");
  axes.quantity(r.latency, "hardware.pim.rated.latency", "s", 0, 1, "time of an operator of rated PIM beside its work",
                0)
      .quantity(r.memory_energy, "hardware.pim.rated.energy.memory", "J/B", 0, 1,
                "energy of a byte inside rated PIM or channels", 0)
      .quantity(r.operation_energy, "hardware.pim.rated.energy.operation", "J", 0, 1,
                "energy of an operation of rated PIM or channels", 0)
      .quantity(pim.intensity_threshold, "hardware.pim.intensity_threshold", "1", 0, 1e9,
                "operations on each weight above which policy papi runs products on cards", 0);
}

void add_channel_axes(AxisList& axes, hardware::neupims::Device& d) {
  const auto number = [&](std::int64_t& place, const char* key, double min, double max, const char* doc,
                          const char* unit) {
    axes.count(place, "hardware.pim.channel." + std::string(key), min, max, doc, 1, unit);
  };
  number(d.channels, "count", 1, 1 << 16, "channels of a device whose PIM computes whole sequences", "1");
  number(d.banks, "banks", 1, 1 << 16, "banks of a channel that computes whole sequences", "1");
  number(d.page_bytes, "page", 1, 1 << 20, "bytes of a DRAM page of a channel that computes whole sequences", "B");
  number(d.write_cycles, "write", 0, 1e9, "cycles of writing a page's vector into a channel's buffer", "cycle");
  number(d.tile_cycles, "tile", 0, 1e9, "cycles of a page of each bank times a vector in a channel", "cycle");
  axes.quantity(d.clock, "hardware.pim.channel.clock", "Hz", 1e3, 1e12,
                "clock of channels that compute whole sequences", 1e9);
}

void add_newton_channel_axes(AxisList& axes, NewtonChannels& channels) {
  constexpr auto max_channels = static_cast<double>(hardware::newton::max_channels);
  axes.count(channels.count, "hardware.pim.newton.channels", 1, max_channels,
             "channels of a card's memory that have Newton's multipliers", 1)
      .count(channels.buffers, "hardware.pim.newton.buffers", 1, max_channels,
             "global buffers of a Newton channel, for inputs that share an opened row", 1)
      .flag(channels.hides_gwrites, "hardware.pim.newton.gwrite_hiding",
            "opening of Newton's rows while inputs are on their way to the global buffer", false);
  devices::add_newton_axes(axes, "pim.", channels.dram, true);
}

void add_machine_axes(AxisList& axes, Machine& m) {
  axes.choice(m.pim.kind, "hardware.pim.kind", pim_kind_words,
              "PIM of each card: none, attention (AttAcc), aim, newton, rated, channels (NeuPIMs); or cxl (CENT)",
              PimKind::none)
      .count(m.pim.devices, "hardware.pim.devices", 0, 1 << 16, "stacks or devices of PIM beside each card", 0)
      .quantity(m.pim.memory, "hardware.pim.memory", "B", 0, 1e18, "memory of a stack or device of PIM", 0)
      .quantity(m.pim.idle_power, "hardware.pim.idle_power", "W", 0, 1e6, "idle power of a stack or device of PIM", 0)
      .choice(m.pim.has_own_memory, "hardware.pim.memory_of", own_memory_words,
              "memory of PIM: its own, beside that of the card, or the memory of the card itself", true)
      .flag(m.pim.dual_row_buffer, "hardware.pim.dual_row_buffer",
            "simultaneous work of card and PIM in banks that they share", false)
      .quantity(m.host_time, "hardware.host.step_time", "s", 0, 10, "time of the host for each step", 0);
  add_link_axes(axes, m.cards.link, "hardware.link.", "cards");
  axes.quantity(m.cards.link.reduce_latency, "hardware.link.reduce_latency", "s", 0, 1,
                "latency of a sum over all cards (all-reduce) beside its bytes", 0);
  add_link_axes(axes, m.pim.link, "hardware.pim.link.", "a card and its PIM");
  add_stack_axes(axes, m.pim);
  add_rated_axes(axes, m.pim);
  add_channel_axes(axes, m.pim.channels);
  devices::add_aim_axes(axes, "pim.aim.", m.pim.aim);
  add_newton_channel_axes(axes, m.pim.newton);
}

}  // namespace

AxisTable<Settings> make_axes(const std::vector<std::string>& models) {
  AxisTable<Settings> axes;
  Settings& s = axes.layout();
  add_point_axes(axes, s, models);
  add_load_axes(axes, s);
  add_card_axes(axes, s.machine.cards);
  add_machine_axes(axes, s.machine);
  cent::add_axes(axes, "cxl.", s.machine.cxl);
  add_attacc_axes(axes, s.attacc);
  return axes;
}

}  // namespace pimsweep::systems::llm
