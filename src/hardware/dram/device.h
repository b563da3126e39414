#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>

#include "hardware/dram/dram.h"
#include "hardware/dram/lanes.h"
#include "hardware/dram/rules.h"

namespace pimsweep::hardware::dram {

/// Timing state of the banks, bank groups and domains of a channel: the open row of each bank, and the first clock at
/// which each command is allowed. It has no queues and makes no decisions; Channel asks it for the earliest clocks and
/// reports every command that it issues:
///
///     if (device.row_from(lane, now) <= now) {   // ACT allowed?
///       device.act(lane, row, now, now);
///     }
///     const Device::Clock clock = device.column_from(lane, write, now);
///     device.column(lane, write, clock);
///     device.delay_pre(lane, write, clock);
///
/// A bank is identified by its lane: the banks of a domain side by side, each domain at a multiple of block_lanes, so
/// that rules of groups and domains are applied to all their lanes with vector instructions. Clocks are 32-bit numbers
/// relative to a base that the caller moves forward (`rebase`). The caller must not issue a command before it is
/// allowed; this is not checked.
class Device {
 public:
  using Clock = std::int32_t;
  static constexpr std::int32_t closed = -1;
  static constexpr std::int32_t retired = std::numeric_limits<std::int32_t>::max();

  Device(const Organization& organization, const Rules& rules)
      : t_(rules),
        banks_of_domain_(static_cast<std::int32_t>(organization.groups * organization.banks)),
        domain_banks_(~std::uint64_t{0} >> (64 - banks_of_domain_)),
        domains_(static_cast<std::int32_t>(organization.domains)),
        domain_blocks_(std::max(banks_of_domain_ / block_lanes, 1)),
        blocks_(domains_ * domain_blocks_),
        ranks_(static_cast<std::int32_t>(organization.ranks)),
        stacks_(static_cast<std::int32_t>(organization.stacks)),
        domain_shift_(std::countr_zero(static_cast<std::uint32_t>(domain_blocks_ * block_lanes))),
        bank_shift_(std::countr_zero(static_cast<std::uint32_t>(banks_of_domain_))),
        group_shift_(std::countr_zero(static_cast<std::uint64_t>(organization.banks))) {
    closed_.at.fill(-1);
    rows_.fill(closed);
    std::fill_n(group_masks_.begin() + max_lanes, organization.banks, -1);
  }

  std::int32_t lane(std::int64_t bank) const {
    const auto b = static_cast<std::int32_t>(bank);
    return b >> bank_shift_ << domain_shift_ | (b & (banks_of_domain_ - 1));
  }
  std::int32_t domain(std::int32_t lane) const { return lane >> domain_shift_; }
  /// The banks of a domain that one of its REFpb refreshes, as a bit set: the same one of some groups.
  std::uint64_t banks_refreshed(std::int32_t domain, std::int32_t number, std::int32_t groups) const {
    std::uint64_t lanes = 0;
    for (std::int32_t i = number; i < banks_of_domain_; i += banks_of_domain_ / groups) lanes |= bit(i);
    return lanes << (domain << domain_shift_);
  }
  std::int32_t row(std::int32_t lane) const { return rows_[at(lane)]; }
  bool open(std::int32_t lane) const { return (open_ >> lane & 1) != 0; }
  std::int32_t blocks() const { return blocks_; }

  /// All banks of a domain, and its open banks, as bit sets.
  std::uint64_t banks(std::int32_t domain) const { return domain_banks_ << (domain << domain_shift_); }
  std::uint64_t open_banks(std::int32_t domain) const { return open_ & banks(domain); }

