#include "literal.h"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace pimsweep::test {

namespace {

using namespace hardware::dram;

enum class Kind { act, pre, preab, rd, wr, ref, refpb };

/// A command; `bank` is -1 for those of a whole domain.
struct Command {
  Kind kind;
  std::int64_t domain;
  std::int64_t bank;
  std::int64_t clock;
};

/// A row of the constraints.
struct Row {
  std::string level;
  std::set<Kind> after;
  std::set<Kind> before;
  std::int64_t cycles = 0;
  std::int64_t window = 1;
};

std::set<Kind> kinds_of(const std::string& text) {
  static const std::map<std::string, Kind> names{{"ACT", Kind::act},    {"PRE", Kind::pre}, {"PREab", Kind::preab},
                                                 {"RD", Kind::rd},      {"WR", Kind::wr},   {"REFab", Kind::ref},
                                                 {"REFpb", Kind::refpb}};
  std::set<Kind> kinds;
  std::istringstream words(text);
  for (std::string word; words >> word;) kinds.insert(names.at(word));
  return kinds;
}

/// A sum of names and integers, a word each.
std::int64_t sum_of(const std::string& text, const Timing& timing) {
  std::int64_t sum = 0;
  std::int64_t sign = 1;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (word == "+" || word == "-") {
      sign = word == "+" ? 1 : -1;
      continue;
    }
    if (word == "*") continue;
    const auto parameter = std::ranges::find(timing_parameters, word, &TimingParameter::name);
    const std::int64_t value = parameter == timing_parameters.end() ? std::stoll(word) : timing.*parameter->value;
    // The first factor of a product waits for the second.
    const bool is_factor = words >> std::ws && words.peek() == '*';
    sign *= value;
    if (!is_factor) sum += sign;
  }
  return sum;
}

std::vector<Row> rows_of(const std::string& text, const Timing& timing) {
  std::vector<Row> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string level;
    std::string after;
    std::string before;
    std::string cycles;
    std::string window;
    std::getline(fields, level, '|');
    if (!std::getline(fields, after, '|')) continue;
    std::getline(fields, before, '|');
    std::getline(fields, cycles, '|');
    std::getline(fields, window, '|');
    level.resize(level.find_last_not_of(' ') + 1);
    rows.push_back(
        {level, kinds_of(after), kinds_of(before), sum_of(cycles, timing), window.empty() ? 1 : std::stoll(window)});
  }
  return rows;
}

struct Waiting {
  hardware::dram::Request request;
  std::int64_t arrival;
  bool counted = false;
};

class Literal {
 public:
  Literal(const hardware::dram::Dram& dram, const hardware::dram::ControllerOptions& options,
          std::span<const hardware::dram::Request> requests, std::span<const std::int64_t> due)
      : dram_(dram),
        options_(options),
        requests_(requests),
        due_(due),
        table_(rows_of(dram.constraints->text, dram.timing)),
        rows_(banks(), -1) {}

  hardware::dram::Result run() {
    std::size_t next = 0;
    for (clock_ = 1;
         next < requests_.size() || !reads_.empty() || !writes_.empty() || !active_.empty() || clock_ <= result_.cycles;
         ++clock_) {
      const bool offered = next < requests_.size() && (due_.empty() || due_[next] < clock_);
      if (offered && accept(requests_[next])) {
        ++next;
        result_.cycles_last_accept = clock_ - 1;
      }
      const hardware::dram::Organization& o = dram_.organization;
      if (options_.refresh == Refresh::all_bank && clock_ % dram_.timing.nREFI == 0) {
        for (std::int64_t d = 0; d < o.domains; ++d) refreshes_.push_back(d);
      }
      if (options_.refresh == Refresh::per_bank && clock_ % dram_.timing.nREFIpb == 0) {
        const std::int64_t step = clock_ / dram_.timing.nREFIpb - 1;
        const std::int64_t steps = o.groups * o.banks / dram_.commands.refreshed_groups;
        for (std::int64_t d = 0; d < o.domains; ++d) bank_refreshes_.push_back(banks_of(d, step % steps));
      }
      close_to_requests();
      tick();
      for (std::int64_t d = 0; d < dram_.organization.domains; ++d) open_after_.push_back(open(d) ? 1 : 0);
    }
    // What is open after the last clock's command is not open for any clock that counts.
    open_after_.resize(static_cast<std::size_t>((result_.cycles - 1) * dram_.organization.domains));
    result_.open_clocks = std::accumulate(open_after_.begin(), open_after_.end(), std::int64_t{0});
    return result_;
  }

