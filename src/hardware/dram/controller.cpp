#include "hardware/dram/controller.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>

#include "hardware/dram/device.h"
#include "hardware/dram/request_queue.h"
#include "hardware/dram/rules.h"

namespace pimsweep::hardware::dram {

namespace {

/// Fill levels of the write queue at which the controller switches to writes, and back to reads.
constexpr double high_water = 0.8;
constexpr double low_water = 0.2;

class ListSource {
 public:
  explicit ListSource(std::span<const Request> requests) : requests_(requests) {}
  std::int64_t size() const { return static_cast<std::int64_t>(requests_.size()); }
  Request next() { return requests_[next_++]; }

 private:
  std::span<const Request> requests_;
  std::size_t next_ = 0;
};

/// A request whose row has been opened and that waits for its column command; a bank has at most one.
struct Active {
  std::int64_t arrival = 0;
  bool write = false;
};

/// The only command bus, or one of two.
enum class Bus : std::uint8_t { both, column, row };

template <typename Source>
class Simulation {
 public:
  Simulation(const Dram& dram, const ControllerOptions& options, Source source)
      : rules_(dram),
        device_(dram.organization, rules_),
        domains_(dram.organization.domains),
        row_hit_first_(options.scheduler == Scheduler::fr_fcfs_row_hit),
        next_refresh_(options.refresh ? rules_.refresh_interval : never),
        queues_{RequestQueue(options.read_queue), RequestQueue(options.write_queue)},
        high_(static_cast<std::int64_t>(std::floor(high_water * static_cast<double>(options.write_queue)))),
        low_(static_cast<std::int64_t>(std::ceil(low_water * static_cast<double>(options.write_queue)))),
        source_(source),
        not_offered_(source_.size()),
        not_served_(not_offered_) {}

  Result run() {
    std::int64_t cycle = 0;
    while (not_served_ > 0 || cycle < result_.cycles) {
      const std::int64_t clock = cycle + 1;
      if (!refused_ && not_offered_ + held_ > 0) offer(cycle);
      if (clock == next_refresh_) {
        pending_refreshes_ += domains_;
        next_refresh_ += rules_.refresh_interval;
        wake_ = clock;
      }
      if (clock >= wake_) tick(clock);
      const bool offers = !refused_ && not_offered_ + held_ > 0;
      cycle = offers ? cycle + 1 : std::min(wake_, next_refresh_) - 1;
    }
    for (std::int64_t domain = 0; domain < domains_; ++domain) {
      result_.open_clocks += device_.open_clocks(domain, result_.cycles);
    }
    return result_;
  }

 private:
  RequestQueue& queue(bool write) { return queues_[write ? 1 : 0]; }

  /// Offers the next request, or retries the one that was refused.
  void offer(std::int64_t cycle) {
    if (held_ == 0) {
      request_ = source_.next();
      --not_offered_;
      held_ = 1;
    }
    const bool in_write_queue = !queue(true).empty() && queue(true).holds(request_);
    if (in_write_queue) {
      --not_served_;
      if (request_.write) {
        ++result_.writes_coalesced;
      } else {
        ++result_.reads_forwarded;
        answer(cycle + 1);
      }
    } else if (queue(request_.write).full()) {
      refused_ = true;
      return;
    } else {
      queue(request_.write).push(request_, cycle, device_.row(request_.bank));
      if (mode_after() != write_mode_) {
        wake_ = cycle + 1;
      } else if (request_.write == write_mode_) {
        wake_ = std::min(wake_, std::max(cycle + 1, may_act(request_.bank, request_.row)));
      }
    }
    held_ = 0;
    result_.cycles_last_accept = cycle;
  }

  /// Answers a read whose data arrive at `clock`; returns the clock of the answer. Answers leave in order, one a clock.
  std::int64_t answer(std::int64_t clock) {
    last_answer_ = std::max(clock, last_answer_ + 1);
    result_.cycles = std::max(result_.cycles, last_answer_);
    return last_answer_;
  }

  bool mode_after() const {
    const RequestQueue& reads = queues_[0];
    const std::int64_t writes = queues_[1].size();
    if (!write_mode_) return writes > high_ || reads.empty();
    return writes >= low_ || reads.empty();
  }

  void tick(std::int64_t clock) {
    wake_ = never;
    bool issued = false;
    if (rules_.two_buses) {
      issued = issue<Bus::column>(clock);
      issued = issue<Bus::row>(clock) || issued;
    } else {
      issued = issue<Bus::both>(clock);
    }
    if (issued) wake_ = clock + 1;
  }

