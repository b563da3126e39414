#include <array>
#include <numeric>

#include "hardware/newton/artifact_timing.h"
#include "hardware/newton/recurrence.h"

namespace pimsweep::hardware::newton {

namespace {

/// Clocks at which the results of a set are read, relative to its first COMP.
class SetTimes {
 public:
  SetTimes(const Units& units, const ArtifactRules& rules) : count_(static_cast<std::int64_t>(units.size())) {
    std::int64_t clock = 0;  // first free clock
    std::int64_t comp = -rules.comp_comp;
    std::int64_t worker = count_;
    for (std::int64_t u = 0; u < count_; ++u) {
      const std::int32_t comps = units[index(u)];
      if (comps > 0) {
        first_[index(u)] = std::max(clock, comp + rules.comp_comp);
        comp = first_[index(u)] + (comps - 1) * rules.comp_comp;
        clock = comp + 1;
      }
      if (worker == count_ && comps == 0) continue;  // nothing is known before the first COMP
      worker = std::min(worker, u);
      last_[index(u)] = comp;
      readres_[index(u)] = std::max(clock, comp + rules.comp_readres);
      clock = readres_[index(u)] + 1;
    }
    std::int64_t next = count_;
    for (std::int64_t u = count_; u-- > 0;) {
      if (units[index(u)] > 0) next = u;
      next_worker_[index(u)] = next;
    }
  }

  std::int64_t count() const { return count_; }
  /// The first unit from u on with COMPs, or the number of units.
  std::int64_t next_worker(std::int64_t u) const { return next_worker_[index(u)]; }
  std::int64_t first_comp(std::int64_t u) const { return first_[index(u)]; }
  std::int64_t readres(std::int64_t u) const { return readres_[index(u)]; }
  /// The last COMP at or before unit u.
  std::int64_t last_comp(std::int64_t u) const { return last_[index(u)]; }

 private:
  static std::size_t index(std::int64_t u) { return static_cast<std::size_t>(u); }

  std::int64_t count_;
  std::array<std::int64_t, Units::static_capacity> first_;
  std::array<std::int64_t, Units::static_capacity> readres_;
  std::array<std::int64_t, Units::static_capacity> last_;
  std::array<std::int64_t, Units::static_capacity> next_worker_;
};

/// State of a channel between two rounds that determines its future, relative to its last READRES.
struct Phase {
  std::int64_t next;
  std::int64_t comp;
  std::int64_t refresh_due;
  std::int64_t act_from;
  std::int64_t ref_from;
  bool banks_open;
  friend bool operator==(const Phase&, const Phase&) = default;
};

/// A channel that runs whole segments. Between two refreshes all sets take the same time: the first G_ACT of a set
/// follows the last READRES, and determines everything after it (rules that reach further back never bind).
class ArtifactRoundChannel {
 public:
  explicit ArtifactRoundChannel(const ArtifactRules& rules) : rules_(rules), refresh_(rules) {}

  void run(const Segment& segment) {
    const SetTimes times(segment.units, rules_);
    const std::int64_t set_clocks = clocks(times, 0, rules_.act_comp);
    // The first set of a round starts after a GWRITE.
    const std::int64_t head = std::max<std::int64_t>(1, rules_.readres_gwrite) - 1 + gap();
    const std::int64_t comp_from = std::max(rules_.act_comp, rules_.gwrite_comp - gap() - set_opening());
    const std::int64_t round_clocks = clocks(times, head, comp_from) + repeated_clocks(segment.sets - 1, set_clocks);
    Recurrence<Phase> recurrence;
    for (std::int64_t g = 0; g < segment.gwrites;) {
      const Milestone now{g, readres_, refresh_.prea_count(), refresh_.ref_count()};
      if (const auto before = recurrence.visit(phase(), now)) g += repeat(*before, now, segment.gwrites - g);
      if (g == segment.gwrites) break;
      const std::int64_t rounds = steady(head, round_clocks, segment.gwrites - g);
      if (rounds > 0) {
        skip(rounds * round_clocks);
        g += rounds;
        continue;
      }
      gwrite();
      set(times);
      for (std::int64_t s = 1; s < segment.sets;) {
        const std::int64_t sets = steady(0, set_clocks, segment.sets - s);
        if (sets > 0) {
          skip(sets * set_clocks);
          s += sets;
          continue;
        }
        set(times);
        ++s;
      }
      ++g;
    }
  }

  std::int64_t finish() { return refresh_.finish(readres_); }
  const ArtifactRefresh& refresh() const { return refresh_; }

 private:
  Phase phase() const {
    // Clocks before the last READRES no longer delay anything.
    const auto ahead = [&](std::int64_t clock) { return std::max<std::int64_t>(0, clock - readres_); };
    return {next_ - readres_,           comp_ - readres_,           refresh_.due() - readres_,
            ahead(refresh_.act_from()), ahead(refresh_.ref_from()), refresh_.banks_open()};
  }