 private:
  std::size_t banks() const { return static_cast<std::size_t>(dram_.organization.all_banks()); }
  std::int64_t group(std::int64_t bank) const { return bank / dram_.organization.banks; }
  std::int64_t domain(std::int64_t bank) const { return group(bank) / dram_.organization.groups; }
  std::int64_t& row(std::int64_t bank) { return rows_[static_cast<std::size_t>(bank)]; }
  bool open(std::int64_t d) {
    for (std::int64_t bank = 0; bank < dram_.organization.all_banks(); ++bank) {
      if (domain(bank) == d && row(bank) >= 0) return true;
    }
    return false;
  }

  bool accept(const hardware::dram::Request& request) {
    const bool queued = std::any_of(writes_.begin(), writes_.end(), [&](const Waiting& w) {
      return w.request.bank == request.bank && w.request.row == request.row && w.request.column == request.column;
    });
    if (queued) {
      if (request.write) {
        ++result_.writes_coalesced;
      } else {
        ++result_.reads_forwarded;
        answer(clock_);
      }
      return true;
    }
    auto& queue = request.write ? writes_ : reads_;
    const std::int64_t capacity = request.write ? options_.write_queue : options_.read_queue;
    if (static_cast<std::int64_t>(queue.size()) == capacity) return false;
    queue.push_back({request, clock_ - 1});
    return true;
  }

  std::int64_t answer(std::int64_t clock) {
    last_answer_ = std::max(clock, last_answer_ + 1);
    result_.cycles = std::max(result_.cycles, last_answer_);
    return last_answer_;
  }

  static bool is_column(Kind kind) { return kind == Kind::rd || kind == Kind::wr; }
  /// The second cycle of an ACT lets commands that are ready go first.
  bool splits_acts() const {
    return dram_.timing.nAAD > 0 && dram_.commands.activate == 2 && dram_.commands.buses == 1;
  }
  /// Cycles of the command bus beyond the first.
  std::int64_t more_cycles(Kind kind) const {
    if (kind == Kind::act) return dram_.commands.activate - 1;
    return is_column(kind) ? dram_.commands.access - 1 : 0;
  }

  std::int64_t bus_cycles(Kind kind) const { return kind == Kind::act && splits_acts() ? 0 : more_cycles(kind); }

  bool ready(Kind kind, std::int64_t next_domain, std::int64_t bank) const {
    if (dram_.commands.grid == 2 && clock_ % 2 == 0 && kind != Kind::pre && kind != Kind::preab) return false;
    if (split_act_ > 0 && (kind == Kind::act || kind == Kind::ref || kind == Kind::refpb)) return false;
    if (split_act_ > 0 && clock_ == split_act_ + dram_.timing.nAAD) return false;
    std::map<const Row*, std::int64_t> met;
    // Commands older than this are beyond every rule.
    const std::size_t look_back = 400;
    for (std::size_t i = log_.size(); i-- > 0 && log_.size() - i < look_back;) {
      const Command& last = log_[i];
      const bool same_bus = dram_.commands.buses == 1 || is_column(last.kind) == is_column(kind);
      if (same_bus && clock_ <= last.clock + bus_cycles(last.kind)) return false;
      const bool same_domain = last.domain == next_domain;
      const bool same_bank = last.bank >= 0 && (last.kind == Kind::refpb ? refreshes(last, bank) : last.bank == bank);
      const bool same_group = last.bank >= 0 && bank >= 0 && group(last.bank) == group(bank);
      for (const Row& row : table_) {
        const bool as_act = kind == Kind::refpb && row.before.contains(Kind::act);
        if (!row.after.contains(last.kind) || !(row.before.contains(kind) || as_act)) continue;
        const bool same_stack =
            same_domain && group(last.bank) % dram_.organization.stacks == group(bank) % dram_.organization.stacks;
        const auto holds = [&] {
          if (row.level == "domain") return same_domain;
          if (row.level == "group") return same_group;
          if (row.level == "bank") return same_bank;
          if (row.level == "ranks") return !same_domain && dram_.organization.ranks > 1;
          return same_domain && !same_stack;
        };
        if (!holds()) continue;
        if (++met[&row] != row.window) continue;
        if (clock_ < last.clock + row.cycles + more_cycles(last.kind) - more_cycles(kind)) return false;
      }
    }
    return true;
  }

  void issue(Kind kind, std::int64_t of_domain, std::int64_t bank) {
    log_.push_back({kind, of_domain, bank, clock_});
    switch (kind) {
      case Kind::act:
        ++result_.commands.act;
        if (splits_acts()) split_act_ = clock_;
        break;
      case Kind::pre:
        ++result_.commands.pre;
        row(bank) = -1;
        break;
      case Kind::preab:
        ++result_.commands.preab;
        for (std::int64_t b = 0; b < dram_.organization.all_banks(); ++b) {
          if (domain(b) == of_domain) row(b) = -1;
        }
        break;
      case Kind::rd:
        ++result_.commands.rd;
        break;
      case Kind::wr:
        ++result_.commands.wr;
        break;
      case Kind::ref:
        ++result_.commands.ref;
        break;
      case Kind::refpb:
        ++result_.commands.refpb;
        break;
    }
  }

