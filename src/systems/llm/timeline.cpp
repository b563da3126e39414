#include "systems/llm/timeline.h"

#include <algorithm>

namespace pimsweep::systems::llm {

namespace {

using workload::decoder::Kind;

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

}  // namespace

std::vector<Interval> timeline_of(std::span<const step::OperatorRun> runs, const step::PipedOperators& piped) {
  TimelineMaker maker(runs);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i >= piped.begin && i < piped.end) continue;
    maker.add_whole(runs[i]);
  }
  if (piped.end > piped.begin) maker.add_heads(piped);
  return maker.take();
}

}  // namespace pimsweep::systems::llm