  /// Repeats the commands between two milestones with the same phase as often as fits into `left` rounds; returns the
  /// number of rounds repeated.
  std::int64_t repeat(const Milestone& before, const Milestone& now, std::int64_t left) {
    const std::int64_t times = left / (now.rounds - before.rounds);
    const std::int64_t clocks = repeated_clocks(times, now.clock - before.clock);
    (void)repeated_clocks(1, Count{now.clock} + clocks);
    readres_ += clocks;
    comp_ += clocks;
    next_ += clocks;
    refresh_.skip(clocks, times * (now.prea - before.prea), times * (now.ref - before.ref));
    return times * (now.rounds - before.rounds);
  }

  /// From GWRITE to the first G_ACT.
  std::int64_t gap() const { return std::max<std::int64_t>(1, rules_.gwrite_next); }
  /// From the first G_ACT of a set to its last.
  std::int64_t set_opening() const { return (rules_.activations - 1) * rules_.act_act; }

  /// Clocks from the last READRES before a set to its own last READRES, where neither a refresh nor older commands
  /// interfere: `head` of them before its first G_ACT can issue, its COMPs not before `comp_from` clocks after its last
  /// G_ACT.
  std::int64_t clocks(const SetTimes& times, std::int64_t head, std::int64_t comp_from) const {
    const std::int64_t opened = head + 1 + set_opening();
    const std::int64_t worker = times.next_worker(0);
    if (worker == times.count()) return opened + times.count();
    return opened + std::max(comp_from, worker + 1) + times.readres(times.count() - 1);
  }

  /// Number of the `left` periods of `clocks` that pass before the next refresh, each starting `head` + 1 clocks after
  /// a READRES with the first G_ACT of a set; 0 right after a refresh and before the first READRES.
  std::int64_t steady(std::int64_t head, std::int64_t clocks, std::int64_t left) const {
    const std::int64_t room = refresh_.due() - 2 - readres_;
    // With common timing parameters the COMPs of two sets are too far apart to affect each other.
    if (rules_.comp_comp > set_opening() + 2 + rules_.act_comp) return 0;
    if (next_ != readres_ + 1 || room < clocks || readres_ + head + 1 < refresh_.act_from()) return 0;
    return std::min(left, room / clocks);
  }

  void skip(std::int64_t clocks) {
    readres_ += clocks;
    comp_ += clocks;
    next_ = readres_ + 1;
    refresh_.banks_opened();
  }

  void gwrite() {
    gwrite_ = std::max({next_, gwrite_ + rules_.gwrite_next, readres_ + rules_.readres_gwrite});
    next_ = gwrite_ + 1;
  }

  void set(const SetTimes& times) {
    const std::int64_t first = std::max({next_, gwrite_ + rules_.gwrite_next, refresh_.act_from()});
    const std::int64_t opened = first + set_opening();
    refresh_.banks_opened();
    next_ = opened + 1;
    const std::int64_t comp_from = std::max(opened + rules_.act_comp, gwrite_ + rules_.gwrite_comp);
    for (std::int64_t u = 0; u < times.count();) {
      const std::int64_t worker = times.next_worker(u);
      // Results without COMPs are read one per clock; then the COMPs start.
      if (worker > u) {
        u = read_empty(u, worker);
        continue;
      }
      const std::int64_t start = std::max({next_, comp_from, comp_ + rules_.comp_comp}) - times.first_comp(u);
      while (u < times.count()) {
        readres_ = start + times.readres(u);
        comp_ = start + times.last_comp(u);
        ++u;
        if (readres_ + 1 >= refresh_.due()) break;
      }
      next_ = refresh_.after_readres(readres_);
    }
  }

  /// Reads results u to end-1, which have no COMPs, until a refresh intervenes; returns the first one not read.
  std::int64_t read_empty(std::int64_t u, std::int64_t end) {
    while (u < end) {
      readres_ = std::max(next_, comp_ + rules_.comp_readres);
      next_ = refresh_.after_readres(readres_);
      ++u;
    }
    return u;
  }

  const ArtifactRules& rules_;
  ArtifactRefresh refresh_;
  std::int64_t next_ = 1;
  std::int64_t gwrite_ = long_ago;
  std::int64_t comp_ = long_ago;
  std::int64_t readres_ = long_ago;
};

}  // namespace

Run artifact_closed_form(const ArtifactSchedule& schedule, const ArtifactRules& rules, const Dram& dram) {
  ArtifactRoundChannel channel(rules);
  Run run;
  for (const Segment& segment : schedule) {
    channel.run(segment);
    run.counts += segment.first_channel(dram);
  }
  run.cycles = channel.finish();
  run.counts.prea = channel.refresh().prea_count();
  run.counts.ref = channel.refresh().ref_count();
  return run;
}

}  // namespace pimsweep::hardware::newton
