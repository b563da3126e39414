#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "hardware/dram/dram.h"
#include "hardware/dram/rules.h"

namespace pimsweep::hardware::dram {

/// State machines of a channel's banks, bank groups and domains: which row is open, and from which clock on each
/// command is allowed. Issuing a command before it is allowed is the caller's mistake.
class Device {
 public:
  static constexpr std::int64_t closed = -1;

  Device(const Organization& organization, const Rules& rules)
      : rules_(rules), domain_count_(at(organization.domains)) {
    const std::int64_t banks_of_domain = organization.groups * organization.banks;
    for (std::int64_t bank = 0; bank < organization.all_banks(); ++bank) {
      banks_[at(bank)].group = bank / organization.banks;
      banks_[at(bank)].domain = bank / banks_of_domain;
      domains_[at(bank / banks_of_domain)].banks |= std::uint64_t{1} << bank;
    }
  }

  std::int64_t row(std::int64_t bank) const { return banks_[at(bank)].row; }
  std::int64_t domain(std::int64_t bank) const { return banks_[at(bank)].domain; }
  /// All banks of a domain, and its open banks, one bit each.
  std::uint64_t banks(std::int64_t domain) const { return domains_[at(domain)].banks; }
  std::uint64_t open_banks() const { return open_; }
  std::uint64_t open_banks(std::int64_t domain) const { return open_ & domains_[at(domain)].banks; }

  // First clock at which a command is allowed.
  std::int64_t act_from(std::int64_t bank) const {
    const Bank& b = banks_[at(bank)];
    return std::max({b.act, groups_[at(b.group)].act, domains_[at(b.domain)].act, row_bus_});
  }
  std::int64_t pre_from(std::int64_t bank) const {
    const Bank& b = banks_[at(bank)];
    return std::max({b.pre, domains_[at(b.domain)].pre, row_bus_});
  }
  std::int64_t column_from(std::int64_t bank, bool write) const {
    const Bank& b = banks_[at(bank)];
    return std::max({b.column[write], groups_[at(b.group)].column[write], domains_[at(b.domain)].column[write]});
  }
  // Lower bounds of these over all banks, from the rules of domains alone.
  std::int64_t any_act_from() const {
    return earliest([](const Domain& d) { return d.act; });
  }
  std::int64_t any_column_from(bool write) const {
    return earliest([&](const Domain& d) { return d.column[write]; });
  }

  std::int64_t preab_from(std::int64_t domain) const { return std::max(domains_[at(domain)].preab, row_bus_); }
  std::int64_t ref_from(std::int64_t domain) const { return std::max(domains_[at(domain)].ref, row_bus_); }

  void act(std::int64_t bank, std::int64_t row, std::int64_t clock) {
    Bank& b = banks_[at(bank)];
    Domain& d = domains_[at(b.domain)];
    if (open_banks(b.domain) == 0) d.opened = clock;
    open_ |= std::uint64_t{1} << bank;
    b.row = row;
    b.act = clock + rules_.act_act_bank;
    b.pre = std::max(b.pre, clock + rules_.act_pre_bank);
    b.column[0] = clock + rules_.act_rd_bank;
    b.column[1] = clock + rules_.act_wr_bank;
    later(groups_[at(b.group)].act, clock + rules_.act_act_group);
    // This ACT replaces the oldest of the last four.
    d.acts[d.oldest_act] = clock;
    d.oldest_act = (d.oldest_act + 1) % d.acts.size();
    later(d.act, std::max(clock + rules_.act_act, d.acts[d.oldest_act] + rules_.four_act));
    later(d.preab, clock + rules_.act_preab);
    later(d.ref, clock + rules_.act_ref);
    row_bus_ = clock + rules_.act_bus;
  }

  void pre(std::int64_t bank, std::int64_t clock) {
    Bank& b = banks_[at(bank)];
    Domain& d = domains_[at(b.domain)];
    close(bank);
    later(d.ref, clock + rules_.pre_ref);
    later(d.pre, clock + rules_.pre_pre);
    later(d.preab, clock + rules_.pre_pre);
    later(b.act, clock + rules_.pre_act_bank);
    row_closed(d, b.domain, clock);
  }