  // First clock from `now` on at which a command is allowed. `plain`: Rules::plain().
  template <bool plain>
  Clock column_from(std::int32_t lane, bool write, Clock now) const {
    const Clock from = std::max(now, columns_[write][lane]);
    return plain ? from : std::max(from, column_bus_) | t_.odd;
  }
  /// ACT of a closed bank, PRE of an open one.
  template <bool plain>
  Clock row_from(std::int32_t lane, Clock now) const {
    const Clock from = std::max({now, row_commands_[lane], row_bus_});
    return plain || open(lane) ? from : std::max(from, second_act_ + 1) | t_.odd;
  }
  Clock preab_from(std::int32_t domain, Clock now) const {
    return std::max({now, shared_[at(domain)].preab, row_bus_});
  }
  Clock ref_from(std::int32_t domain, Clock now) const {
    return std::max({now, shared_[at(domain)].ref, row_bus_, second_act_ + 1}) | t_.odd;
  }
  Clock refpb_from(std::int32_t lane, Clock now) const {
    const Clock as_act = act_from(lane) + t_.act_bus - 1;
    return std::max({now, as_act, shared_[at(domain(lane))].refpb, row_bus_, second_act_ + 1}) | t_.odd;
  }
  /// For all banks, by the rules of banks, groups and domains; the first clocks at which the buses are free; and 1 in
  /// the lanes of closed banks whose ACTs begin in odd clocks.
  const Lanes& columns(bool write) const { return columns_[write]; }
  const Lanes& row_commands() const { return row_commands_; }
  Clock column_bus() const { return column_bus_; }
  Clock row_bus() const { return row_bus_; }
  /// First clock for ACTs by the second cycle of another one, in the lanes of closed banks.
  [[gnu::always_inline]] void load_second_act(Block& from, std::int32_t number) const {
    closed_.load(from, number);
    from &= second_act_ + 1;
  }
  [[gnu::always_inline]] void load_odd_acts(Block& odd, std::int32_t number) const {
    closed_.load(odd, number);
    odd &= t_.odd;
  }

  /// `closable`: earliest clock at which the row may be closed.
  void act(std::int32_t lane, std::int32_t row, Clock clock, Clock closable) {
    using enum Command;
    const std::int32_t of = domain(lane);
    Domain& d = shared_[at(of)];
    if (open_banks(of) == 0) d.opened = clock;
    open_ |= bit(lane);
    rows_[at(lane)] = row;
    // This ACT replaces the oldest of the last four.
    d.acts[d.oldest_act] = clock;
    d.oldest_act = (d.oldest_act + 1) % d.acts.size();
    later(d.act, std::max(clock + t_.domain(act, act), d.acts[d.oldest_act] + t_.four_act()));
    later(group_acts_[group(lane)], clock + t_.group(act, act));
    bank_acts_[at(lane)] = clock + t_.bank(act, act);
    opened(lane, std::max({closable, clock + t_.bank(act, pre), d.pre}), std::max(d.act, group_acts_[group(lane)]));
    columns_[0].raise_lane(lane, clock + t_.bank(act, rd));
    columns_[1].raise_lane(lane, clock + t_.bank(act, wr));
    later(d.preab, clock + t_.domain(act, preab));
    later(d.ref, clock + t_.domain(act, ref));
    row_bus_ = clock + t_.act_bus;
  }
  /// Effect of an ACT of several cycles on the bus of column commands.
  void occupy_column_bus(Clock clock) {
    if (t_.two_buses) return;
    column_bus_ = row_bus_;
    if (t_.act_within == 0) return;
    column_bus_ = row_bus_ = clock + 1;
    second_act_ = clock;
    last_second_act_ = clock + t_.act_within;
    delay_second_act(clock);
  }
  /// A command takes the clock of the second cycle of an ACT, which follows one clock later. Other ACTs and refreshes
  /// wait for it, and all commands when no time is left.
  void delay_second_act(Clock clock) {
    if (clock != second_act_) return;
    ++second_act_;
    if (second_act_ == last_second_act_) column_bus_ = row_bus_ = second_act_ + 1;
  }

  /// The bank remains open, at a row that no request has.
  void retire_row(std::int32_t lane) { rows_[at(lane)] = retired; }

