#include "systems/llm/records.h"

#include <algorithm>

namespace pimsweep::systems::llm {

namespace {

using workload::decoder::Kind;
using workload::decoder::Part;

void add_metrics(ColumnList& metrics, const Evaluation& e) {
  constexpr const char* no_tokens = "phase prefill";
  constexpr const char* cxl = "CXL devices";
  constexpr const char* no_bound = "time_bound 0, phase prefill, and CXL devices";
  metrics.quantity(e.time, "time", "s", "time of the step; of a whole query in phase query")
      .quantity(e.time_per_token, "time_per_token", "s",
                "time per output token (TPOT), averaged over the sequence's tokens", no_tokens)
      .quantity(e.time_to_first_token, "time_to_first_token", "s",
                "time of the prompts of a batch until the first token", "phases decode and mixed")
      .quantity(e.tokens_per_second, "tokens_per_second", "1/s",
                "generated tokens of all sequences in a second; tokens of prompts in phase prefill")
      .quantity(e.energy, "energy", "J", "energy of a batch for the step; for a whole query in phase query")
      .quantity(e.energy_per_token, "energy_per_token", "J",
                "energy of a generated token; of a prompt's in phase prefill")
      .quantity(e.idle_energy, "idle_energy", "J", "energy of the machine's idle power, a part of the energy")
      .quantity(e.power, "power", "W", "mean power of the machine")
      .quantity(e.memory.largest_batch, "largest_batch", "1",
                "sequences of a batch that memory has room for, with all tokens of the point", cxl)
      .quantity(e.memory.largest_bounded_batch, "largest_bounded_batch", "1",
                "sequences of the largest batch whose TPOT is within time_bound; 0: none", no_bound)
      .quantity(e.bounded_tokens_per_second, "bounded_tokens_per_second", "1/s",
                "generated tokens in a second with the largest batch within time_bound", no_bound)
      .quantity(e.lower_bound, "lower_bound", "s", "time that no schedule of policy llm-optimal can be below",
                "other policies")
      .quantity(e.optimum_gap, "optimum_gap", "1", "share of its lower bound that policy llm-optimal may lose at most",
                "other policies")
      .quantity(e.memory.weights, "weight_bytes", "B", "bytes of the model's weights on each GPU or PIM device", cxl)
      .quantity(e.memory.pim_weights, "pim_weight_bytes", "B",
                "bytes of weights in the memory that PIM beside each GPU has of its own", cxl)
      .quantity(e.memory.cache, "cache_bytes", "B", "bytes of the batch's KV cache on each GPU or PIM device", cxl)
      .quantity(e.traffic.gpu_busy, "gpu_busy", "1", "share of the time in which the GPUs compute")
      .quantity(e.pim_busy, "pim_busy", "1", "share of the time in which PIM computes")
      .quantity(e.traffic.operations, "operations", "1", "arithmetic operations; a multiply-accumulate counts two", cxl)
      .quantity(e.traffic.gpu_bytes, "gpu_bytes", "B", "bytes between the GPUs and their memory", cxl)
      .quantity(e.traffic.pim_bytes, "pim_bytes", "B", "bytes that PIM reads and writes inside its memory", cxl)
      .quantity(e.traffic.link_bytes, "link_bytes", "B", "bytes between GPUs, and between GPUs and PIM", cxl)
      .text(e.caveat, "caveat", "limits of the evidence behind the result; empty if there are none");
  step::add_silicon_metrics(metrics, e.silicon);
}

RowTable<OperatorRow> operator_table() {
  RowTable<OperatorRow> table(
      "by_operator", "operators of the step (phase query: of the first one after the prompt), all GPUs together");
  const OperatorRow& row = table.layout();
  table.text(row.name, "operator", "operator of the model")
      .choice(row.kind, "kind", workload::decoder::kind_words, "kind of work that the operator does")
      .quantity(row.times, "times", "1", "times that the operator runs in the step")
      .quantity(row.pim_share, "pim_share", "1", "share of the operator that PIM does")
      .quantity(row.time, "time", "s", "operator's part of the step's time")
      .quantity(row.gpu_time, "gpu_time", "s", "time that a GPU is busy with the operator")
      .quantity(row.pim_time, "pim_time", "s", "time that PIM is busy with the operator")
      .quantity(row.link_time, "link_time", "s", "time of transfers for the operator")
      .quantity(row.operations, "operations", "1", "arithmetic operations of the operator")
      .quantity(row.gpu_bytes, "gpu_bytes", "B", "bytes between the GPUs and their memory for the operator")
      .quantity(row.pim_bytes, "pim_bytes", "B", "bytes inside the memory of PIM for the operator")
      .quantity(row.link_bytes, "link_bytes", "B", "bytes between devices for the operator")
      .quantity(row.energy, "energy", "J", "energy of the operator without idle power");
  return table;
}

RowTable<IntervalRow> interval_table() {
  RowTable<IntervalRow> table("timeline", "operators of a block, and of the non-block layers, if recorded");
  const IntervalRow& row = table.layout();
  table.text(row.part, "part", "part of the model whose start is time 0: a block, or the non-block layers")
      .in_timeline(TimelineRole::group)
      .text(row.lane, "lane", "GPU, PIM or link that is busy in the interval")
      .in_timeline(TimelineRole::lane)
      .text(row.name, "operator", "operator that the interval belongs to")
      .in_timeline(TimelineRole::name)
      .quantity(row.start, "start", "s",
                "start of the interval since the start of the block or of the non-block layers")
      .in_timeline(TimelineRole::start)
      .quantity(row.end, "end", "s", "end of the interval since the start of the block or of the non-block layers")
      .in_timeline(TimelineRole::end);
  return table;
}

/// Time in which one part of the machine works for an operator, since the start of its block or of the non-block
/// layers.
struct Interval {
  /// "GPU", "PIM", "to PIM", "from PIM" or "link" (between GPUs).
  std::string_view lane;
  const workload::decoder::Operator* op = nullptr;
  double start = 0;
  double end = 0;
};

class TimelineMaker {
 public:
  explicit TimelineMaker(std::span<const step::OperatorRun> runs) : runs_(runs) {}