  void column(std::int64_t bank, bool write, std::int64_t clock) {
    Bank& b = banks_[at(bank)];
    Group& g = groups_[at(b.group)];
    Domain& d = domains_[at(b.domain)];
    if (write) {
      later(d.column[1], clock + rules_.wr_wr);
      later(d.column[0], clock + rules_.wr_rd);
      later(g.column[1], clock + rules_.wr_wr_group);
      later(g.column[0], clock + rules_.wr_rd_group);
      later(b.pre, clock + rules_.wr_pre_bank);
      later(d.preab, clock + rules_.wr_preab);
    } else {
      later(d.column[0], clock + rules_.rd_rd);
      later(d.column[1], clock + rules_.rd_wr);
      later(g.column[0], clock + rules_.rd_rd_group);
      later(b.pre, clock + rules_.rd_pre_bank);
      later(d.preab, clock + rules_.rd_preab);
    }
  }

  /// Closes all banks of a domain.
  void preab(std::int64_t domain, std::int64_t clock) {
    Domain& d = domains_[at(domain)];
    for (std::uint64_t left = open_banks(domain); left != 0; left &= left - 1) close(std::countr_zero(left));
    later(d.act, clock + rules_.preab_act);
    later(d.ref, clock + rules_.preab_ref);
    later(d.pre, clock + rules_.pre_pre);
    later(d.preab, clock + rules_.pre_pre);
    row_closed(d, domain, clock);
  }

  /// Refreshes all banks of a domain, which must be closed.
  void ref(std::int64_t domain, std::int64_t clock) {
    Domain& d = domains_[at(domain)];
    later(d.act, clock + rules_.ref_act);
    later(d.preab, clock + rules_.ref_preab);
    later(d.ref, clock + rules_.ref_ref);
  }

  /// Clocks up to `end` during which a domain had a bank open.
  std::int64_t open_clocks(std::int64_t domain, std::int64_t end) const {
    const Domain& d = domains_[at(domain)];
    return d.open_clocks + (open_banks(domain) != 0 ? end - d.opened : 0);
  }

 private:
  struct Bank {
    std::int64_t row = closed;
    std::int64_t domain = 0;
    std::int64_t group = 0;
    std::int64_t act = 0;
    std::int64_t pre = 0;
    std::array<std::int64_t, 2> column{};  ///< RD, WR
  };
  struct Group {
    std::int64_t act = 0;
    std::array<std::int64_t, 2> column{};
  };
  struct Domain {
    std::int64_t act = 0;
    std::int64_t pre = 0;
    std::int64_t preab = 0;
    std::int64_t ref = 0;
    std::array<std::int64_t, 2> column{};
    std::array<std::int64_t, 4> acts{long_ago, long_ago, long_ago, long_ago};
    std::size_t oldest_act = 0;
    std::uint64_t banks = 0;
    std::int64_t opened = 0;
    std::int64_t open_clocks = 0;
  };

  template <typename Clock>
  std::int64_t earliest(Clock clock) const {
    std::int64_t result = clock(domains_[0]);
    for (std::size_t d = 1; d < domain_count_; ++d) result = std::min(result, clock(domains_[d]));
    return result;
  }

  static std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }
  static void later(std::int64_t& from, std::int64_t clock) { from = std::max(from, clock); }

  void close(std::int64_t bank) {
    banks_[at(bank)].row = closed;
    open_ &= ~(std::uint64_t{1} << bank);
  }
  void row_closed(Domain& d, std::int64_t domain, std::int64_t clock) {
    if (open_banks(domain) == 0) d.open_clocks += clock - d.opened;
  }

  const Rules rules_;
  std::uint64_t open_ = 0;
  std::int64_t row_bus_ = 0;
  std::array<Bank, max_banks> banks_{};
  std::array<Group, max_banks> groups_{};
  std::array<Domain, max_domains> domains_{};
  std::size_t domain_count_;
};

}  // namespace pimsweep::hardware::dram