  void pre(std::int32_t lane, Clock clock) {
    using enum Command;
    Domain& d = shared_[at(domain(lane))];
    later(bank_acts_[at(lane)], clock + t_.bank(pre, act));
    rows_[at(lane)] = closed;
    open_ &= ~bit(lane);
    closed_.set(lane, -1);
    row_commands_.set(lane, act_from(lane));
    later(d.ref, clock + t_.domain(pre, ref));
    after_precharge(domain(lane), Command::pre, clock);
  }

  /// Effect of an RD or WR on other column commands.
  void column(std::int32_t lane, bool write, Clock clock) {
    using enum Command;
    if (write) {
      raise_lanes(lane, columns_[0], clock + t_.domain(wr, rd), clock + t_.group(wr, rd));
      raise_lanes(lane, columns_[1], clock + t_.domain(wr, wr), clock + t_.group(wr, wr));
    } else {
      raise_lanes(lane, columns_[0], clock + t_.domain(rd, rd), clock + t_.group(rd, rd));
      raise_lanes(lane, columns_[1], clock + t_.domain(rd, wr), clock + t_.domain(rd, wr));
    }
  }
  /// Effect of an RD or WR of several cycles on the buses, and on columns of other ranks and stacks.
  void column_beyond(std::int32_t lane, bool write, Clock clock) {
    column_bus_ = clock + t_.column_bus;
    if (!t_.two_buses) later(row_bus_, column_bus_);
    delay_second_act(clock);
    if (stacks_ == 1 && ranks_ == 1) return;
    const std::int32_t stack = stack_of(lane);
    for (const bool next : {false, true}) {
      const Clock of_ranks = clock + t_.ranks(column_of(write), column_of(next));
      const Clock of_stacks = clock + t_.stacks(column_of(write), column_of(next));
      for (std::int32_t other = 0; other < blocks_ * block_lanes; ++other) {
        const bool same_domain = domain(other) == domain(lane);
        if (same_domain ? stack_of(other) != stack : ranks_ > 1) {
          later(columns_[next].at[at(other)], same_domain ? of_stacks : of_ranks);
        }
      }
    }
  }
  /// Effect of an RD or WR on the PRE of its bank.
  void delay_pre(std::int32_t lane, bool write, Clock clock) {
    row_commands_.raise_lane(lane, pre_from(write, clock));
    delay_preab(lane, write, clock);
  }
  /// Effect of an RD or WR on PREab.
  void delay_preab(std::int32_t lane, bool write, Clock clock) {
    using enum Command;
    later(shared_[at(domain(lane))].preab, clock + t_.domain(column_of(write), preab));
  }
  /// First clock for the PRE of a bank after an RD or WR.
  Clock pre_from(bool write, Clock clock) const { return clock + t_.bank(column_of(write), Command::pre); }
  /// First clock for the RD or WR after an ACT by the rules of the bank.
  Clock column_after_act(bool write, Clock clock) const { return clock + t_.bank(Command::act, column_of(write)); }

  /// Closes all banks of a domain.
  void preab(std::int32_t domain, Clock clock) {
    using enum Command;
    Domain& d = shared_[at(domain)];
    later(d.act, clock + t_.domain(preab, act));
    for (std::uint64_t left = open_banks(domain); left != 0; left &= left - 1) {
      rows_[at(std::countr_zero(left))] = closed;
      closed_.set(std::countr_zero(left), -1);
    }
    open_ &= ~banks(domain);
    acts_of_closed(domain);
    later(d.ref, clock + t_.domain(preab, ref));
    after_precharge(domain, Command::preab, clock);
  }

  /// Refreshes all banks of a domain, which must be closed.
  void ref(std::int32_t domain, Clock clock) {
    using enum Command;
    Domain& d = shared_[at(domain)];
    later(d.act, clock + t_.domain(ref, act));
    acts_of_closed(domain);
    later(d.preab, clock + t_.domain(ref, preab));
    later(d.ref, clock + t_.domain(ref, ref));
  }