  void serve(const Waiting& waiting) {
    const bool write = waiting.request.write;
    issue(write ? Kind::wr : Kind::rd, domain(waiting.request.bank), waiting.request.bank);
    if (write) {
      result_.cycles = std::max(result_.cycles, clock_);
    } else {
      result_.read_latency += answer(clock_ + dram_.timing.nCL + dram_.timing.nBL) - waiting.arrival;
    }
  }

  Kind next_command(const Waiting& waiting) {
    const std::int64_t open_row = row(waiting.request.bank);
    if (open_row < 0) return Kind::act;
    if (open_row != waiting.request.row) return Kind::pre;
    return waiting.request.write ? Kind::wr : Kind::rd;
  }

  bool in_active(std::int64_t bank) const {
    return std::any_of(active_.begin(), active_.end(), [&](const Waiting& w) { return w.request.bank == bank; });
  }

  void tick() {
    if (dram_.commands.buses == 2) {
      tick(true, false);
      tick(false, true);
    } else {
      const std::size_t before = log_.size();
      tick(true, true);
      if (log_.size() == before) split_act_ = 0;
    }
  }

  void tick(bool columns, bool rows) {
    if (columns) {
      const auto chosen = std::min_element(active_.begin(), active_.end(), [&](const Waiting& a, const Waiting& b) {
        const bool a_ready = can_serve(a);
        const bool b_ready = can_serve(b);
        return a_ready != b_ready ? a_ready : a.arrival < b.arrival;
      });
      if (chosen != active_.end() && can_serve(*chosen)) {
        serve(*chosen);
        active_.erase(chosen);
        return;
      }
    }
    if (!refreshes_.empty()) {
      if (rows) refresh();
      return;
    }
    if (rows && refresh_banks()) return;
    const auto writes = static_cast<double>(writes_.size());
    const auto capacity = static_cast<double>(options_.write_queue);
    if (!write_mode_) {
      write_mode_ = writes > options_.write_high * capacity || reads_.empty();
    } else if ((writes_.empty() || writes < options_.write_low * capacity) && !reads_.empty()) {
      write_mode_ = false;
    }
    auto& queue = write_mode_ ? writes_ : reads_;
    for (auto waiting = queue.begin(); waiting != queue.end(); ++waiting) {
      const std::int64_t bank = waiting->request.bank;
      const Kind kind = next_command(*waiting);
      const bool column = kind == Kind::rd || kind == Kind::wr;
      if (column ? !columns : !rows) continue;
      if (!column && refreshed(bank)) continue;
      if (kind == Kind::pre && (in_active(bank) || wanted(queue, *waiting))) continue;
      if (!ready(kind, domain(bank), bank)) continue;
      if (!waiting->counted) {
        waiting->counted = true;
        ++(kind == Kind::act ? result_.row_misses : column ? result_.row_hits : result_.row_conflicts);
      }
      const Waiting copy = *waiting;
      const bool overtakes = std::any_of(queue.begin(), waiting, [&](const Waiting& older) {
        return older.request.bank == bank && older.request.row != copy.request.row;
      });
      if (kind != Kind::pre) queue.erase(waiting);
      if (column) {
        serve(copy);
        if (overtakes && ++overtakings_[bank] == options_.hit_cap) row(bank) = no_request;
      } else {
        issue(kind, domain(bank), bank);
        if (kind == Kind::act) {
          row(bank) = copy.request.row;
          overtakings_[bank] = 0;
          active_.push_back(copy);
        }
      }
      return;
    }
    if (options_.row_policy == hardware::dram::RowPolicy::closed && rows) close_a_row();
  }

  /// Closes the first row that no request waits for.
  void close_a_row() {
    for (std::int64_t bank = 0; bank < dram_.organization.all_banks(); ++bank) {
      const auto hits = [&](const Waiting& w) { return w.request.bank == bank && w.request.row == row(bank); };
      if (row(bank) < 0 || refreshed(bank) || in_active(bank) || std::ranges::any_of(reads_, hits) ||
          std::ranges::any_of(writes_, hits))
        continue;
      if (ready(Kind::pre, domain(bank), bank)) return issue(Kind::pre, domain(bank), bank);
    }
  }

