#include "hardware/newton/artifact_timing.h"

namespace pimsweep::hardware::newton {

namespace {

/// A channel and its command bus: each method issues one command at the first clock allowed by all rules.
class ArtifactCommandChannel {
 public:
  explicit ArtifactCommandChannel(const ArtifactRules& rules) : rules_(rules), refresh_(rules) {}

  void gwrite() {
    gwrite_ = std::max({next_, gwrite_ + rules_.gwrite_next, readres_ + rules_.readres_gwrite});
    next_ = gwrite_ + 1;
    ++counts_.gwrite;
    ++counts_.buffers;
  }

  void g_act(std::int64_t number) {
    std::int64_t clock = std::max(next_, gwrite_ + rules_.gwrite_next);
    clock = std::max(clock, number == 0 ? refresh_.act_from() : act_ + rules_.act_act);
    act_ = clock;
    next_ = clock + 1;
    refresh_.banks_opened();
    ++counts_.g_act;
  }

  void comp() {
    comp_ = std::max({next_, gwrite_ + rules_.gwrite_comp, act_ + rules_.act_comp, comp_ + rules_.comp_comp});
    next_ = comp_ + 1;
    ++counts_.comp;
  }

  void readres() {
    readres_ = std::max(next_, comp_ + rules_.comp_readres);
    next_ = refresh_.after_readres(readres_);
    ++counts_.readres;
  }

  Run finish() {
    Run run{refresh_.finish(readres_), counts_};
    run.counts.prea = refresh_.prea_count();
    run.counts.ref = refresh_.ref_count();
    return run;
  }

 private:
  const ArtifactRules& rules_;
  ArtifactRefresh refresh_;
  std::int64_t next_ = 1;
  std::int64_t gwrite_ = long_ago;
  std::int64_t act_ = long_ago;
  std::int64_t comp_ = long_ago;
  std::int64_t readres_ = long_ago;
  Counts counts_;
};

}  // namespace

Run artifact_cycle_by_cycle(const ArtifactSchedule& schedule, const ArtifactRules& rules) {
  ArtifactCommandChannel channel(rules);
  for (const Segment& segment : schedule) {
    for (std::int64_t g = 0; g < segment.gwrites; ++g) {
      channel.gwrite();
      for (std::int64_t s = 0; s < segment.sets; ++s) {
        for (std::int64_t i = 0; i < rules.activations; ++i) channel.g_act(i);
        for (const std::int32_t comps : segment.units) {
          for (std::int32_t c = 0; c < comps; ++c) channel.comp();
          channel.readres();
        }
      }
    }
  }
  return channel.finish();
}

}  // namespace pimsweep::hardware::newton