  /// Refreshes some banks of a domain, which must be closed; `lanes` is a bit set.
  void refpb(std::uint64_t lanes, Clock clock) {
    using enum Command;
    const std::int32_t of = domain(std::countr_zero(lanes));
    for (std::uint64_t left = lanes; left != 0; left &= left - 1)
      later(bank_acts_[at(std::countr_zero(left))], clock + t_.bank(refpb, act));
    Domain& d = shared_[at(of)];
    later(d.act, clock + t_.domain(refpb, act));
    acts_of_closed(of);
    later(d.refpb, clock + t_.domain(refpb, refpb));
  }

  /// Clocks up to `end` in which a domain had an open bank, summed over domains.
  std::int64_t open_clocks(Clock end) const {
    std::int64_t clocks = open_clocks_;
    for (std::int32_t domain = 0; domain < domains_; ++domain) {
      if (open_banks(domain) != 0) clocks += end - shared_[at(domain)].opened;
    }
    return clocks;
  }

  /// True if every domain has had an open bank since `clock`.
  bool open_since(Clock clock) const {
    for (std::int32_t domain = 0; domain < domains_; ++domain) {
      if (open_banks(domain) == 0 || shared_[at(domain)].opened > clock) return false;
    }
    return true;
  }
  /// True if precharges of other banks are the only limit on closing an open bank.
  bool settled(std::int32_t lane, Clock now) const {
    return row_commands_[lane] <= std::max(now, shared_[at(domain(lane))].pre);
  }

  /// Sum of the numbers that describe() appends; states with different sums are different.
  std::int64_t pending(Clock now) const {
    Block sum = {};
    for (std::int32_t number = 0; number < blocks(); ++number) {
      for (const Lanes& from : columns_) {
        Block block;
        from.load(block, number);
        block -= now;
        raise(block, Block{});
        sum += block;
      }
    }
    std::int64_t total = now & t_.odd;
    for (const Clock from : {row_bus_, column_bus_, second_act_ + 1, last_second_act_ + 1})
      total += std::max(from - now, 0);
    for (std::int32_t i = 0; i < block_lanes; ++i) total += sum[i];
    for (std::int32_t i = 0; i < domains_; ++i) {
      const Domain& d = shared_[at(i)];
      for (const Clock from : {d.pre, d.preab, d.ref}) total += std::max(from - now, 0);
      for (const Clock act : d.acts) total += std::max(act + t_.four_act() - now, 0);
      for (std::int32_t k = 0; k < banks_of_domain_; ++k) {
        total += std::max(act_from((i << domain_shift_) + k) - now, 0);
      }
    }
    return total;
  }

  /// Appends the state that determines the future, except for the next row commands of banks: the clocks after `now`
  /// from which commands are allowed, for the lanes in the given order and the domains in the order of their lanes.
  template <typename Append>
  void describe(Clock now, std::span<const std::int32_t> lanes, Append append) const {
    const auto after = [&](Clock from) { append(std::max(from - now, 0)); };
    for (const std::int32_t lane : lanes) {
      after(act_from(lane));
      for (const Lanes& from : columns_) after(from[lane]);
    }
    for (std::int32_t i = 0; i < domains_; ++i) {
      const Domain& d = shared_[at(domain(lanes[at(i)]))];
      for (const Clock from : {d.pre, d.preab, d.ref}) after(from);
      for (std::size_t act = 0; act < d.acts.size(); ++act) {
        after(d.acts[(d.oldest_act + act) % d.acts.size()] + t_.four_act());
      }
    }
    after(row_bus_);
    for (const Clock from : {column_bus_, second_act_ + 1, last_second_act_ + 1}) after(from);
    append(now & t_.odd);
  }

