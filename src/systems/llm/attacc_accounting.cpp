#include "systems/llm/attacc_accounting.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/error.h"
#include "base/posix_file.h"
#include "systems/llm/attacc/artifact.h"

namespace pimsweep::systems::llm {

namespace {

using workload::decoder::Activation;
using workload::decoder::Decoder;
using workload::decoder::Kind;
using workload::decoder::Operator;
using workload::decoder::Part;

// The artifact knows the ratio of each family's feed-forward network, not its width (config.py:202-216).
attacc::Model model_of(const Decoder& decoder) {
  attacc::Model model{.layers = decoder.blocks, .hidden = decoder.hidden, .heads = decoder.heads};
  if (decoder.gated) {
    model.feed_forward = attacc::FeedForward::gated;
    model.feed_forward_scale = 8.0 / 3;
  } else if (decoder.activation == Activation::relu) {
    model.feed_forward = attacc::FeedForward::relu;
  }
  return model;
}

/// What the artifact cannot account for; empty if it can.
std::string attacc_misfit(const Settings& settings, const Decoder& decoder) {
  if (decoder.experts || decoder.latent) {
    return "AttAcc's artifact knows no experts and no latent attention";
  }
  const workload::decoder::Bits& bits = settings.bits;
  if (bits.weights != bits.activations || bits.cache != bits.activations) {
    return "AttAcc's artifact has weights, cache and activations of equal bits";
  }
  if (!settings.policy->needs_pim) return {};
  if (!settings.policy->pipelines_heads) {
    return fmt::format("AttAcc's artifact has no policy {}: gpu, attacc or attacc-ff", settings.policy->name);
  }
  if (settings.machine.pim.kind == PimKind::attention && settings.machine.pim.devices > 0) return {};
  return fmt::format("policy {} needs attention PIM, which the machine lacks", settings.policy->name);
}

attacc::Card card_of(const Settings& settings) {
  const Cards& cards = settings.machine.cards;
  attacc::Card card = settings.attacc.card;
  card.cores = Count::of(cards.card.multiprocessors);
  card.cache = cards.card.cache_capacity;
  return card;
}

attacc::AttAcc pim_of(const Settings& settings, ClockTable& table) {
  const Pim& pim = settings.machine.pim;
  attacc::AttAcc result = settings.attacc.pim;
  result.units = settings.machine.cards.count;
  result.stacks = pim.devices;
  result.stack = pim.stack;
  result.options = {.placement = pim.placement,
                    .power_limit = pim.power_limit,
                    .refresh = pim.refresh,
                    .commands = hardware::attention_pim::Commands::tabulated};
  if (settings.attacc.uses_published_clocks) result.published = &table.clocks();
  return result;
}

attacc::Accounting accounting_of(const Settings& settings) {
  const Mended mended = settings.attacc.mended;
  const auto keeps = [&](Mended fault) { return mended != fault && mended != Mended::all; };
  return {.pipelining = settings.pipelining,
          .shared_feed_forward = settings.policy->splits_feed_forward,
          .softmax_dropped = keeps(Mended::softmax),
          .moves_per_byte = keeps(Mended::moves),
          .context_products_free = keeps(Mended::context_products),
          .elements_on_one_core = keeps(Mended::elements)};
}

/// A part of a step as an operator of it, for the table.
constexpr std::array step_parts{
    Operator{.name = "qkv", .kind = Kind::linear, .part = Part::attention},
    Operator{.name = "attention", .kind = Kind::attention, .part = Part::attention},
    Operator{.name = "softmax", .kind = Kind::attention, .part = Part::attention},
    Operator{.name = "transfer", .kind = Kind::all_reduce, .part = Part::attention},
    Operator{.name = "output", .kind = Kind::linear, .part = Part::attention},
    Operator{.name = "ffn", .kind = Kind::linear, .part = Part::feed_forward},
    Operator{.name = "ffn_activation", .kind = Kind::activation, .part = Part::feed_forward},
    Operator{.name = "all_reduce", .kind = Kind::all_reduce, .part = Part::feed_forward},
    Operator{.name = "norm", .kind = Kind::norm, .part = Part::feed_forward}};

void list_parts(const attacc::StepTime& time, bool has_pim, Evaluation& evaluation) {
  const std::array seconds{time.qkv,          time.attention,  time.softmax,    time.transfer, time.projection,
                           time.feed_forward, time.activation, time.all_reduce, time.norm};
  evaluation.runs.clear();
  double now = 0;
  for (std::size_t i = 0; i < step_parts.size(); ++i) {
    OperatorRun& run = evaluation.runs.emplace_back(OperatorRun{.op = &step_parts[i], .seconds = seconds[i]});
    const bool on_pim = has_pim && step_parts[i].kind == Kind::attention;
    run.pim_share = on_pim ? 1 : 0;
    Cost& cost = step_parts[i].kind == Kind::all_reduce ? run.link : on_pim ? run.pim : run.gpu;
    cost.seconds = seconds[i];
    run.start = now;
    // What a pipeline hides may be more than the artifact's time of a part.
    now += std::max(0.0, seconds[i]);
    run.end = now;
  }
}

}  // namespace

const hardware::attention_pim::PublishedClocks& ClockTable::clocks() {
  read();
  return *clocks_;
}

Hash128 ClockTable::content() {
  read();
  return content_;
}

void ClockTable::read() {
  if (clocks_) return;
  for (const ConfigFolder& folder : folders_) {
    const std::string path = (std::filesystem::path(folder.path) / "attacc-clocks.csv").string();
    if (!std::filesystem::exists(path)) continue;
    const std::string text = read_file(path);
    clocks_ = std::make_unique<hardware::attention_pim::PublishedClocks>(text, path);
    content_ = hash128(text);
    return;
  }
  throw PointError(fmt::format("there is no attacc-clocks.csv in {}", joined_paths(folders_)));
}

void add_attacc_axes(AxisList& axes, AttaccArtifact& artifact) {
  attacc::Card& card = artifact.card;
  constexpr const char* key = "hardware.attacc.";
  const auto number = [&](double& place, const char* name, const char* unit, const char* doc) {
    axes.quantity(place, key + std::string(name), unit, 0, 1e18, doc, 0);
  };
  number(card.peak, "peak", "1/s", "peak rate of a card in AttAcc's artifact, 16-bit factors");
  number(card.bandwidth, "bandwidth", "B/s", "memory bandwidth of a card in AttAcc's artifact");
  number(card.core_memory, "core_memory", "B", "memory of a multiprocessor in AttAcc's artifact");
  number(card.link_bandwidth, "link_bandwidth", "B/s", "link of a card in AttAcc's artifact, both ways together");
  number(card.peak_share, "peak_share", "1", "share of the peak that products reach in AttAcc's artifact");
  number(card.bandwidth_share, "bandwidth_share", "1",
         "share of the bandwidth that products reach in AttAcc's artifact");
  number(card.activation.per_byte, "activation.per_byte", "s/B", "time of an activation by byte in AttAcc's artifact");
  number(card.activation.fixed, "activation.fixed", "s", "time of an activation beside its bytes in AttAcc's artifact");
  number(card.norm.per_byte, "norm.per_byte", "s/B", "time of a normalization by byte in AttAcc's artifact");
  number(card.norm.fixed, "norm.fixed", "s", "time of a normalization beside its bytes in AttAcc's artifact");
  number(card.measured_bandwidth, "measured_bandwidth", "B/s",
         "memory bandwidth of the card that AttAcc's artifact takes kernel times of");
  number(card.measured_link, "measured_link", "B/s", "link of the card that AttAcc's artifact takes times of");
  number(card.reduce_fixed, "reduce.fixed", "s", "time of an all-reduce step beside its bytes in AttAcc's artifact");
  number(card.reduce_per_byte, "reduce.per_byte", "s/B", "time of an all-reduce step by byte in AttAcc's artifact");
  number(card.energy.registers, "energy.registers", "J/B", "energy of a byte from registers in AttAcc's artifact");
  number(card.energy.core_memory, "energy.core_memory", "J/B",
         "energy of a byte from a multiprocessor's memory in AttAcc's artifact");
  number(card.energy.cache, "energy.cache", "J/B", "energy of a byte from the second-level cache in AttAcc's artifact");
  number(card.energy.memory, "energy.memory", "J/B", "energy of a byte from a card's memory in AttAcc's artifact");
  number(card.energy.link, "energy.link", "J/B", "energy of a byte between cards in AttAcc's artifact");
  number(card.energy.multiply, "energy.multiply", "J", "energy of a multiplication in AttAcc's artifact");
  number(artifact.pim.stack_bandwidth, "stack_bandwidth", "B/s", "bandwidth of a stack in AttAcc's artifact");
  number(artifact.pim.gain, "gain", "1",
         "bandwidth of a stack's multipliers by that of the stack in AttAcc's artifact");
  number(artifact.pim.link_bandwidth, "pim_link_bandwidth", "B/s",
         "link between a card and its PIM in AttAcc's artifact, both ways together");
  number(artifact.pim.softmax_memory, "softmax_memory", "J/B",
         "energy of a byte of the softmax unit's memory in AttAcc's artifact");
}

void evaluate_attacc(const Settings& settings, const Decoder& decoder, ClockTable& table, Evaluation& evaluation) {
  if (settings.phase != Phase::query) {
    throw PointError("accounting attacc-artifact knows whole queries only: set phase to query");
  }
  if (settings.new_tokens < 2) throw PointError("accounting attacc-artifact needs at least two new tokens");
  if (settings.machine.cards.count == 0 || settings.attacc.card.peak == 0 || settings.attacc.card.core_memory == 0) {
    throw PointError("accounting attacc-artifact needs cards, and the constants hardware.attacc of a machine");
  }
  evaluation.misfit = attacc_misfit(settings, decoder);
  if (!evaluation.misfit.empty()) return;
  const bool has_pim = settings.policy->needs_pim;
  const attacc::Model model = model_of(decoder);
  const attacc::AttAcc pim = pim_of(settings, table);
  const attacc::Cluster cluster{
      .card = card_of(settings), .cards = settings.machine.cards.count, .pim = has_pim ? &pim : nullptr};
  const attacc::Accounting accounting = accounting_of(settings);
  const attacc::Load load{.batch = settings.batch, .value_bytes = settings.bits.activations / 8};
  const attacc::StepCost prompts = attacc::prefill(model, cluster, accounting, load, settings.context);
  const attacc::StepCost step =
      attacc::mean_decode_step(model, cluster, accounting, load, settings.context, settings.new_tokens);
  const auto batch = static_cast<double>(settings.batch);
  const double steps = static_cast<double>(settings.new_tokens) - 1;
  evaluation.time_to_first_token = prompts.time.total();
  evaluation.time_per_token = step.time.total();
  evaluation.time = prompts.time.total() + steps * step.time.total();
  evaluation.tokens_per_second = batch / step.time.total();
  evaluation.energy = steps * step.energy.total();
  evaluation.energy_per_token = step.energy.total() / batch;
  evaluation.idle_energy = 0;
  evaluation.power = step.energy.total() / step.time.total();
  const double attention = step.time.attention + step.time.softmax;
  evaluation.pim_busy = has_pim ? attention / step.time.total() : 0;
  evaluation.gpu_busy = (step.time.dense() + step.time.elements() + (has_pim ? 0 : attention)) / step.time.total();
  evaluation.operations = prompts.flops + steps * step.flops;
  evaluation.caveat = "as AttAcc's artifact accounts for it, with its faults";
  list_parts(step.time, has_pim, evaluation);
}

}  // namespace pimsweep::systems::llm