  /// Records that a request for `row` has entered the active queue; returns the first clock at which it may issue a
  /// command.
  std::int64_t may_act(std::int64_t bank, std::int64_t row) {
    const std::int64_t open_row = device_.row(bank);
    if (open_row == Device::closed) return lower(from_.act, device_.act_from(bank));
    if (open_row == row) return lower(from_.column, device_.column_from(bank, write_mode_));
    return lower(from_.pre, device_.pre_from(bank));
  }

  static void raise(std::int64_t& from, std::int64_t clock) { from = std::max(from, clock); }
  static std::int64_t lower(std::int64_t& from, std::int64_t clock) {
    from = std::min(from, clock);
    return clock;
  }

  template <Bus bus>
  bool issue(std::int64_t clock) {
    if constexpr (bus != Bus::row) {
      if (issue_active(clock)) return true;
    }
    if (pending_refreshes_ > 0) {
      if constexpr (bus == Bus::column) return false;
      return issue_refresh(clock);
    }
    if (mode_after() != write_mode_) {
      write_mode_ = !write_mode_;
      from_ = {};
    }
    return issue_waiting<bus>(clock);
  }

  /// The oldest ready entry.
  struct Choice {
    std::int64_t arrival = never;
    std::int64_t bank = 0;
    std::int32_t entry = RequestQueue::none;
  };

  bool issue_active(std::int64_t clock) {
    if (active_from_ <= clock) {
      active_from_ = never;
      Choice choice;
      for (std::uint64_t left = active_banks_; left != 0; left &= left - 1) {
        const std::int64_t bank = std::countr_zero(left);
        const Active& active = active_[static_cast<std::size_t>(bank)];
        const std::int64_t from = lower(active_from_, device_.column_from(bank, active.write));
        if (from <= clock && active.arrival < choice.arrival) choice = {active.arrival, bank, RequestQueue::none};
      }
      if (choice.arrival != never) {
        active_banks_ &= ~(std::uint64_t{1} << choice.bank);
        serve(choice.bank, active_[static_cast<std::size_t>(choice.bank)].write, choice.arrival, clock);
        return true;
      }
    }
    wake_ = std::min(wake_, active_from_);
    return false;
  }

  bool issue_refresh(std::int64_t clock) {
    const std::int64_t domain = first_refresh_;
    const std::uint64_t open = device_.open_banks(domain);
    if (open != 0 && (device_.banks(domain) & active_banks_) != 0) return false;
    const std::int64_t from = open != 0 ? device_.preab_from(domain) : device_.ref_from(domain);
    if (from > clock) {
      wake_ = std::min(wake_, from);
      return false;
    }
    if (open != 0) {
      for (std::uint64_t left = open; left != 0; left &= left - 1) rows_closed(std::countr_zero(left));
      device_.preab(domain, clock);
      from_.act = 0;
      ++result_.commands.preab;
    } else {
      device_.ref(domain, clock);
      ++result_.commands.ref;
      --pending_refreshes_;
      first_refresh_ = (first_refresh_ + 1) % domains_;
    }
    return true;
  }

  /// Looks through `banks` for the oldest entry that is ready: `entry_of` gives a bank's candidate, `from_of` when its
  /// command is allowed. `from` is the bound below which none of them can be ready.
  template <typename EntryOf, typename FromOf>
  void choose(std::uint64_t banks, std::int64_t clock, std::int64_t& from, Choice& choice, EntryOf entry_of,
              FromOf from_of) {
    if (from <= clock) {
      from = never;
      for (std::uint64_t left = banks; left != 0; left &= left - 1) {
        const std::int64_t bank = std::countr_zero(left);
        if (lower(from, from_of(bank)) > clock) continue;
        const std::int32_t entry = entry_of(bank);
        const std::int64_t arrival = queue(write_mode_)[entry].arrival;
        if (arrival < choice.arrival) choice = {arrival, bank, entry};
      }
    }
    wake_ = std::min(wake_, from);
  }

  /// The oldest request of the active queue whose next command is ready on `bus`.
  template <Bus bus>
  bool issue_waiting(std::int64_t clock) {
    RequestQueue& waiting = queue(write_mode_);
    Choice choice;
    if constexpr (bus != Bus::row) {
      raise(from_.column, device_.any_column_from(write_mode_));
      choose(
          waiting.banks_with_hits(), clock, from_.column, choice, [&](std::int64_t bank) { return waiting.hit(bank); },
          [&](std::int64_t bank) { return device_.column_from(bank, write_mode_); });
    }
    if constexpr (bus != Bus::column) {
      raise(from_.act, device_.any_act_from());
      choose(
          waiting.banks() & ~device_.open_banks(), clock, from_.act, choice,
          [&](std::int64_t bank) { return waiting.oldest(bank); },
          [&](std::int64_t bank) { return device_.act_from(bank); });
      choose(
          closable(waiting), clock, from_.pre, choice, [&](std::int64_t bank) { return waiting.conflict(bank); },
          [&](std::int64_t bank) { return device_.pre_from(bank); });
    }
    if (choice.entry == RequestQueue::none) return false;
    advance(waiting, choice.bank, choice.entry, clock);
    return true;
  }