  /// Gives lane to[i] the state of lane from[i] with `rows[i]` as its open row, for all banks, including domains and
  /// groups. Banks that change between open and closed become settled.
  void permute(std::span<const std::int32_t> from, std::span<const std::int32_t> to,
               std::span<const std::int32_t> rows) {
    const Device old = *this;
    open_ = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::int32_t a = from[i];
      const std::int32_t b = to[i];
      bank_acts_[at(b)] = old.bank_acts_[at(a)];
      group_acts_[group(b)] = old.group_acts_[group(a)];
      shared_[at(domain(b))] = old.shared_[at(domain(a))];
      row_commands_.at[at(b)] = old.row_commands_[a];
      columns_[0].at[at(b)] = old.columns_[0][a];
      columns_[1].at[at(b)] = old.columns_[1][a];
      closed_.at[at(b)] = rows[i] == closed ? -1 : 0;
      rows_[at(b)] = rows[i];
      if (rows[i] != closed) open_ |= bit(b);
      if ((rows[i] != closed) == old.open(a)) continue;
      row_commands_.at[at(b)] = rows[i] == closed ? act_from(b) : shared_[at(domain(b))].pre;
    }
  }

  /// Moves the base forward by `clocks`, an even number. Clocks too old to matter for any rule are clamped.
  void rebase(Clock clocks) {
    for (std::int32_t domain = 0; domain < domains_; ++domain) {
      if (open_banks(domain) == 0) continue;
      open_clocks_ += clocks - shared_[at(domain)].opened;
      shared_[at(domain)].opened = 0;
    }
    const auto move = [&](Clock& from) { from = std::max(from, Rules::none + clocks) - clocks; };
    for (Lanes* lanes : {&row_commands_, &columns_[0], &columns_[1]}) std::ranges::for_each(lanes->at, move);
    for (auto* clocks_of : {&bank_acts_, &group_acts_}) std::ranges::for_each(*clocks_of, move);
    for (Domain& d : shared_) {
      for (Clock* from : {&d.act, &d.pre, &d.preab, &d.ref, &d.refpb}) move(*from);
      std::ranges::for_each(d.acts, move);
    }
    move(row_bus_);
    for (Clock* from : {&column_bus_, &second_act_, &last_second_act_}) move(*from);
  }

 private:
  /// State shared by the commands of a domain.
  struct Domain {
    Clock act = 0;
    Clock pre = 0;
    Clock preab = 0;
    Clock ref = 0;
    Clock refpb = 0;
    std::array<Clock, 4> acts{Rules::none, Rules::none, Rules::none, Rules::none};
    std::size_t oldest_act = 0;
    Clock opened = 0;
  };

