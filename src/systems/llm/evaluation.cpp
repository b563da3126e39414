#include "systems/llm/evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/error.h"

namespace pimsweep::systems::llm {

namespace {

using step::StepTotals;
using workload::decoder::Decoder;
using workload::decoder::Sequences;

/// Number of parts of a query's generated tokens; one step represents each.
constexpr int parts_of_query = 8;

/// Maximum sequences of a batch, as axis `batch` has it.
constexpr double max_batch = 1 << 20;

/// Why CENT's devices cannot run the point; empty if they can.
std::string cxl_misfit(const Settings& settings, const Decoder& decoder) {
  const Sequencing& s = settings.sequencing;
  const workload::decoder::Bits bits = resolved(settings.bits, decoder);
  if (bits.weights != 16 || bits.cache != 16 || bits.activations != 16) {
    return "CXL devices have weights, caches and activations of 16 bits";
  }
  if (!settings.policy->works_without_gpus) {
    return fmt::format("policy {} needs GPUs, which a machine of CXL devices lacks", settings.policy->name);
  }
  if (s.batch != 1) return "CXL devices have one sequence in each stage: set batch to 1";
  return {};
}

step::cent::Tokens cxl_tokens(Phase phase) {
  switch (phase) {
    case Phase::prefill:
      return step::cent::Tokens::prompt;
    case Phase::decode:
      return step::cent::Tokens::generated;
    case Phase::query:
      return step::cent::Tokens::query;
    case Phase::mixed:
      break;
  }
  throw PointError("CXL devices run one token at a time: phase mixed is not supported");
}

void require_equal_load(const Load& load) {
  if (load.lengths != workload::decoder::Lengths::equal || load.routing != workload::decoder::Routing::uniform)
    throw PointError("CXL devices have sequences of equal lengths and uniform routing only");
}

/// Why the GPUs' constants do not suffice; empty if they do.
std::string gpu_misfit(const Settings& settings) {
  const step::Gpus& gpus = settings.machine.gpus;
  if (!devices::has_kernel_constants(gpus.gpu)) {
    const std::vector<std::string> missing = devices::missing_kernel_constants(step::gpu_prefix, gpus.gpu);
    return fmt::format("the hardware file lacks {} constants of kernels of language models, {} the first",
                       missing.size(), missing.front());
  }
  if (gpus.count > 1 && gpus.has_measured_collectives() && !devices::has_collective_constants(gpus.gpu)) {
    return fmt::format("the hardware file has neither hardware.link.bandwidth nor {}",
                       devices::missing_collective_constants(step::gpu_prefix, gpus.gpu).front());
  }
  if (!gpus.gpu.card.has_factors(settings.bits.factors / 8)) {
    return fmt::format("factor_bits is {}, which the tensor cores do not support (no hardware.gpu.sm.{} above 1)",
                       settings.bits.factors, settings.bits.factors < 8 ? "fp4_speedup" : "narrow_speedup");
  }
  return {};
}

}  // namespace

/// CENT's devices run a model as a whole: one sequence in each stage of a pipeline, or of groups of devices.
void Evaluator::run_on_cxl(const Decoder& decoder) {
  const Settings& settings = *settings_;
  const Sequencing& s = sequencing();
  require_equal_load(s.load);
  const step::cent::Request request{.tokens = cxl_tokens(s.phase),
                                    .context = s.context,
                                    .new_tokens = s.new_tokens,
                                    .tensor_parallel = settings.parallel.tensor};
  Evaluation& e = evaluation_;
  e.misfit = cxl_misfit(settings, decoder);
  if (!e.misfit.empty()) return;
  const step::Pim& pim = settings.machine.pim;
  step::cent::Machine machine = pim.units_of<step::pim::CxlUnits>().machine;
  machine.aim = pim.aim;
  static_cast<step::ModelRun&>(e) = step::cent::run(decoder, machine, pim.memory, request, {});
  if (!e.misfit.empty()) return;
  e.traffic.gpu_busy = 0;
  e.caveat = "checked against the simulation of CENT, not against a device";
  e.runs = e.operators;
}

/// Determines how many GPUs share an operator.
void Evaluator::divide(const Decoder& decoder) {
  const Settings& s = *settings_;
  const std::int64_t stages = s.parallel.pipeline;
  const std::int64_t tensor = s.machine.gpus.tensor_ranks(s.parallel.tensor, stages, decoder.blocks);
  context_ = {.machine = &s.machine,
              .decoder = &decoder,
              .bits = resolved(s.bits, decoder),
              .gpus = tensor,
              .stages = stages,
              .pipelining = s.pipelining,
              .routing = load_.routing(),
              .expert_parallel = s.parallel.experts};
  step::require_expert_groups(context_);
  evaluation_.devices = static_cast<double>(tensor);
}

/// Checks whether weights and KV caches fit into memory.
void Evaluator::fit() {
  const Settings& s = *settings_;
  capacity_ = step::capacity_of(context_, load_.final_tokens());
  const double room = step::cache_room(capacity_, *s.policy, s.machine.pim);
  const double largest = std::floor(room / capacity_.sequence_bytes);
  const auto batch = static_cast<double>(sequencing().batch);
  Memory& memory = evaluation_.memory;
  memory.weights = capacity_.weights;
  memory.pim_weights = 0;
  memory.largest_batch = largest;
  memory.cache = (is_queued() ? largest : batch) * capacity_.sequence_bytes;
  if (!capacity_.fits_weights()) {
    evaluation_.misfit = fmt::format("the weights of {} take {:.4g} GB on each GPU, which has room for {:.4g} GB",
                                     s.model, 1e-9 * capacity_.weights, 1e-9 * capacity_.gpu_memory);
  } else if (batch > largest && !is_queued()) {
    evaluation_.misfit = fmt::format(
        "the KV cache of {} sequences takes {:.4g} GB beside each GPU, where {:.4g} GB are left: room for {} sequences",
        sequencing().batch, 1e-9 * batch * capacity_.sequence_bytes, 1e-9 * room, largest);
  }
}

/// True if some sequences wait until others have ended.
bool Evaluator::is_queued() const {
  const double largest = *evaluation_.memory.largest_batch;
  return sequencing().queueing == Queueing::queue && sequencing().phase == Phase::query && largest >= 1 &&
         static_cast<double>(sequencing().batch) > largest;
}

StepTotals Evaluator::run(std::span<const Sequences> sequences, double batch) {
  const step::StepPlan& plan = planner_.plan(*settings_->policy, {.context = context_,
                                                                  .sequences = sequences,
                                                                  .room = capacity_.room,
                                                                  .cache_bytes = batch * capacity_.sequence_bytes,
                                                                  .sequence_bytes = capacity_.sequence_bytes});
  Memory& memory = evaluation_.memory;
  memory.pim_weights = std::max(*memory.pim_weights, plan.pim_weights);
  if (plan.max_sequences) memory.largest_batch = plan.max_sequences;
  evaluation_.misfit = plan.misfit;
  return plan.misfit.empty() ? planner_.totals(context_) : StepTotals{};
}

/// Prompts, then all tokens except the first, which the prompt yields. The time of a step changes slowly with the
/// context, so that a few steps represent all of them.
StepTotals Evaluator::run_queries(double batch) {
  const auto prompt = static_cast<double>(sequencing().context);
  StepTotals totals = run(load_.prompts(batch), batch);
  evaluation_.time_to_first_token = totals.seconds;
  const double steps = static_cast<double>(sequencing().new_tokens) - 1;
  if (steps == 0) return totals;
  const int parts = static_cast<int>(std::min(steps, static_cast<double>(parts_of_query)));
  StepTotals generated;
  // From the end, so that the operators of the first one are left.
  for (int part = parts - 1; part >= 0; --part) {
    const double context = prompt + std::floor((part + 0.5) / parts * steps);
    generated.add(run(std::array{Sequences{.count = batch, .context = context}}, batch), steps / parts);
  }
  evaluation_.time_per_token = generated.seconds / steps;
  totals.add(generated, 1);
  return totals;
}

/// Runs a batch of `batch` sequences.
StepTotals Evaluator::run_batch(double batch) {
  if (sequencing().phase == Phase::query) return run_queries(batch);
  if (sequencing().phase == Phase::prefill) {
    const StepTotals totals = run(load_.prompts(batch), batch);
    evaluation_.time_to_first_token = totals.seconds;
    return totals;
  }
  const StepTotals totals = run(load_.generating(batch), batch);
  evaluation_.time_per_token = totals.seconds / static_cast<double>(sequencing().new_tokens);
  return totals;
}

/// As many sequences at a time as memory has room for, and the rest at last: all queries are of equal length, so that
/// those that run together end together.
StepTotals Evaluator::run_all() {
  const auto batch = static_cast<double>(sequencing().batch);
  if (!is_queued()) return run_batch(batch);
  const double largest = *evaluation_.memory.largest_batch;
  const double turns = std::floor(batch / largest);
  const double rest = batch - turns * largest;
  StepTotals totals;
  // The rest runs first, so that the operators and times of full batches remain.
  double rest_time = 0;
  std::optional<double>& per_token = evaluation_.time_per_token;
  if (rest > 0) {
    totals = run_batch(rest);
    rest_time = per_token.value_or(0);
  }
  totals.add(run_batch(largest), turns);
  if (per_token) per_token = (turns * largest * *per_token + rest * rest_time) / batch;
  return totals;
}

/// Finds the largest batch whose TPOT stays within the bound, by bisection: TPOT never falls when the batch grows.
void Evaluator::search_bounded_batch() {
  const Sequencing& s = sequencing();
  if (s.time_bound == 0 || s.phase == Phase::prefill || (s.phase == Phase::query && s.new_tokens == 1)) return;
  double within = 0;
  double beyond = std::min(*evaluation_.memory.largest_batch, max_batch) + 1;
  double throughput = 0;
  while (beyond - within > 1) {
    const double middle = std::floor((within + beyond) / 2);
    const StepTotals totals = run_batch(middle);
    if (evaluation_.misfit.empty() && *evaluation_.time_per_token <= s.time_bound) {
      within = middle;
      throughput = load_.tokens_of(middle) / interval_of(totals);
    } else {
      beyond = middle;
    }
    evaluation_.misfit.clear();
  }
  evaluation_.memory.largest_bounded_batch = within;
  evaluation_.bounded_tokens_per_second = throughput;
}

/// Time between the ends of two batches: in a pipeline, each stage works on a different batch, so that one ends in the
/// time of the slowest stage.
double Evaluator::interval_of(const StepTotals& totals) const {
  return context_.stages > 1 ? totals.stage_seconds : totals.seconds;
}

void Evaluator::finish(const StepTotals& totals) {
  Evaluation& e = evaluation_;
  const step::Machine& m = settings_->machine;
  const auto stages = static_cast<double>(context_.stages);
  const double used = e.devices * stages;
  const double tokens = load_.tokens_of(static_cast<double>(sequencing().batch));
  const double interval = interval_of(totals);
  const step::StepPlan& plan = planner_.last();
  e.runs = plan.runs;
  e.piped = plan.piped;
  e.has_timeline = plan.has_timeline;
  e.time = totals.seconds;
  if (plan.lower_bound) {
    e.lower_bound = totals.lower_bound;
    e.optimum_gap = std::max(0.0, totals.seconds / totals.lower_bound - 1);
  }
  e.tokens_per_second = tokens / interval;
  const double idle = m.gpus.idle_power + static_cast<double>(m.pim.count) * m.pim.idle_power;
  e.idle_energy = idle * used * interval;
  e.energy = e.devices * totals.energy + e.idle_energy;
  e.energy_per_token = e.energy / tokens;
  e.power = e.energy / interval;
  e.pim_busy = totals.pim_seconds / (stages * interval);
  e.traffic = {.gpu_busy = totals.gpu_seconds / (stages * interval),
               .operations = e.devices * totals.operations,
               .gpu_bytes = e.devices * totals.gpu_bytes,
               .pim_bytes = e.devices * totals.pim_bytes,
               .link_bytes = e.devices * totals.link_bytes};
  const auto uses_pim = [](const step::OperatorRun& run) { return run.pim_share > 0; };
  e.caveat = std::ranges::any_of(e.runs, uses_pim)
                 ? "no measured times of language models with this PIM"
                 : "constants of GPUs without measured rows are those of the GPUs measured";
  if (is_queued()) e.caveat = "sequences that do not fit are queued; a server's scheduler may do better";
  const auto positions = static_cast<double>(context_.decoder->positions);
  if (positions > 0 && load_.final_tokens() > positions) e.caveat = "more tokens than the model was made for";
}

void Evaluator::require_fit(const Settings& settings, const Decoder& decoder) {
  settings_ = &settings;
  if (settings.machine.pim.is<step::pim::CxlUnits>()) {
    require_equal_load(sequencing().load);
    cxl_tokens(sequencing().phase);
    return;
  }
  load_.read(settings.sequencing, decoder);
  divide(decoder);
}

const Evaluation& Evaluator::operator()(const Settings& settings, const Decoder& decoder) {
  settings_ = &settings;
  evaluation_ = {};
  const step::Pim& pim = settings.machine.pim;
  if (pim.is<step::pim::CxlUnits>()) {
    run_on_cxl(decoder);
    return evaluation_;
  }
  evaluation_.silicon = settings.machine.silicon_estimate();
  load_.read(settings.sequencing, decoder);
  divide(decoder);
  evaluation_.misfit = gpu_misfit(settings);
  if (!evaluation_.misfit.empty()) return evaluation_;
  if (settings.policy->needs_pim && !pim.is_beside_gpus()) {
    evaluation_.misfit = fmt::format("policy {} needs PIM, which the machine lacks", settings.policy->name);
    return evaluation_;
  }
  fit();
  if (!evaluation_.misfit.empty()) return evaluation_;
  search_bounded_batch();
  const StepTotals totals = run_all();
  if (evaluation_.misfit.empty()) {
    finish(totals);
  } else {
    evaluation_.time_per_token.reset();
    evaluation_.time_to_first_token.reset();
  }
  return evaluation_;
}

}  // namespace pimsweep::systems::llm
