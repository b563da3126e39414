#include "systems/llm/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>

#include "base/error.h"
#include "systems/llm/turns.h"
#include "workload/decoder/parameters.h"

namespace pimsweep::systems::llm {

namespace {

using workload::decoder::Decoder;
using workload::decoder::Lengths;
using workload::decoder::Part;
using workload::decoder::Routing;
using workload::decoder::Sequences;

/// Parts of a query's generated tokens, each of which one step stands for.
constexpr int parts_of_query = 8;

/// Sequences of a batch at most, as axis `batch` has them.
constexpr double max_batch = 1 << 20;

bool uses_pim(std::span<const OperatorRun> runs) {
  return std::ranges::any_of(runs, [](const OperatorRun& run) { return run.pim_share > 0; });
}

}  // namespace

void Evaluator::Totals::add(const Totals& other, double times) {
  seconds += times * other.seconds;
  lower_bound += times * other.lower_bound;
  stage_seconds += times * other.stage_seconds;
  gpu_seconds += times * other.gpu_seconds;
  pim_seconds += times * other.pim_seconds;
  operations += times * other.operations;
  gpu_bytes += times * other.gpu_bytes;
  pim_bytes += times * other.pim_bytes;
  link_bytes += times * other.link_bytes;
  energy += times * other.energy;
}

/// Finds out how many cards share an operator.
void Evaluator::divide() {
  const Settings& s = *settings_;
  const std::int64_t cards = s.machine.cards.count;
  tensor_ = s.tensor_parallel == 0 ? std::max<std::int64_t>(1, cards / s.pipeline_parallel) : s.tensor_parallel;
  if (tensor_ * s.pipeline_parallel > cards) {
    throw PointError(fmt::format("tensor_parallel {} times pipeline_parallel {} needs {} cards, but the machine has {}",
                                 tensor_, s.pipeline_parallel, tensor_ * s.pipeline_parallel, cards));
  }
  if (s.pipeline_parallel > decoder_->blocks) {
    throw PointError(
        fmt::format("pipeline_parallel is {}, but the model has {} blocks", s.pipeline_parallel, decoder_->blocks));
  }
  evaluation_.devices = static_cast<double>(tensor_);
}

/// Reads what the point says of lengths and of routing.
void Evaluator::read_load() {
  const Settings& s = *settings_;
  // Beyond, a list of sequences would take longer than the point itself.
  constexpr std::int64_t max_listed = 1 << 16;
  lengths_.clear();
  if (s.load.lengths != Lengths::equal) {
    if (s.phase == Phase::query) throw PointError("phase query has sequences of equal lengths only");
    if (s.time_bound > 0) throw PointError("time_bound is for sequences of equal lengths only");
    if (s.batch > max_listed) {
      throw PointError(fmt::format("lengths that differ are for batches up to {}, not {}", max_listed, s.batch));
    }
  }
  if (s.load.lengths == Lengths::log_normal) {
    workload::decoder::draw_lengths({.mean = static_cast<double>(s.context),
                                     .sigma = s.load.length_sigma,
                                     .seed = static_cast<std::uint64_t>(s.load.length_seed)},
                                    s.batch, lengths_);
  } else if (s.load.lengths == Lengths::table) {
    const auto requests = tables_->requests(s.load.length_table);
    if (s.phase == Phase::prefill) {
      workload::decoder::prompt_lengths(requests, s.batch, lengths_);
    } else {
      workload::decoder::generating_contexts(requests, s.batch, lengths_);
    }
  }
  routing_.clear();
  const workload::decoder::Experts& experts = decoder_->experts;
  if (!experts || s.load.routing == Routing::uniform) return;
  if (s.load.routing == Routing::zipf) {
    routing_ = workload::decoder::choice_probabilities(
        experts, workload::decoder::zipf_shares(experts.count, s.load.routing_exponent));
  } else {
    routing_ = workload::decoder::choice_probabilities(experts, tables_->shares(s.load.routing_table));
  }
}

/// Tokens of a sequence before the new ones, on average.
double Evaluator::mean_context() const {
  if (lengths_.empty()) return static_cast<double>(settings_->context);
  return static_cast<double>(std::accumulate(lengths_.begin(), lengths_.end(), std::int64_t{0})) /
         static_cast<double>(lengths_.size());
}

double Evaluator::tokens_of_point() const {
  const Settings& s = *settings_;
  switch (s.phase) {
    case Phase::prefill:
      return mean_context();
    case Phase::decode:
    case Phase::mixed:
    case Phase::query:
      break;
  }
  return mean_context() + static_cast<double>(s.new_tokens);
}

/// Looks whether weights and caches fit into memory. Where attention is on PIM with a memory of its own, so are keys
/// and values.
void Evaluator::fit() {
  const Settings& s = *settings_;
  const Machine& m = s.machine;
  const double stages = static_cast<double>(s.pipeline_parallel);
  const double weights = static_cast<double>(workload::decoder::parameters(*decoder_)) * s.bits.weights / 8 /
                         (evaluation_.devices * stages);
  sequence_bytes_ =
      workload::decoder::cached_elements(*decoder_, tensor_) * s.bits.cache / 8 / stages * tokens_of_point();
  const auto batch = static_cast<double>(s.batch);
  const double pim_memory = static_cast<double>(m.pim.devices) * m.pim.memory;
  const bool cache_in_pim = s.policy->keeps_cache_in_pim && m.pim.has_own_memory;
  const double card_memory = m.cards.usable_share * m.cards.memory;
  card_room_ = std::max(0.0, card_memory - weights);
  pim_room_ = std::max(0.0, std::min(card_memory - weights, 0.0) + pim_memory);
  double room = cache_in_pim ? pim_room_ : card_room_;
  if (s.policy->finds_optimum) room = std::max(card_room_, m.pim.has_own_memory ? pim_room_ : 0);
  const double largest = std::floor(room / sequence_bytes_);
  evaluation_.weights = weights;
  evaluation_.pim_weights = 0;
  evaluation_.largest_batch = largest;
  evaluation_.cache = (is_queued() ? largest : batch) * sequence_bytes_;
  if (weights > card_memory) {
    evaluation_.misfit = fmt::format("the weights of {} take {:.4g} GB on each card, which has room for {:.4g} GB",
                                     s.model, 1e-9 * weights, 1e-9 * card_memory);
  } else if (batch > largest && !is_queued()) {
    evaluation_.misfit = fmt::format(
        "keys and values of {} sequences take {:.4g} GB beside each card, where {:.4g} GB are left: room for {} "
        "sequences",
        s.batch, 1e-9 * batch * sequence_bytes_, 1e-9 * room, largest);
  }
}

/// Whether some sequences wait until others have ended.
bool Evaluator::is_queued() const {
  const Settings& s = *settings_;
  const double largest = *evaluation_.largest_batch;
  return s.queueing == Queueing::queue && s.phase == Phase::query && largest >= 1 &&
         static_cast<double>(s.batch) > largest;
}

/// Weights that PIM multiplies lie in its memory, if it has one of its own, beside the keys and values there; cards
/// keep all, since prompts need them. Where both sides share feed-forward products, PIM takes no more columns than it
/// has room for.
std::string Evaluator::place_weights(const Policy& policy) {
  const Settings& s = *settings_;
  if (!s.machine.pim.holds_weights()) return {};
  double weights = 0;
  for (const Choice& choice : whole_.choices) weights += choice.pim_share * choice.op->times * choice.op->weight_bytes;
  if (weights == 0) return {};
  weights /= static_cast<double>(s.pipeline_parallel);
  const double memory = static_cast<double>(s.machine.pim.devices) * s.machine.pim.memory;
  const double caches = policy.keeps_cache_in_pim ? batch_ * sequence_bytes_ : 0;
  const double room = std::max(0.0, memory - caches);
  if (policy.splits_feed_forward && weights > room) {
    for (Choice& choice : whole_.choices) {
      if (choice.op->weight_bytes > 0) choice.pim_share *= room / weights;
    }
    weights = room;
  }
  evaluation_.pim_weights = std::max(*evaluation_.pim_weights, weights);
  if (weights <= room) return {};
  if (policy.keeps_cache_in_pim) {
    evaluation_.largest_batch = std::floor(std::max(0.0, memory - weights) / sequence_bytes_);
  }
  return fmt::format(
      "policy {} has {:.4g} GB of weights in the PIM of each card, where {:.4g} GB are left beside keys and values",
      policy.name, 1e-9 * weights, 1e-9 * room);
}

Evaluator::Totals Evaluator::totals_of(std::span<const OperatorRun> runs) const {
  const Settings& s = *settings_;
  Totals totals;
  double ends = 0;
  for (const OperatorRun& run : runs) {
    const double times = run.op->times;
    totals.seconds += times * run.seconds;
    if (run.op->part == Part::ends) ends += times * run.seconds;
    totals.gpu_seconds += times * run.gpu.seconds;
    totals.pim_seconds += times * run.pim.seconds;
    totals.operations += times * run.op->operations;
    totals.gpu_bytes += times * run.gpu.bytes;
    totals.pim_bytes += times * run.pim.bytes;
    totals.link_bytes += times * run.link.bytes;
    totals.energy += times * (run.gpu.energy + run.pim.energy + run.link.energy);
  }
  const auto stages = static_cast<double>(s.pipeline_parallel);
  const auto blocks = static_cast<double>(decoder_->blocks);
  const double handover_bytes = whole_.step.tokens * static_cast<double>(decoder_->hidden) * s.bits.activations / 8;
  const double handover = stages > 1 ? transfer_time(s.machine.cards.link, handover_bytes) : 0;
  // The last stage has the head too.
  totals.stage_seconds =
      (totals.seconds - ends) * std::ceil(blocks / stages) / blocks + ends + handover + s.machine.host_time;
  totals.seconds += (stages - 1) * handover + s.machine.host_time;
  totals.link_bytes += (stages - 1) * handover_bytes;
  totals.energy += (stages - 1) * handover_bytes * s.machine.cards.link.energy;
  return totals;
}

/// Blocks of two halves in turn, between the ends of the model, which the whole batch runs at once.
void Evaluator::run_turns() {
  for (Halves::Half& half : halves_.parts) {
    cost_batch(place_, half.sequences, half.channels, half.batch);
    evaluation_.misfit = choose_sides(place_, half.batch);
    if (!evaluation_.misfit.empty()) return;
    llm::run_batch(place_, attacc::Pipelining::none, half.batch);
  }
  take_turns(halves_.parts[0].batch.runs, halves_.parts[1].batch.runs, static_cast<double>(decoder_->blocks),
             place_.connections());
  list_runs(halves_);
}

/// Lists the ends of the model for the whole batch, and blocks of two batches between them.
void Evaluator::list_runs(const Halves& halves) {
  const auto is_end = [](const OperatorRun& run) { return run.op->part == Part::ends; };
  const auto is_none = [&](const OperatorRun& run) { return is_end(run) || run.op->times == 0; };
  evaluation_.runs.clear();
  std::ranges::copy_if(whole_.runs, std::back_inserter(evaluation_.runs), is_end);
  for (const Halves::Half& half : halves.parts) {
    std::ranges::remove_copy_if(half.batch.runs, std::back_inserter(evaluation_.runs), is_none);
  }
}

Evaluator::Totals Evaluator::run(std::span<const Sequences> sequences) {
  const Settings& s = *settings_;
  cost_batch(place_, sequences, {}, whole_);
  if (s.policy->finds_optimum) return run_optimum();
  evaluation_.misfit = choose_sides(place_, whole_);
  if (!evaluation_.misfit.empty()) return {};
  evaluation_.misfit = place_weights(*s.policy);
  if (!evaluation_.misfit.empty()) return {};
  llm::run_batch(place_, s.policy->pipelines_heads ? s.pipelining : attacc::Pipelining::none, whole_);
  evaluation_.runs.clear();
  evaluation_.piped = {};
  if (s.policy->takes_turns && divide_sequences(s.machine.pim, s.bits, whole_.step, halves_)) {
    run_turns();
  } else {
    evaluation_.runs = whole_.runs;
    evaluation_.piped = whole_.piped;
  }
  return totals_of(evaluation_.runs);
}

/// Prompts, then all tokens but the first, which ends the prompt: the time of a step changes slowly with the context,
/// so that some of the steps stand for all.
Evaluator::Totals Evaluator::run_queries() {
  const Settings& s = *settings_;
  const auto prompt = static_cast<double>(s.context);
  Totals totals = run(prompts(batch_));
  evaluation_.time_to_first_token = totals.seconds;
  const double steps = static_cast<double>(s.new_tokens) - 1;
  if (steps == 0) return totals;
  const int parts = static_cast<int>(std::min(steps, static_cast<double>(parts_of_query)));
  Totals generated;
  // From the end, so that the operators of the first one are left.
  for (int part = parts - 1; part >= 0; --part) {
    const double context = prompt + std::floor((part + 0.5) / parts * steps);
    generated.add(run(std::array{Sequences{.count = batch_, .context = context}}), steps / parts);
  }
  evaluation_.time_per_token = generated.seconds / steps;
  totals.add(generated, 1);
  return totals;
}

/// Sequences of a batch that generate.
std::span<const Sequences> Evaluator::generating(double batch) {
  const Settings& s = *settings_;
  const auto tokens = static_cast<double>(s.new_tokens);
  Sequences some{.count = batch, .new_tokens = tokens, .context = static_cast<double>(s.context), .predicted = tokens};
  sequences_.clear();
  if (lengths_.empty()) sequences_.push_back(some);
  for (std::size_t i = 0; i < std::min(lengths_.size(), static_cast<std::size_t>(batch)); ++i) {
    some.count = 1;
    some.context = static_cast<double>(lengths_[i]);
    sequences_.push_back(some);
  }
  return sequences_;
}

/// The prompts of a batch.
std::span<const Sequences> Evaluator::prompts(double batch) {
  generating(batch);
  for (Sequences& some : sequences_) {
    some = {.count = some.count, .new_tokens = some.context, .is_prompt = true};
  }
  return sequences_;
}

/// A batch of so many sequences.
Evaluator::Totals Evaluator::run_batch(double batch) {
  const Settings& s = *settings_;
  batch_ = batch;
  Totals totals;
  switch (s.phase) {
    case Phase::prefill:
      totals = run(prompts(batch));
      evaluation_.time_to_first_token = totals.seconds;
      return totals;
    case Phase::decode:
      totals = run(generating(batch));
      break;
    case Phase::mixed:
      generating(batch);
      sequences_.push_back(
          {.new_tokens = static_cast<double>(s.chunk), .context = static_cast<double>(s.context), .is_prompt = true});
      totals = run(sequences_);
      break;
    case Phase::query:
      return run_queries();
  }
  evaluation_.time_per_token = totals.seconds / static_cast<double>(s.new_tokens);
  return totals;
}

/// As many sequences at a time as memory has room for, and the rest at last: all queries are of equal length, so that
/// those that run together end together.
Evaluator::Totals Evaluator::run_in_turn() {
  const auto batch = static_cast<double>(settings_->batch);
  if (!is_queued()) return run_batch(batch);
  const double largest = *evaluation_.largest_batch;
  const double turns = std::floor(batch / largest);
  const double rest = batch - turns * largest;
  Totals totals;
  // The rest first, so that the operators and times of the others are left.
  double rest_time = 0;
  if (rest > 0) {
    totals = run_batch(rest);
    rest_time = evaluation_.time_per_token.value_or(0);
  }
  totals.add(run_batch(largest), turns);
  if (evaluation_.time_per_token) {
    evaluation_.time_per_token = (turns * largest * *evaluation_.time_per_token + rest * rest_time) / batch;
  }
  return totals;
}

/// The largest batch whose time of a token stays within the bound: that time never falls when a batch grows.
void Evaluator::bound() {
  const Settings& s = *settings_;
  if (s.time_bound == 0 || s.phase == Phase::prefill || (s.phase == Phase::query && s.new_tokens == 1)) return;
  double within = 0;
  double beyond = std::min(*evaluation_.largest_batch, max_batch) + 1;
  double throughput = 0;
  while (beyond - within > 1) {
    const double middle = std::floor((within + beyond) / 2);
    const Totals totals = run_batch(middle);
    if (evaluation_.misfit.empty() && *evaluation_.time_per_token <= s.time_bound) {
      within = middle;
      throughput = tokens_of(middle) / interval_of(totals);
    } else {
      beyond = middle;
    }
    evaluation_.misfit.clear();
  }
  evaluation_.largest_bounded_batch = within;
  evaluation_.bounded_tokens_per_second = throughput;
}

/// Tokens of a batch that count: those generated, or those of prompts.
double Evaluator::tokens_of(double batch) const {
  const Settings& s = *settings_;
  return batch * (s.phase == Phase::prefill ? mean_context() : static_cast<double>(s.new_tokens));
}

/// Time between the ends of two batches: with a pipeline, each stage works on another one, so that the machine ends one
/// in the time of the slowest stage.
double Evaluator::interval_of(const Totals& totals) const {
  return settings_->pipeline_parallel > 1 ? totals.stage_seconds : totals.seconds;
}

void Evaluator::finish(const Totals& totals) {
  const Settings& s = *settings_;
  Evaluation& e = evaluation_;
  const Machine& m = s.machine;
  const auto stages = static_cast<double>(s.pipeline_parallel);
  const double used = e.devices * stages;
  const double tokens = tokens_of(static_cast<double>(s.batch));
  const double interval = interval_of(totals);
  e.time = totals.seconds;
  if (s.policy->finds_optimum) {
    e.lower_bound = totals.lower_bound;
    e.optimum_gap = std::max(0.0, totals.seconds / totals.lower_bound - 1);
  }
  e.tokens_per_second = tokens / interval;
  const double idle = m.cards.idle_power + static_cast<double>(m.pim.devices) * m.pim.idle_power;
  e.idle_energy = idle * used * interval;
  e.energy = e.devices * totals.energy + e.idle_energy;
  e.energy_per_token = e.energy / tokens;
  e.power = e.energy / interval;
  e.gpu_busy = totals.gpu_seconds / (stages * interval);
  e.pim_busy = totals.pim_seconds / (stages * interval);
  e.operations = e.devices * totals.operations;
  e.gpu_bytes = e.devices * totals.gpu_bytes;
  e.pim_bytes = e.devices * totals.pim_bytes;
  e.link_bytes = e.devices * totals.link_bytes;
  e.caveat = uses_pim(e.runs) ? "no measured times of language models with this PIM"
                              : "constants of cards without measured rows are those of the cards measured";
  if (is_queued()) e.caveat = "sequences that do not fit are queued; a server's scheduler may do better";
  const auto positions = static_cast<double>(decoder_->positions);
  if (positions > 0 && tokens_of_point() > positions) e.caveat = "more tokens than the model was made for";
}

const Evaluation& Evaluator::operator()(const Settings& settings, const Decoder& decoder) {
  settings_ = &settings;
  decoder_ = &decoder;
  pim_ = &settings.machine.pim;
  if (settings.policy->finds_optimum) {
    with_best_channels_ = settings;
    with_best_channels_.machine.pim.assignment = ChannelAssignment::optimal;
    settings_ = &with_best_channels_;
  }
  std::vector<OperatorRun> runs = std::move(evaluation_.runs);
  runs.clear();
  evaluation_ = {};
  evaluation_.runs = std::move(runs);
  divide();
  read_load();
  place_ = {
      .settings = settings_, .decoder = &decoder, .cards = tensor_, .routing = routing_, .newton = &newton_costs_};
  if (settings.policy->needs_pim && !settings.machine.pim.is_beside_cards()) {
    evaluation_.misfit = fmt::format("policy {} needs PIM, which the machine lacks", settings.policy->name);
    return evaluation_;
  }
  fit();
  if (!evaluation_.misfit.empty()) return evaluation_;
  bound();
  const Totals totals = run_in_turn();
  if (evaluation_.misfit.empty()) {
    finish(totals);
  } else {
    evaluation_.time_per_token.reset();
    evaluation_.time_to_first_token.reset();
  }
  return evaluation_;
}

}  // namespace pimsweep::systems::llm
