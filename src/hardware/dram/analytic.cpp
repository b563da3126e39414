#include "hardware/dram/analytic.h"

#include <algorithm>
#include <cmath>

#include "base/checked.h"
#include "hardware/dram/rules.h"

namespace pimsweep::hardware::dram {

namespace {

using enum Command;

double real(std::int64_t value) { return static_cast<double>(value); }

/// Use of the banks by some traffic.
struct Shape {
  double run = 1;      ///< accesses to a row before moving to another bank
  double banks = 1;    ///< banks active at a time
  double domains = 1;  ///< domains active at a time
  double touched = 1;  ///< banks used in total
  double column = 1;   ///< clocks between two accesses
  double exposed = 0;  ///< clocks per visit spent on opening the row and not hidden by other accesses
};

/// Expected number of distinct values among `draws` uniform draws from `n`.
double distinct(double n, double draws) { return n * (1 - std::pow(1 - 1 / n, draws)); }

class Estimate {
 public:
  Estimate(const Dram& dram, const ControllerOptions& options, const Traffic& traffic)
      : rules_(dram),
        organization_(dram.organization),
        options_(options),
        traffic_(traffic),
        window_(real(traffic.mix.kind == ReadMix::Kind::writes ? options.write_queue : options.read_queue)),
        reads_(traffic.mix.read_fraction()),
        near_(std::max(1.0, mixed(rules_.domain(rd, rd), rules_.domain(wr, wr)))),
        far_(std::max(near_, mixed(rules_.group(rd, rd), rules_.group(wr, wr)))) {}

  Result operator()() const {
    const double n = real(traffic_.requests);
    Shape s = shape();
    s.run = std::clamp(s.run, 1.0, n);
    const double visits = std::ceil(n / s.run);
    const double pace =
        std::max({s.run * s.column + s.exposed, visit(s) / s.banks, activation() / s.domains, commands(s.run), s.run});
    double cycles = (visits - 1) * pace + (s.run - 1) * s.column + turns(n) + first();
    double refreshes = 0;
    const double interval = real(rules_.refresh_interval);
    const double lost = real(rules_.domain(ref, act) + rules_.domain(act, ref));
    // Each refresh lengthens the run, in which further refreshes fall due.
    if (options_.refresh != Refresh::none && cycles > interval) cycles += std::floor(cycles / (interval - lost)) * lost;
    cycles = std::round(cycles);
    if (options_.refresh != Refresh::none) refreshes = std::floor(cycles / interval);
    return result(s, n, visits, cycles, refreshes);
  }

 private:
  /// Mean of a number for reads and one for writes.
  double mixed(double read, double write) const { return reads_ * read + (1 - reads_) * write; }

  Shape shape() const {
    const Organization& o = organization_;
    const double columns = real(o.columns);
    const double banks = real(o.all_banks());
    const double domains = real(o.domains);
    const Shape single{1, 1, 1, 1, far_, 0};
    const Shape one_bank{columns, 1, 1, 1, far_, 0};
    const double apart = o.groups > 1 || domains > 1 ? near_ / domains : far_;
    const Shape spread{columns, std::min(banks, window_), domains, banks, apart, 0};
    switch (traffic_.pattern) {
      case Pattern::seq:
        if (traffic_.mapping == Mapping::ch_ra_ba_ro_co) return one_bank;
        if (traffic_.mapping == Mapping::mop4clxor) {
          Shape s = spread;
          s.run = std::min(columns, real(o.all_banks()));
          return s;
        }
        return in_turn(columns);
      case Pattern::stride_row_1bank:
      case Pattern::random_1bank:
        return single;
      case Pattern::stride_row_allbanks: {
        Shape s = spread;
        s.run = 1;
        return s;
      }
      case Pattern::hit_1bank:
        return one_bank;
      case Pattern::hit_allbanks:
        return spread;
      case Pattern::tile16x4rows_allbanks:
        return in_turn(std::min(16.0, columns));
      case Pattern::pingpong_2rows_1bank:
        return {gathered(std::min(2.0, real(o.rows))), 1, 1, 1, far_, 0};
      case Pattern::random_8rows_1bank:
        return {gathered(std::min(8.0, real(o.rows))), 1, 1, 1, far_, 0};
      case Pattern::random:
      case Pattern::random_8rows_allbanks: {
        Shape s = spread;
        // About two more banks are active than the queue holds requests: those requests left the queue with their ACT.
        s.banks = distinct(banks, window_ + 2);
        if (traffic_.pattern == Pattern::random_8rows_allbanks) {
          s.run = banks == 1 ? gathered(std::min(8.0, real(o.rows))) : 1 + window_ / banks / 8;
        } else {
          s.run = 1;
        }
        return s;
      }
    }
    return single;
  }