  /// Banks with a conflict whose open row no request of higher priority waits for.
  std::uint64_t closable(const RequestQueue& waiting) const {
    std::uint64_t banks = waiting.banks_with_conflicts() & ~active_banks_;
    if (!row_hit_first_) return banks;
    for (std::uint64_t left = banks & waiting.banks_with_hits(); left != 0; left &= left - 1) {
      const std::int64_t bank = std::countr_zero(left);
      if (waiting[waiting.hit(bank)].arrival < waiting[waiting.conflict(bank)].arrival)
        banks &= ~(std::uint64_t{1} << bank);
    }
    return banks;
  }

  /// Issues the next command of a waiting request.
  void advance(RequestQueue& waiting, std::int64_t bank, std::int32_t i, std::int64_t clock) {
    const std::int64_t open_row = device_.row(bank);
    const std::int64_t row = waiting[i].row;
    const std::int64_t arrival = waiting[i].arrival;
    if (!waiting[i].counted) {
      waiting[i].counted = true;
      ++(open_row == Device::closed ? result_.row_misses : open_row == row ? result_.row_hits : result_.row_conflicts);
    }
    if (open_row == Device::closed) {
      leave(waiting, bank, i, open_row);
      active_[static_cast<std::size_t>(bank)] = {arrival, write_mode_};
      active_banks_ |= std::uint64_t{1} << bank;
      device_.act(bank, row, clock);
      for (RequestQueue& each : queues_) each.row_opened(bank, row);
      lower(active_from_, device_.column_from(bank, write_mode_));
      lower(from_.column, active_from_);
      ++result_.commands.act;
    } else if (open_row == row) {
      leave(waiting, bank, i, open_row);
      serve(bank, write_mode_, arrival, clock);
    } else {
      rows_closed(bank);
      device_.pre(bank, clock);
      lower(from_.act, device_.act_from(bank));
      ++result_.commands.pre;
    }
  }

  void leave(RequestQueue& waiting, std::int64_t bank, std::int32_t i, std::int64_t open_row) {
    waiting.pop(bank, i, open_row);
    refused_ = false;
  }

  void serve(std::int64_t bank, bool write, std::int64_t arrival, std::int64_t clock) {
    device_.column(bank, write, clock);
    // The bank may now be closed for other requests.
    lower(from_.pre, device_.pre_from(bank));
    --not_served_;
    if (write) {
      ++result_.commands.wr;
      result_.cycles = std::max(result_.cycles, clock);
    } else {
      ++result_.commands.rd;
      result_.read_latency += answer(clock + rules_.read) - arrival;
    }
  }

  void rows_closed(std::int64_t bank) {
    for (RequestQueue& each : queues_) each.row_closed(bank);
  }

  const Rules rules_;
  Device device_;
  const std::int64_t domains_;
  const bool row_hit_first_;

  std::int64_t next_refresh_;
  /// Pending refreshes; that of `first_refresh_` comes first, those of the other domains follow in turn.
  std::int64_t pending_refreshes_ = 0;
  std::int64_t first_refresh_ = 0;

  std::array<RequestQueue, 2> queues_;  ///< reads, writes
  /// Writes are served above the first and down to the second: see high_water and low_water.
  const std::int64_t high_;
  const std::int64_t low_;
  bool write_mode_ = false;
  std::array<Active, max_banks> active_{};
  std::uint64_t active_banks_ = 0;

  Source source_;
  Request request_;
  std::int64_t not_offered_;
  std::int64_t not_served_;
  /// 1 while request_ has not entered a queue.
  std::int64_t held_ = 0;
  /// The queue of request_ was full and has not moved since.
  bool refused_ = false;

  /// Lower bounds: wake_ for any command, from_ for commands of the active queue by their kind, active_from_ for column
  /// commands of active requests.
  struct Bounds {
    std::int64_t act = 0;
    std::int64_t pre = 0;
    std::int64_t column = 0;
  };
  std::int64_t wake_ = never;
  Bounds from_;
  std::int64_t active_from_ = never;
  std::int64_t last_answer_ = long_ago;
  Result result_;
};

}  // namespace

Result simulate(const Dram& dram, const ControllerOptions& options, const Traffic& traffic) {
  return Simulation<TrafficSource>(dram, options, TrafficSource(dram.organization, traffic)).run();
}

Result simulate(const Dram& dram, const ControllerOptions& options, std::span<const Request> requests) {
  return Simulation<ListSource>(dram, options, ListSource(requests)).run();
}

}  // namespace pimsweep::hardware::dram
