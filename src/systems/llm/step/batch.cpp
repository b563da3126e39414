#include "systems/llm/step/batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "systems/llm/step/gpu_costs.h"

namespace pimsweep::systems::llm::step {

namespace {

using workload::decoder::ExpertLoad;
using workload::decoder::Kind;
using workload::decoder::Operator;
using workload::decoder::Sequences;
using workload::decoder::Step;

/// Seconds for moving an operator's inputs to PIM and its outputs back.
double both_ways(const Connections& connections, const Operator& op) {
  if (!connections.uses_link(op)) return 0;
  return hardware::links::transfer_time(connections.pim, op.input_bytes) +
         hardware::links::transfer_time(connections.pim, op.output_bytes);
}

Cost all_experts_on_pim(const Pim& pim, const Operator& op, const Step& step) {
  if (!pim.units().has_expert_units()) return impossible;
  Cost cost{.seconds = pim.units().experts_latency()};
  for (const ExpertLoad& load : step.experts) cost += pim.units().expert(pim, op, load, passages_of(op));
  cost.energy *= step.expert_balance;
  return cost;
}

/// Tokens of a step that is padded to the sizes 1, 2, 4, 8, 16, 24 and so on to 256, and multiples of 16 above (vLLM
/// 0.19, which captures graphs for these); none above `largest`.
double captured_size(double tokens, double largest) {
  double size = std::ceil(tokens / 16) * 16;
  if (tokens <= 256) size = std::ceil(tokens / 8) * 8;
  if (tokens <= 4) size = tokens <= 2 ? std::ceil(tokens) : 4;
  return size <= largest ? size : tokens;
}

Cost cost_on_gpu(const StepContext& context, const Operator& op, const Step& step) {
  const Gpus& gpus = context.machine->gpus;
  return is_gemm(op.kind) && context.gemms != nullptr ? (*context.gemms)(gpus, op, step, context.bits)
                                                      : gpu_cost(gpus, op, step, context.bits);
}

Cost pim_cost(const Pim& pim, const Work& work, std::optional<double> fullest) {
  if (!pim.is_beside_gpus()) return impossible;
  switch (work.op.kind) {
    case Kind::attention:
      return pim.units().attention(pim, work, fullest);
    case Kind::linear:
    case Kind::head:
      return pim.units().gemm(pim, work);
    case Kind::experts:
      return all_experts_on_pim(pim, work.op, work.step);
    case Kind::embedding:
    case Kind::norm:
    case Kind::rotary:
    case Kind::prompt_attention:
    case Kind::activation:
    case Kind::all_reduce:
    case Kind::sampling:
      break;
  }
  return impossible;
}

}  // namespace

Connections StepContext::connections() const {
  const Pim& pim = machine->pim;
  return {.gpus = machine->gpus.link,
          .pim = pim.link,
          .collectives = machine->gpus.has_measured_collectives() ? &machine->gpus.gpu.collectives : nullptr,
          .devices = static_cast<double>(gpus),
          .attention_stops_gpu = pim.attention_stops_gpu(),
          .gemms_stop_gpu = pim.gemms_stop_gpu(),
          .gemms_in_gpu_memory = pim.units().gemms_use_gpu_memory()};
}

StepFacts::StepFacts(const StepContext& context, Batch& batch) : context_(context), batch_(batch) {
  const auto is_prompt = [](const Sequences& some) { return some.is_prompt; };
  const std::vector<Sequences>& all = batch.step.sequences;
  is_mixed_ = std::ranges::any_of(all, is_prompt) && !std::ranges::all_of(all, is_prompt);
}

const ExpertCosts& StepFacts::experts() const { return experts_of(context_, batch_); }

void require_expert_groups(const StepContext& context) {
  const std::int64_t groups = context.expert_parallel;
  if (groups == 1) return;
  if (!context.decoder->experts) throw PointError("expert_parallel is for models with experts");
  if (context.gpus % groups != 0 || context.decoder->experts.count % groups != 0) {
    throw PointError(
        fmt::format("expert_parallel is {}, which does not divide the {} GPUs that share an operator and "
                    "the {} experts",
                    groups, context.gpus, context.decoder->experts.count));
  }
}

void cost_batch(const StepContext& context, std::span<const Sequences> sequences, std::optional<double> fullest,
                Batch& batch) {
  const Machine& machine = *context.machine;
  double tokens = 0;
  for (const Sequences& some : sequences) tokens += some.count * some.new_tokens;
  make_step(*context.decoder, sequences, context.bits, context.gpus, batch.step,
            {.routing = context.routing,
             .expert_parallel = context.expert_parallel,
             .min_tokens = captured_size(tokens, context.max_captured)});
  batch.choices.clear();
  batch.has_experts = false;
  const Connections connections = context.connections();
  for (const Operator& op : batch.step.operators) {
    batch.choices.push_back({.op = &op,
                             .gpu = cost_on_gpu(context, op, batch.step),
                             .pim = pim_cost(machine.pim, {op, batch.step, context.bits}, fullest),
                             .transfer = both_ways(connections, op)});
  }
}

const ExpertCosts& experts_of(const StepContext& context, Batch& batch) {
  ExpertCosts& costs = batch.experts;
  if (batch.has_experts) return costs;
  batch.has_experts = true;
  const Machine& machine = *context.machine;
  const Operator& op = *std::ranges::find(batch.step.operators, Kind::experts, &Operator::kind);
  const PimUnits& units = machine.pim.units();
  costs.gpu.clear();
  costs.pim.clear();
  costs.gpu_once = gpu_experts_once(machine.gpus);
  costs.pim_once = {.seconds = units.experts_latency()};
  for (const ExpertLoad& load : batch.step.experts) {
    costs.gpu.push_back(gpu_expert(machine.gpus, op, batch.step, context.bits, load));
    if (!units.has_expert_units()) continue;
    costs.pim.push_back(units.expert(machine.pim, op, load, passages_of(op)));
    costs.pim.back().energy *= batch.step.expert_balance;
  }
  return costs;
}

ExpertParts parts_of(const ExpertCosts& costs, const Step& step, const std::vector<bool>& on_pim) {
  ExpertParts parts{.gpu = costs.gpu_once, .pim = costs.pim_once};
  double tokens = 0;
  double tokens_on_pim = 0;
  for (std::size_t i = 0; i < on_pim.size(); ++i) {
    const double passing = step.experts[i].active * step.experts[i].tokens;
    tokens += passing;
    if (on_pim[i]) {
      parts.pim += costs.pim[i];
      tokens_on_pim += passing;
    } else {
      parts.gpu += costs.gpu[i];
    }
  }
  parts.pim_share = tokens_on_pim / tokens;
  return parts;
}

void run_batch(const StepContext& context, Pipelining pipelining, Batch& batch) {
  batch.piped = run_step(pipelining, batch.choices, batch.step.attention.heads, context.connections(), batch.runs);
}

}  // namespace pimsweep::systems::llm::step
