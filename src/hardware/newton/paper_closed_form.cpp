#include "hardware/newton/paper_rules.h"
#include "hardware/newton/paper_timing.h"
#include "hardware/newton/recurrence.h"

namespace pimsweep::hardware::newton {

namespace {

/// State of a channel between two rounds that determines its future, relative to its last READRES.
struct PaperPhase {
  std::int64_t next;
  std::int64_t comp;
  std::int64_t opened;
  std::int64_t refresh_due;
  std::int64_t act_from;
  std::int64_t refresh_end;
  bool row_open;
  friend bool operator==(const PaperPhase&, const PaperPhase&) = default;
};

/// A channel that issues whole G_ACT sets, and whole rounds where they repeat: a round depends on the past only by the
/// time between the opening of the last row and its last READRES.
class PaperRoundChannel {
 public:
  explicit PaperRoundChannel(const PaperRules& rules) : rules_(rules), rows_(rules) {}

  void run(const Burst& burst) {
    const std::int64_t age_unknown = -1;
    std::int64_t age_before = age_unknown;
    Recurrence<PaperPhase> recurrence;
    for (std::int64_t left = burst.rounds; left > 0;) {
      const Milestone now{burst.rounds - left, readres_, rows_.prea_count(), rows_.ref_count()};
      if (const auto before = recurrence.visit(phase(), now)) left -= repeat(*before, now, left);
      if (left == 0) break;
      const std::int64_t start = readres_;
      const std::int64_t closed = rows_.prea_count();
      disturbed_ = false;
      round(burst);
      --left;
      const std::int64_t age = readres_ - rows_.opened();
      const bool repeats = !disturbed_ && age == age_before;
      age_before = disturbed_ ? age_unknown : age;
      const std::int64_t room = rows_.due() - 2 - readres_;
      const std::int64_t clocks = readres_ - start;
      if (!repeats || clocks <= 0 || room < clocks) continue;
      const std::int64_t rounds = std::min(left, room / clocks);
      pass(rounds * clocks);
      rows_.skip(rounds * clocks, rounds * (rows_.prea_count() - closed));
      left -= rounds;
    }
    const Count results = Count{burst.rounds} * burst.sets * burst.results;
    counts_.gwrite += burst.rounds;
    counts_.buffers += Count{burst.rounds} * burst.buffers();
    counts_.g_act += Count{burst.rounds} * burst.sets * rules_.activations;
    counts_.comp += results * burst.comps;
    counts_.readres += results;
  }

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

  void round(const Burst& burst) {
    const std::int64_t clock = std::max(next_, readres_ + rules_.readres_gwrite);
    if (rows_.open() && std::max(next_, rows_.close_from(comp_)) <= clock) prea();
    const std::int64_t gwrite = std::max(next_, clock);
    next_ = gwrite + 1;
    const std::int64_t act_from = rules_.hiding ? 0 : gwrite + burst.results * burst.comps * rules_.column;
    for (std::int64_t set = 0; set < burst.sets; ++set) {
      open(act_from);
      compute(burst, set == 0 ? gwrite : long_ago);
      next_ = rows_.after_set(comp_, readres_);
      if (next_ != readres_ + 1) disturbed_ = true;
    }
  }

  void open(std::int64_t from) {
    if (rows_.open()) prea();
    const std::int64_t first = std::max({next_, from, rows_.act_from()});
    // Without the preceding refresh, the round would have started earlier.
    if (first == rows_.refresh_end()) disturbed_ = true;
    rows_.act(first + (rules_.activations - 1) * rules_.act_act);
  }

  /// The COMPs and READRESs of a set, one buffer after another as the GWRITE at `gwrite` fills them.
  void compute(const Burst& burst, std::int64_t gwrite) {
    const std::int64_t comps = (burst.comps - 1) * rules_.column;
    const std::int64_t result = comps + std::max(rules_.column, rules_.comp_readres + 1);
    std::int64_t clock = std::max(rows_.opened() + rules_.act_comp, comp_ + rules_.column);
    for (std::int64_t done = 0; done < burst.results;) {
      const bool waits = gwrite != long_ago;
      const std::int64_t filled = waits ? std::min(done + burst.packed, burst.results) : burst.results;
      if (waits) clock = std::max(clock, gwrite + filled * burst.comps * rules_.column);
      comp_ = clock + (filled - done - 1) * result + comps;
      clock += (filled - done) * result;
      done = filled;
    }
    readres_ = comp_ + rules_.comp_readres;
  }

  void pass(std::int64_t clocks) {
    readres_ += clocks;
    comp_ += clocks;
    next_ += clocks;
  }

  PaperPhase phase() const {
    // Clocks before the last READRES no longer delay anything.
    const auto ahead = [&](std::int64_t clock) { return std::max<std::int64_t>(0, clock - readres_); };
    return {next_ - readres_,
            comp_ - readres_,
            rows_.opened() - readres_,
            rows_.due() - readres_,
            ahead(rows_.act_from()),
            ahead(rows_.refresh_end()),
            rows_.open()};
  }

  /// Repeats the commands between two milestones with the same phase as often as fits into `left` rounds; returns the
  /// number of rounds repeated.
  std::int64_t repeat(const Milestone& before, const Milestone& now, std::int64_t left) {
    const std::int64_t times = left / (now.rounds - before.rounds);
    const std::int64_t clocks = repeated_clocks(times, now.clock - before.clock);
    (void)repeated_clocks(1, Count{now.clock} + clocks);
    pass(clocks);
    rows_.skip(clocks, times * (now.prea - before.prea), times * (now.ref - before.ref));
    return times * (now.rounds - before.rounds);
  }

  const PaperRules& rules_;
  PaperRows rows_;
  bool disturbed_ = false;
  std::int64_t next_ = 1;
  std::int64_t comp_ = long_ago;
  std::int64_t readres_ = long_ago;
  Counts counts_;
};

}  // namespace

Run paper_closed_form(std::span<const Burst> bursts, const Dram& dram, bool hiding) {
  const PaperRules rules(dram, hiding);
  PaperRoundChannel channel(rules);
  for (const Burst& burst : bursts) channel.run(burst);
  return channel.finish();
}

}  // namespace pimsweep::hardware::newton
