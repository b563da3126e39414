#include "systems/llm/step/step_run.h"

#include <algorithm>

namespace pimsweep::systems::llm::step {

namespace {

using workload::decoder::Kind;
using workload::decoder::Operator;
using workload::decoder::Part;

/// An impossible side of which nothing is used costs nothing.
Cost share_of(const Cost& cost, double share) { return share == 0 ? Cost{} : share * cost; }

Cost sent(const hardware::links::Link& link, double bytes) {
  if (bytes == 0) return {};
  return {hardware::links::transfer_time(link, bytes), bytes, bytes * link.energy};
}

/// True if the data before or after operator `i` are on the GPU: an operator that PIM runs only in part, or in the
/// memory of the GPU, reads them there and leaves its output there.
bool is_on_gpu(std::span<const Choice> choices, std::size_t i, const Connections& connections) {
  return i >= choices.size() || choices[i].pim_share < 1 || !connections.uses_link(*choices[i].op);
}

Cost all_reduce_cost(const Operator& op, const Connections& connections) {
  const double bytes = hardware::links::all_reduce_bytes(op.input_bytes, connections.devices);
  return {all_reduce_seconds(connections, op.input_bytes), bytes, bytes * connections.gpus.energy};
}

/// Transfers before the operator and after it.
void add_transfers(std::span<const Choice> choices, std::size_t i, const Connections& connections, OperatorRun& run) {
  const Choice& choice = choices[i];
  const bool whole = choice.pim_share == 1;
  // Inputs of a GEMM that both sides do are needed whole on either side.
  if (!whole || i == 0 || is_on_gpu(choices, i - 1, connections))
    run.link += sent(connections.pim, choice.op->input_bytes);
  if (!whole || is_on_gpu(choices, i + 1, connections)) {
    const Cost returned = sent(connections.pim, choice.pim_share * choice.op->output_bytes);
    run.link += returned;
    run.returned = returned.seconds;
  }
}

/// The operators that heads in a pipeline run through: attention on PIM, that of prompts beside it, and with
/// `pipelining` of projections all from the first GEMM of the attention to the last.
PipedOperators piped_operators(std::span<const Choice> choices, Pipelining pipelining, bool stops_gpu) {
  const auto is_on_pim = [](const Choice& choice) {
    return choice.op->kind == Kind::attention && choice.pim_share == 1;
  };
  const auto attention = static_cast<std::size_t>(std::ranges::find_if(choices, is_on_pim) - choices.begin());
  if (attention == choices.size()) return {};
  PipedOperators piped{.begin = attention, .end = attention + 1, .heads = {}};
  const bool has_prompts = piped.end < choices.size() && choices[piped.end].op->kind == Kind::prompt_attention;
  if (has_prompts && !stops_gpu) ++piped.end;
  if (pipelining != Pipelining::projections || stops_gpu) return piped;
  PipedOperators longer = piped;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i].op->part != Part::attention || choices[i].op->kind != Kind::linear) continue;
    // PIM is then busy and cannot run attention of other heads.
    if (choices[i].pim_share > 0) return piped;
    longer.begin = std::min(longer.begin, i);
    longer.end = std::max(longer.end, i + 1);
  }
  return longer;
}

HeadPipeline head_pipeline(std::span<const OperatorRun> runs, double heads) {
  HeadPipeline pipeline{.heads = heads};
  double* gpu = &pipeline.before;
  for (const OperatorRun& run : runs) {
    if (run.op->kind == Kind::attention) {
      pipeline.sent = run.link.seconds - run.returned;
      pipeline.attention = run.pim.seconds;
      pipeline.returned = run.returned;
      gpu = &pipeline.after;
    } else if (run.op->kind == Kind::prompt_attention) {
      pipeline.prompts = run.gpu.seconds;
    } else {
      *gpu += run.gpu.seconds;
    }
  }
  return pipeline;
}

/// Time of both sides of an operator.
double side_by_side(const OperatorRun& run, const Connections& connections) {
  const bool one_waits = run.op->kind == Kind::attention ? connections.attention_stops_gpu : connections.gemms_stop_gpu;
  return one_waits ? run.gpu.seconds + run.pim.seconds : std::max(run.gpu.seconds, run.pim.seconds);
}

/// Shortens the operators of the pipeline alike, so that they add up to its time.
void overlap(std::span<OperatorRun> runs, double time) {
  double sum = 0;
  for (const OperatorRun& run : runs) sum += run.seconds;
  for (OperatorRun& run : runs) run.seconds *= time / sum;
}

}  // namespace

double all_reduce_seconds(const Connections& connections, double bytes) {
  if (connections.collectives == nullptr || connections.devices == 1)
    return hardware::links::all_reduce_time(connections.gpus, bytes, connections.devices);
  return hardware::links::collective_time(*connections.collectives, hardware::links::Collective::all_reduce,
                                          hardware::links::CollectiveLibrary::automatic, connections.devices, bytes);
}

PipedOperators run_step(Pipelining pipelining, std::span<const Choice> choices, double heads,
                        const Connections& connections, std::vector<OperatorRun>& runs) {
  runs.clear();
  const bool has_gpu = std::ranges::any_of(choices, [](const Choice& c) { return is_possible(c.gpu); });
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const Choice& choice = choices[i];
    OperatorRun& run = runs.emplace_back(OperatorRun{.op = choice.op, .pim_share = choice.pim_share});
    run.gpu = choice.parts ? choice.parts->gpu : share_of(choice.gpu, 1 - choice.pim_share);
    run.pim = choice.parts ? choice.parts->pim : share_of(choice.pim, choice.pim_share);
    if (choice.op->kind == Kind::all_reduce) run.link = all_reduce_cost(*choice.op, connections);
    if (choice.pim_share > 0 && has_gpu && connections.uses_link(*choice.op))
      add_transfers(choices, i, connections, run);
    run.seconds = side_by_side(run, connections) + run.link.seconds;
  }
  PipedOperators piped = piped_operators(choices, pipelining, connections.attention_stops_gpu);
  if (piped.end > piped.begin) {
    const std::span<OperatorRun> heads_of = std::span(runs).subspan(piped.begin, piped.end - piped.begin);
    const double heads_at_a_time = pipelining == Pipelining::none ? 1 : heads;
    piped.heads = head_pipeline(heads_of, heads_at_a_time);
    overlap(heads_of, piped.heads.time());
  }
  // All blocks are alike, so that the clock starts again in each.
  double block = 0;
  double outside = 0;
  for (OperatorRun& run : runs) {
    double& clock = run.is_in_block() ? block : outside;
    run.start = clock;
    clock += run.seconds;
    run.end = clock;
  }
  return piped;
}

double step_seconds(std::span<const OperatorRun> runs) {
  double seconds = 0;
  for (const OperatorRun& run : runs) seconds += run.op->times * run.seconds;
  return seconds;
}

double block_seconds(std::span<const OperatorRun> runs) {
  double seconds = 0;
  for (const OperatorRun& run : runs) seconds += run.is_in_block() ? run.op->times * run.seconds : 0;
  return seconds;
}

}  // namespace pimsweep::systems::llm::step