  void add_whole(const step::OperatorRun& run) {
    const double into = run.link.seconds - run.returned;
    const bool between_gpus = run.op->kind == Kind::all_reduce;
    // Runs of CENT's devices have the time of all blocks: their sides work for longer than an operator of one block.
    const auto within = [&](double start, double seconds) { return std::min(seconds, run.end - start); };
    add(between_gpus ? "link" : "to PIM", run, run.start, within(run.start, into));
    const double arrived = run.start + into;
    add("GPU", run, arrived, within(arrived, run.gpu.seconds));
    add("PIM", run, arrived, within(arrived, run.pim.seconds));
    add("from PIM", run, run.end - run.returned, run.returned);
  }

  void add_heads(const step::PipedOperators& piped) {
    const std::span<const step::OperatorRun> runs = runs_.subspan(piped.begin, piped.end - piped.begin);
    const step::HeadPipeline& heads = piped.heads;
    const double begin = runs.front().start;
    const double share = 1 / heads.heads;
    for (const step::HeadStarts& head : head_starts(heads)) {
      double gpu = begin + head.before;
      for (const step::OperatorRun& run : runs) {
        if (run.op->kind == Kind::attention) {
          add("to PIM", run, begin + head.sent, share * heads.sent);
          add("PIM", run, begin + head.attention, share * heads.attention);
          add("from PIM", run, begin + head.returned, share * heads.returned);
          gpu = begin + head.after;
        } else if (run.op->kind == Kind::prompt_attention && heads.prompts > 0) {
          continue;
        } else {
          add("GPU", run, gpu, share * run.gpu.seconds);
          gpu += share * run.gpu.seconds;
        }
      }
    }
    for (const step::OperatorRun& run : runs) {
      if (run.op->kind == Kind::prompt_attention) add("GPU", run, begin + heads.before, heads.prompts);
    }
  }

  std::vector<Interval> take() { return std::move(intervals_); }

 private:
  void add(std::string_view lane, const step::OperatorRun& run, double start, double seconds) {
    if (seconds > 0) intervals_.push_back({.lane = lane, .op = run.op, .start = start, .end = start + seconds});
  }

  std::span<const step::OperatorRun> runs_;
  std::vector<Interval> intervals_;
};

/// Intervals of a step that has run, with each pipelined head separately. Intervals of a lane do not overlap, and the
/// last one ends when the step does.
std::vector<Interval> timeline_of(std::span<const step::OperatorRun> runs, const step::PipedOperators& piped) {
  TimelineMaker maker(runs);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i >= piped.begin && i < piped.end) continue;
    maker.add_whole(runs[i]);
  }
  if (piped.end > piped.begin) maker.add_heads(piped);
  return maker.take();
}

}  // namespace

Records::Records(Schema& schema) : by_operator_(operator_table()), timeline_(interval_table()) {
  add_metrics(metrics_, metrics_.layout());
  schema.metrics = metrics_.columns();
  by_operator_.attach(schema);
  timeline_.attach(schema);
}

void Records::write(const Settings& settings, const Evaluation& evaluation, Record& record) const {
  metrics_.write(evaluation, record);
  if (!evaluation.misfit.empty()) {
    record.status = Status::infeasible;
    record.message = evaluation.misfit;
    return;
  }
  for (const step::OperatorRun& run : evaluation.runs) {
    const double all = run.op->times * evaluation.devices;
    by_operator_.add({.name = run.op->name,
                      .kind = run.op->kind,
                      .times = run.op->times,
                      .pim_share = run.pim_share,
                      .time = run.op->times * run.seconds,
                      .gpu_time = run.op->times * run.gpu.seconds,
                      .pim_time = run.op->times * run.pim.seconds,
                      .link_time = run.op->times * run.link.seconds,
                      .operations = all * run.op->operations,
                      .gpu_bytes = all * run.gpu.bytes,
                      .pim_bytes = all * run.pim.bytes,
                      .link_bytes = all * run.link.bytes,
                      .energy = all * (run.gpu.energy + run.pim.energy + run.link.energy)},
                     record);
  }
  if (settings.record_timeline && evaluation.has_timeline) {
    for (const Interval& interval : timeline_of(evaluation.runs, evaluation.piped)) {
      const std::string_view part = interval.op->part == Part::non_block ? "non-block" : "block";
      timeline_.add({part, interval.lane, interval.op->name, interval.start, interval.end}, record);
    }
  }
  record.status = Status::ok;
}

}  // namespace pimsweep::systems::llm
