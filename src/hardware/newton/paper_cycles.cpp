#include "hardware/newton/paper_rules.h"
#include "hardware/newton/paper_timing.h"

namespace pimsweep::hardware::newton {

namespace {

/// A channel and its command bus: each method issues one command at the first clock allowed by all rules.
class CommandBus {
 public:
  explicit CommandBus(const PaperRules& rules) : rules_(rules), rows_(rules) {}

  /// One command that fills all buffers, column after column. The previous row is closed first if that does not delay
  /// the GWRITE, and otherwise after it.
  void gwrite(const Burst& burst) {
    const std::int64_t clock = std::max(next_, readres_ + rules_.readres_gwrite);
    if (rows_.open() && std::max(next_, rows_.close_from(comp_)) <= clock) prea();
    gwrite_ = std::max(next_, clock);
    next_ = gwrite_ + 1;
    columns_ = burst.results * burst.comps;
    ++counts_.gwrite;
    counts_.buffers += burst.buffers();
  }

  void g_act_set() {
    if (rows_.open()) prea();
    for (std::int64_t i = 0; i < rules_.activations; ++i) {
      std::int64_t clock = std::max(next_, i == 0 ? rows_.act_from() : rows_.opened() + rules_.act_act);
      if (!rules_.hiding) clock = std::max(clock, gwrite_ + columns_ * rules_.column);
      rows_.act(clock);
      next_ = clock + 1;
      ++counts_.g_act;
    }
  }

  /// `needed`: columns that a GWRITE must have delivered before.
  void comp(std::int64_t needed) {
    comp_ =
        std::max({next_, rows_.opened() + rules_.act_comp, comp_ + rules_.column, gwrite_ + needed * rules_.column});
    next_ = comp_ + 1;
    ++counts_.comp;
  }

  void readres() {
    readres_ = std::max(next_, comp_ + rules_.comp_readres);
    next_ = readres_ + 1;
    ++counts_.readres;
  }

  void end_set() { next_ = rows_.after_set(comp_, readres_); }

  Run finish() {
    Run run{counts_.readres == 0 ? 0 : readres_ + rules_.drain, counts_};
    run.counts.prea = rows_.prea_count();
    run.counts.ref = rows_.ref_count();
    return run;
  }

 private:
  void prea() {
    const std::int64_t clock = std::max(next_, rows_.close_from(comp_));
    rows_.close(clock);
    next_ = clock + 1;
  }

  const PaperRules& rules_;
  PaperRows rows_;
  std::int64_t next_ = 1;
  std::int64_t gwrite_ = long_ago;
  std::int64_t columns_ = 0;
  std::int64_t comp_ = long_ago;
  std::int64_t readres_ = long_ago;
  Counts counts_;
};

}  // namespace

Run paper_cycle_by_cycle(std::span<const Burst> bursts, const Dram& dram, bool hiding) {
  const PaperRules rules(dram, hiding);
  CommandBus channel(rules);
  for (const Burst& burst : bursts) {
    for (std::int64_t round = 0; round < burst.rounds; ++round) {
      channel.gwrite(burst);
      for (std::int64_t set = 0; set < burst.sets; ++set) {
        channel.g_act_set();
        for (std::int64_t result = 0; result < burst.results; ++result) {
          const std::int64_t filled = std::min((result / burst.packed + 1) * burst.packed, burst.results);
          for (std::int64_t c = 0; c < burst.comps; ++c) channel.comp(filled * burst.comps);
          channel.readres();
        }
        channel.end_set();
      }
    }
  }
  return channel.finish();
}

}  // namespace pimsweep::hardware::newton