  bool can_serve(const Waiting& w) const {
    return ready(w.request.write ? Kind::wr : Kind::rd, domain(w.request.bank), w.request.bank);
  }

  /// True if the scheduler keeps the row open for an earlier request, or for any.
  bool wanted(const std::deque<Waiting>& queue, const Waiting& conflict) {
    using hardware::dram::Scheduler;
    if (options_.scheduler == Scheduler::fr_fcfs) return false;
    return std::any_of(queue.begin(), queue.end(), [&](const Waiting& w) {
      const bool counts = options_.scheduler == Scheduler::fr_fcfs_all_hits || w.arrival <= conflict.arrival;
      return w.request.bank == conflict.request.bank && counts && w.request.row == row(w.request.bank);
    });
  }

  /// The banks of a refresh: the same of some groups.
  std::vector<std::int64_t> banks_of(std::int64_t d, std::int64_t number) const {
    const hardware::dram::Organization& o = dram_.organization;
    const std::int64_t all = o.groups * o.banks;
    const std::int64_t step = all / dram_.commands.refreshed_groups;
    std::vector<std::int64_t> banks;
    for (std::int64_t k = number % step; k < all; k += step) banks.push_back(d * all + k);
    return banks;
  }
  bool refreshes(const Command& command, std::int64_t bank) const {
    const std::int64_t all = dram_.organization.groups * dram_.organization.banks;
    return command.domain == domain(bank) &&
           bank % (all / dram_.commands.refreshed_groups) == command.bank % (all / dram_.commands.refreshed_groups);
  }
  bool refreshed(std::int64_t bank) const {
    return !bank_refreshes_.empty() && std::ranges::count(bank_refreshes_.front(), bank) > 0;
  }
  /// Open rows of the banks to be refreshed next serve no further requests.
  void close_to_requests() {
    if (bank_refreshes_.empty()) return;
    for (const std::int64_t bank : bank_refreshes_.front()) {
      if (row(bank) >= 0) row(bank) = no_request;
    }
  }
  /// Issues the next command of a refresh of banks, if it is allowed.
  bool refresh_banks() {
    if (bank_refreshes_.empty()) return false;
    const std::vector<std::int64_t> banks = bank_refreshes_.front();
    for (const std::int64_t bank : banks) {
      if (row(bank) < 0 || in_active(bank) || !ready(Kind::pre, domain(bank), bank)) continue;
      issue(Kind::pre, domain(bank), bank);
      return true;
    }
    const bool all = std::ranges::all_of(
        banks, [&](std::int64_t bank) { return row(bank) < 0 && ready(Kind::refpb, domain(bank), bank); });
    if (!all) return false;
    issue(Kind::refpb, domain(banks.front()), banks.front());
    bank_refreshes_.pop_front();
    close_to_requests();
    return true;
  }

  void refresh() {
    const std::int64_t d = refreshes_.front();
    if (open(d)) {
      const bool blocked =
          std::any_of(active_.begin(), active_.end(), [&](const Waiting& w) { return domain(w.request.bank) == d; });
      if (!blocked && ready(Kind::preab, d, -1)) issue(Kind::preab, d, -1);
    } else if (ready(Kind::ref, d, -1)) {
      issue(Kind::ref, d, -1);
      refreshes_.pop_front();
    }
  }

  const hardware::dram::Dram& dram_;
  const hardware::dram::ControllerOptions& options_;
  std::span<const hardware::dram::Request> requests_;
  std::span<const std::int64_t> due_;
  std::vector<Row> table_;
  /// Stands for an open row that serves no further requests.
  static constexpr std::int64_t no_request = std::int64_t{1} << 40;
  std::vector<std::int64_t> rows_;
  std::map<std::int64_t, std::int64_t> overtakings_;
  std::deque<Waiting> reads_;
  std::deque<Waiting> writes_;
  std::vector<Waiting> active_;
  std::deque<std::int64_t> refreshes_;
  std::deque<std::vector<std::int64_t>> bank_refreshes_;
  std::vector<Command> log_;
  /// For each clock and domain, whether a bank is open after it.
  std::vector<std::int64_t> open_after_;
  bool write_mode_ = false;
  std::int64_t clock_ = 0;
  /// Clock of an ACT whose second cycle is still to come, or 0.
  std::int64_t split_act_ = 0;
  std::int64_t last_answer_ = -1;
  hardware::dram::Result result_;
};

}  // namespace

hardware::dram::Result run_literally(const hardware::dram::Dram& dram, const hardware::dram::ControllerOptions& options,
                                     std::span<const hardware::dram::Request> requests,
                                     std::span<const std::int64_t> due) {
  return Literal(dram, options, requests, due).run();
}

}  // namespace pimsweep::test