  /// Runs of `run` accesses to one bank after another; the queue holds several runs at a time.
  Shape in_turn(double run) const {
    const Organization& o = organization_;
    const double banks = real(o.all_banks());
    const double domains = real(o.domains);
    if (banks == 1 || real(traffic_.requests) <= run) return {run, 1, 1, 1, far_, 0};
    const double sight = std::min(banks, 1 + window_ / run);
    const double prepare = real(rules_.bank(pre, act) + rules_.bank(act, rd));
    // Once the next row is open, the end of a run and the start of the next alternate.
    const double alternate = domains > 1 ? std::max(1.0, far_ / 2) : std::max(near_, far_ / 2);
    const double share = std::clamp(2 * (window_ - prepare / far_) / run, 0.0, 1.0);
    const double column = share * alternate + (1 - share) * far_;
    // Where every clock has an RD, the next rows are opened only after the RDs of the run, but all rows in the queue at
    // once.
    const double exposed =
        !rules_.two_buses && column <= 1 ? prepare / std::floor(sight) : std::max(0.0, prepare - window_ * column);
    return {run, banks, std::min(domains, sight), banks, column, exposed};
  }

  /// Hits per visit where the accesses to one bank are spread evenly over `rows` rows: the row that waited longest has
  /// twice its share of the queue, and more requests arrive meanwhile.
  double gathered(double rows) const {
    if (rows == 1) return real(traffic_.requests);
    const double hits = std::max(1 + (window_ - 1) / rows, 2 * window_ / rows) / (1 - 1 / rows);
    return closed_at_once() ? std::min(hits, kept_open()) : hits;
  }
  /// True if an older request for another row may close the bank between two hits: nRTP ends before the next read.
  /// Write recovery always takes longer.
  bool closed_at_once() const { return reads_ == 1 && real(rules_.bank(rd, pre)) <= far_; }
  /// Hits before the bank is closed.
  double kept_open() const { return 1 + std::floor(real(rules_.bank(act, pre) - rules_.bank(act, rd)) / far_); }

  /// Clocks for which one visit to a row keeps a bank busy.
  double visit(const Shape& s) const {
    const double hits = (s.run - 1) * far_;
    const double read = real(rules_.bank(act, rd) + rules_.bank(rd, pre));
    const double write = real(rules_.bank(act, wr) + rules_.bank(wr, pre));
    // The longer a visit that mixes reads and writes, the more often slow write recovery ends it.
    const double writes = s.run > 1 && reads_ > 0 && reads_ < 1 ? 1 - std::pow(reads_, s.run) : 1 - reads_;
    const double last = writes * write + (1 - writes) * read;
    return std::max(real(rules_.bank(act, act)),
                    std::max(hits + last, real(rules_.bank(act, pre))) + real(rules_.bank(pre, act)));
  }

  /// Clocks per visit on the busier command bus.
  double commands(double run) const {
    const double columns = run * real(rules_.column_bus);
    return rules_.two_buses ? std::max(columns, real(rules_.act_bus) + 1) : columns + real(rules_.act_bus) + 1;
  }

  /// Clocks between activations of a domain.
  double activation() const { return std::max(real(rules_.domain(act, act)), real(rules_.four_act()) / 4); }

  /// Bus turnarounds between reads and writes: a batch of writes takes the write queue from its high to its low
  /// watermark.
  double turns(double n) const {
    if (reads_ <= 0 || reads_ >= 1) return 0;
    // In whole percent, so that 0.8 - 0.2 is 0.6.
    const double drained = std::round(100 * (options_.write_high - options_.write_low)) / 100;
    const double batch = std::max(1.0, drained * real(options_.write_queue));
    const double gap = real(rules_.domain(rd, wr)) + real(rules_.group(wr, rd)) - 2 * near_;
    return std::floor(n * (1 - reads_) / batch) * std::max(0.0, gap);
  }

  /// Latency of the first access, which is not hidden by others.
  double first() const {
    return reads_ > 0 ? 1 + real(rules_.bank(act, rd) + rules_.read) : 1 + real(rules_.bank(act, wr));
  }

  Result result(const Shape& s, double n, double visits, double cycles, double refreshes) const {
    const auto whole = [](double value) -> std::int64_t { return Count::of(std::round(value)); };
    // The first visit to a bank, and the first after a refresh, find it closed.
    const double closed = std::min(visits, s.touched + refreshes * s.banks);
    Result r;
    r.cycles = whole(cycles);
    r.row_misses = whole(closed);
    r.row_conflicts = whole(visits) - r.row_misses;
    r.row_hits = traffic_.requests - r.row_misses - r.row_conflicts;
    r.commands.act = whole(visits);
    r.commands.pre = r.row_conflicts;
    r.commands.preab = Count{whole(refreshes)} * organization_.domains;
    r.commands.ref = r.commands.preab;
    r.commands.rd = whole(n * reads_);
    r.commands.wr = traffic_.requests - r.commands.rd;
    // Rows stay open except during refreshes and, with one bank, between two rows.
    const double shut = s.banks > 1 ? 0 : visits * real(rules_.bank(pre, act));
    const double refreshing = refreshes * real(rules_.domain(ref, act));
    r.open_clocks = whole(std::max(0.0, cycles - shut - refreshing) * std::max(1.0, s.domains));
    return r;
  }

  const Rules rules_;
  const Organization& organization_;
  const ControllerOptions& options_;
  const Traffic& traffic_;
  double window_;
  double reads_;
  /// Clocks between two accesses to different bank groups, and to the same group.
  double near_;
  double far_;
};

}  // namespace

Result estimate(const Dram& dram, const ControllerOptions& options, const Traffic& traffic) {
  return Estimate(dram, options, traffic)();
}

}  // namespace pimsweep::hardware::dram
