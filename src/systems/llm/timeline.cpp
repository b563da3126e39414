#include "systems/llm/timeline.h"

#include <algorithm>

namespace pimsweep::systems::llm {

namespace {

using workload::decoder::Kind;

class TimelineMaker {
 public:
  explicit TimelineMaker(std::span<const OperatorRun> runs) : runs_(runs) {}

  void add_whole(const OperatorRun& run) {
    const double into = run.link.seconds - run.returned;
    const bool between_cards = run.op->kind == Kind::all_reduce;
    // Artifacts account for all blocks together: their sides work for longer than an operator of one block.
    const auto within = [&](double start, double seconds) { return std::min(seconds, run.end - start); };
    add(between_cards ? "link" : "to PIM", run, run.start, within(run.start, into));
    const double arrived = run.start + into;
    add("card", run, arrived, within(arrived, run.gpu.seconds));
    add("PIM", run, arrived, within(arrived, run.pim.seconds));
    add("from PIM", run, run.end - run.returned, run.returned);
  }

  void add_heads(const PipedOperators& piped) {
    const std::span<const OperatorRun> runs = runs_.subspan(piped.begin, piped.end - piped.begin);
    const HeadPipeline& heads = piped.heads;
    const double begin = runs.front().start;
    const double share = 1 / heads.heads;
    for (const HeadStarts& head : head_starts(heads)) {
      double card = begin + head.before;
      for (const OperatorRun& run : runs) {
        if (run.op->kind == Kind::attention) {
          add("to PIM", run, begin + head.sent, share * heads.sent);
          add("PIM", run, begin + head.attention, share * heads.attention);
          add("from PIM", run, begin + head.returned, share * heads.returned);
          card = begin + head.after;
        } else if (run.op->kind == Kind::prompt_attention && heads.prompts > 0) {
          continue;
        } else {
          add("card", run, card, share * run.gpu.seconds);
          card += share * run.gpu.seconds;
        }
      }
    }
    for (const OperatorRun& run : runs) {
      if (run.op->kind == Kind::prompt_attention) add("card", run, begin + heads.before, heads.prompts);
    }
  }

  std::vector<Interval> take() { return std::move(intervals_); }

 private:
  void add(std::string_view lane, const OperatorRun& run, double start, double seconds) {
    if (seconds > 0) intervals_.push_back({.lane = lane, .op = run.op, .start = start, .end = start + seconds});
  }

  std::span<const OperatorRun> runs_;
  std::vector<Interval> intervals_;
};

}  // namespace

std::vector<Interval> timeline_of(std::span<const OperatorRun> runs, const PipedOperators& piped) {
  TimelineMaker maker(runs);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i >= piped.begin && i < piped.end) continue;
    maker.add_whole(runs[i]);
  }
  if (piped.end > piped.begin) maker.add_heads(piped);
  return maker.take();
}

}  // namespace pimsweep::systems::llm