  static constexpr std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }
  static constexpr Command column_of(bool write) { return write ? Command::wr : Command::rd; }
  static constexpr std::uint64_t bit(std::int32_t lane) { return std::uint64_t{1} << lane; }
  static void later(Clock& from, Clock clock) { from = std::max(from, clock); }

  std::int32_t first_block(std::int32_t domain) const { return domain * domain_blocks_; }
  std::int32_t end_block(std::int32_t domain) const { return first_block(domain) + domain_blocks_; }
  std::size_t group(std::int32_t lane) const { return at(lane >> group_shift_); }
  std::int32_t stack_of(std::int32_t lane) const { return lane >> group_shift_ & (stacks_ - 1); }
  /// First clock for the ACT of a closed bank.
  Clock act_from(std::int32_t lane) const {
    return std::max({bank_acts_[at(lane)], group_acts_[group(lane)], shared_[at(domain(lane))].act});
  }

  /// Fills a block with -1 in the lanes of the group of `lane`.
  [[gnu::always_inline]] void mask_group(Block& mask, std::int32_t lane, std::int32_t number) const {
    const std::int32_t first = lane >> group_shift_ << group_shift_;
    std::memcpy(&mask, &group_masks_[at(max_lanes + number * block_lanes - first)], sizeof(mask));
  }
  /// Raises the clocks of the lanes of a domain to `any`, and of the lanes of the group of `lane` to `same`.
  [[gnu::always_inline]] void raise_lanes(std::int32_t lane, Lanes& lanes, Clock any, Clock same) {
    const std::int32_t of = domain(lane);
    for (std::int32_t number = first_block(of); number < end_block(of); ++number) {
      Block block;
      Block in_group;
      lanes.load(block, number);
      mask_group(in_group, lane, number);
      raise(block, any + (in_group & (same - any)));
      lanes.store(block, number);
    }
  }
  /// Effect of an ACT on row commands: its bank may be closed from `pre` on; closed banks of its domain may be opened
  /// after the domain's next ACT, those of its group from `same` on.
  [[gnu::always_inline]] void opened(std::int32_t lane, Clock pre, Clock same) {
    const std::int32_t of = domain(lane);
    const Clock any = shared_[at(of)].act;
    for (std::int32_t number = first_block(of); number < end_block(of); ++number) {
      Block from;
      Block is_closed;
      Block in_group;
      Block own;
      row_commands_.load(from, number);
      closed_.load(is_closed, number);
      mask_group(in_group, lane, number);
      mask_lane(own, lane, number);
      raise(from, (any + (in_group & (same - any))) & is_closed);
      row_commands_.store((from & ~own) | (own & pre), number);
      closed_.store(is_closed & ~own, number);
    }
  }
  void acts_of_closed(std::int32_t domain) {
    for (std::uint64_t left = banks(domain) & ~open_; left != 0; left &= left - 1) {
      row_commands_.set(std::countr_zero(left), act_from(std::countr_zero(left)));
    }
  }
  void after_precharge(std::int32_t domain, Command command, Clock clock) {
    using enum Command;
    later(shared_[at(domain)].preab, clock + t_.domain(command, preab));
    const Clock pre_from = clock + t_.domain(command, pre);
    if (pre_from > clock) {
      later(shared_[at(domain)].pre, pre_from);
      for (std::uint64_t left = open_banks(domain); left != 0; left &= left - 1) {
        const std::int32_t lane = std::countr_zero(left);
        row_commands_.set(lane, std::max(row_commands_[lane], pre_from));
      }
    }
    if (open_banks(domain) == 0) open_clocks_ += clock - shared_[at(domain)].opened;
  }

  Rules t_;
  std::int32_t banks_of_domain_;
  std::uint64_t domain_banks_;  ///< of the first domain, as a bit set
  std::int32_t domains_;
  std::int32_t domain_blocks_;
  std::int32_t blocks_;
  std::int32_t ranks_;
  std::int32_t stacks_;
  int domain_shift_;
  int bank_shift_;
  int group_shift_;

  // By lane: the next row command (ACT of a closed bank, PRE of an open one), the next RD and WR of an open bank, and
  // -1 where the bank is closed.
  Lanes row_commands_;
  std::array<Lanes, 2> columns_;
  Lanes closed_;
  /// The next ACT by the rules of a bank (by lane) and of its group (by number).
  std::array<Clock, max_lanes> bank_acts_{};
  std::array<Clock, max_lanes> group_acts_{};
  /// The block that starts at index max_lanes + k - f is -1 in the lanes of the group whose first lane is f, where k is
  /// the first lane of the block.
  std::array<std::int32_t, std::size_t{2} * max_lanes> group_masks_{};
  std::array<std::int32_t, max_lanes> rows_{};
  std::uint64_t open_ = 0;
  Clock row_bus_ = 0;
  Clock column_bus_ = 0;
  /// Clock of the second cycle of the last ACT, and the last clock that it may have.
  Clock second_act_ = Rules::none;
  Clock last_second_act_ = Rules::none;
  std::array<Domain, max_domains> shared_{};
  std::int64_t open_clocks_ = 0;
};

}  // namespace pimsweep::hardware::dram
