#include "driver/manager.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "base/message.h"
#include "driver/observation.h"
#include "driver/process.h"
#include "driver/stop_signal.h"
#include "driver/worker.h"
#include "journal/reader.h"

namespace pimsweep::driver {

namespace {

using Seconds = std::chrono::duration<double>;

/// Keeps the message of a grant short.
constexpr std::size_t max_ranges = 64;
constexpr auto rank_check_period = std::chrono::milliseconds(200);
/// Ranks that are checked together. In a larger launch a rank has its turn less often than five times a second.
constexpr std::size_t ranks_of_a_check = 4096;
/// In a round that takes longer, the excess counts as time in which the manager did not listen.
constexpr auto max_round = rank_check_period;
constexpr auto close_timeout = std::chrono::seconds(60);
constexpr auto min_close_timeout = std::chrono::seconds(2);

}  // namespace

double seconds_to_write(std::uint64_t points, std::uint64_t journal_bytes) {
  // Rank 0 takes 0.6 us a point with 63 bytes in the journal.
  constexpr double per_file = 1;
  constexpr double per_point = 1e-6;
  constexpr double per_byte = 20e-9;
  return per_file + per_point * static_cast<double>(points) + per_byte * static_cast<double>(journal_bytes);
}

Manager::Manager(Communicator& communicator, const sweep::Plan& plan, std::vector<WorkerInfo> workers,
                 LocalWorker* local, const RunLimits& limits, Tally& tally, Progress& progress, Observer observer)
    : communicator_(communicator),
      plan_(plan),
      local_(local),
      pool_(PointSet(0)),
      limits_(limits),
      tally_(tally),
      progress_(progress),
      observer_(std::move(observer)),
      roster_(workers.size()) {
  const std::string here = Communicator::host();
  for (WorkerInfo& worker : workers) {
    cores_.add(worker.host, worker.cores);
    Rank rank;
    rank.visible = !ranks_.empty() && worker.host == here && !has_exited(worker.pid);
    rank.participates = !ranks_.empty() || local != nullptr;
    rank.info = std::move(worker);
    ranks_.push_back(std::move(rank));
  }
  for (std::size_t number = 0; number < ranks_.size(); ++number) update_roster(static_cast<int>(number));
  for (std::size_t number = 1; number < ranks_.size(); ++number) {
    const WorkerInfo& info = ranks_[number].info;
    // Its host is known where its process was seen to end.
    if (info.pid == 0) declare_lost(static_cast<int>(number), "it did not start", !info.host.empty());
    // A process of this rank that ended after it was ready: of others, the number may be that of another container.
    if (info.pid != 0 && communicator_.process_of(static_cast<int>(number)) != 0 && has_exited(info.pid))
      declare_lost(static_cast<int>(number), "its process is gone", true);
  }
  size_ = GrantSize(std::max(1, roster_.evaluators()));
}

void Manager::update_roster(int number) {
  const Rank& rank = ranks_[static_cast<std::size_t>(number)];
  const bool is_isolated = !rank.grants.empty() && rank.grants.front().isolated;
  const bool is_there = rank.participates && !rank.lost;
  roster_.set(number, {is_there, rank.grants.size(), is_isolated});
  cores_.set(static_cast<std::size_t>(number), is_there, is_there && !rank.grants.empty());
}

void Manager::stop(Outcome::Stop why, std::string reason) {
  if (outcome_.stop != Outcome::Stop::none) return;
  outcome_.stop = why;
  outcome_.reason = std::move(reason);
  outcome_.stopped_at = Clock::now();
}

void Manager::handle_report(int number, const Report& report) {
  Rank& rank = ranks_[static_cast<std::size_t>(number)];
  rank.last_heard = listening_time_;
  rank.point_seconds = 0;
  if (report.signal != 0)
    stop(Outcome::Stop::signal, fmt::format("signal {} ({})", report.signal, strsignal(report.signal)));
  if (!report.error.empty()) stop(Outcome::Stop::journal, report.error);
  if (rank.late_reports > 0) {
    // It was declared lost too early. Others have its points, and its own results are in its journal for the merge.
    if (--rank.late_reports > 0) return;
    rank.lost = false;
    update_roster(number);
    print_note("rank {} on {} is back", number, rank.info.host);
    return;
  }
  const Grant& grant = rank.grants.front();
  pool_.give_back(grant, report.done);
  size_.measured(report.done, report.seconds);
  count(grant, report);
  rank.grants.pop_front();
  update_roster(number);
}

void Manager::count(const Grant& grant, const Report& report) {
  tally_.add(grant, report);
  limits_.journal_bytes += report.bytes;
  if (observer_) observer_(grant, report);
}

void Manager::advance_listening_time(Clock::time_point now) {
  listening_time_ += std::min<Clock::duration>(now - last_round_, max_round);
  last_round_ = now;
}

bool Manager::poll_messages() {
  bool reported = false;
  while (const auto message = communicator_.poll()) {
    Rank& rank = ranks_[static_cast<std::size_t>(message->source)];
    rank.last_heard = listening_time_;
    if (message->tag == Tag::heartbeat) {
      ByteReader reader(message->bytes);
      rank.point = reader.number<std::uint64_t>();
      rank.point_seconds = reader.number<double>();
    } else if (message->tag == Tag::report) {
      handle_report(message->source, report_from(message->bytes));
      reported = true;
    } else if (message->tag != Tag::ready && message->tag != Tag::alive) {
      throw std::logic_error("unexpected message from a worker");
    }
  }
  if (local_ != nullptr && !local_report_) local_report_ = local_->report(std::chrono::microseconds(0));
  if (local_report_) {
    handle_report(0, *std::exchange(local_report_, std::nullopt));
    reported = true;
  }
  return reported;
}

double Manager::point_limit() const {
  if (limits_.point_seconds) return *limits_.point_seconds;
  constexpr double factor = 20;
  constexpr double min_limit = 600;
  return tally_.done() == 0 ? 0.0 : std::max(min_limit, factor * tally_.longest_seconds());
}

void Manager::send_lease(int number, Grant grant) {
  Rank& rank = ranks_[static_cast<std::size_t>(number)];
  rank.grants.push_back(std::move(grant));
  update_roster(number);
  if (rank.grants.size() == 1) rank.last_heard = listening_time_;
  // A grant may take about three times its target time.
  Lease lease{rank.grants.back(), point_limit(), 3.3 * size_.target_seconds(),
              cores_.threads(static_cast<std::size_t>(number), pool_.points())};
  if (number == 0) {
    local_->grant(lease);
  } else {
    lease.chosen = chosen_points(plan_, lease.grant);
    communicator_.send(number, Tag::grant, to_bytes(lease));
  }
}

void Manager::dispatch() {
  const int evaluators = std::max(1, roster_.evaluators());
  while (!pool_.empty() && !roster_.idle().empty())
    send_lease(roster_.idle().last(), pool_.take(size_.next(pool_.points(), evaluators), max_ranges));
  // Prefetched grants hide the latency of reports. Round robin: all ranks get a second grant before any gets a third.
  for (std::size_t in_hand = 1; in_hand < Roster::max_grants_in_hand; ++in_hand) {
    const RankSet& ranks = roster_.with_grants(in_hand);
    for (int number = ranks.next(0); number != RankSet::none && should_prefetch(in_hand, evaluators);
         number = ranks.next(number + 1)) {
      send_lease(number, pool_.take(size_.next(pool_.points(), evaluators), max_ranges));
    }
  }
}

bool Manager::should_prefetch(std::size_t in_hand, int evaluators) const {
  if (pool_.empty() || pool_.is_suspect_next()) return false;
  if (const double next = pool_.next_long_seconds(); next > 0) {
    // A long point may queue behind another grant only if it is short compared with the remaining work.
    constexpr double share = 0.03;
    return in_hand == 1 && evaluators * next < share * (limits_.expected_seconds - tally_.busy_seconds());
  }
  constexpr double grants_left = 4;
  return size_.seconds_for(pool_.points()) > grants_left * evaluators * size_.target_seconds();
}

Report Manager::recover_from_journal(const Rank& rank, const Grant& grant, Grant& done,
                                     std::vector<Range>& left) const {
  Report report;
  struct Found {
    systems::Status status;
    std::string observation;
  };
  std::unordered_map<std::uint64_t, Found> found;
  try {
    journal::Reader reader(rank.info.journal);
    journal::Reader::Frame frame;
    journal::Entry entry;
    while (reader.next(frame)) {
      if (frame.kind != journal::FrameKind::results) continue;
      journal::EntryReader entries(frame.payload);
      const bool overlaps = std::any_of(grant.ranges.begin(), grant.ranges.end(), [&](const Range& range) {
        return entries.first() < range.end && range.begin < entries.first() + entries.count();
      });
      while (overlaps && entries.next(entry)) {
        Found& known = found[entry.index];
        known = {entry.record.status, {}};
        if (entry.index >= plan_.size()) continue;
        const sweep::SearchSettings* search = plan_.studies[plan_.locate(entry.index).study].search();
        if (search != nullptr) append_observation(observation_of(*search, entry.record), known.observation);
      }
    }
  } catch (const std::exception&) {
    // Unreadable from this host: all points are evaluated again.
  }
  for (const Range& range : grant.ranges) {
    for (std::uint64_t point = range.begin; point < range.end; ++point) {
      const auto known = found.find(point);
      if (known == found.end()) {
        left.push_back({point, point + 1});
        continue;
      }
      done.ranges.push_back({point, point + 1});
      ++report.done;
      report.observations += known->second.observation;
      if (known->second.status == systems::Status::failed) ++report.failed;
      if (known->second.status == systems::Status::crashed) ++report.crashed;
    }
  }
  return report;
}

void Manager::declare_lost(int number, const std::string& why, bool dead) {
  Rank& rank = ranks_[static_cast<std::size_t>(number)];
  rank.lost = true;
  rank.dead = dead;
  rank.late_reports = dead ? 0 : rank.grants.size();
  std::string text = fmt::format("rank {} on {} is lost: {}", number, rank.info.host, why);
  if (!rank.grants.empty()) {
    std::vector<Range> left;
    Grant done;
    const Report report = recover_from_journal(rank, rank.grants.front(), done, left);
    count(done, report);
    pool_.add_suspects(left);
    rank.grants.pop_front();
    // The other grants had not been begun.
    for (const Grant& grant : rank.grants) pool_.give_back(grant, 0);
    rank.grants.clear();
    text += fmt::format("; {} unfinished point{} {} evaluated by others", left.size(), left.size() == 1 ? "" : "s",
                        left.size() == 1 ? "is" : "are");
  }
  update_roster(number);
  print_warning("{}", text);
  outcome_.lost.push_back(std::move(text));
}

void Manager::check_ranks() {
  const std::size_t checks = std::min(ranks_.size() - 1, ranks_of_a_check);
  for (std::size_t i = 0; i < checks; ++i) {
    check_rank(static_cast<int>(next_check_));
    next_check_ = next_check_ + 1 < ranks_.size() ? next_check_ + 1 : 1;
  }
  if (roster_.evaluators() == 0) stop(Outcome::Stop::ranks, "all workers are lost");
}

void Manager::check_rank(int number) {
  Rank& rank = ranks_[static_cast<std::size_t>(number)];
  if (rank.dead || (rank.lost && !rank.visible)) return;
  if (rank.visible && has_exited(rank.info.pid)) {
    // Messages that it sent before it died come first.
    poll_messages();
    if (rank.lost) {
      rank.dead = true;
    } else {
      declare_lost(number, "its process is gone", true);
    }
  } else if (rank.busy() && listening_time_ - rank.last_heard > limits_.silence) {
    declare_lost(number, fmt::format("no message for {:.3g} s", Seconds(listening_time_ - rank.last_heard).count()),
                 false);
  } else if (const double limit = point_limit(); rank.busy() && limit > 0 && rank.point_seconds > limit) {
    declare_lost(number, fmt::format("in point {} for {:.3g} s (--point-limit)", rank.point, rank.point_seconds),
                 false);
  }
}

void Manager::check_limits(Clock::time_point now) {
  if (const int signal = StopSignal::received(); signal != 0)
    stop(Outcome::Stop::signal, fmt::format("signal {} ({})", signal, strsignal(signal)));
  if (tally_.failed() + tally_.crashed() >= limits_.failures)
    stop(Outcome::Stop::failures, fmt::format("{} points failed (--max-failures)", tally_.failed() + tally_.crashed()));
  const auto last = last_moment();
  if (!last) return;
  // A point begun now may take as long as the longest so far.
  const Seconds left = *last - now;
  if (left.count() <= tally_.longest_seconds() || left.count() <= 0)
    stop(Outcome::Stop::time, "close to the time limit");
}

std::optional<Manager::Clock::time_point> Manager::last_moment() const {
  if (!limits_.deadline) return std::nullopt;
  // Without a results file there are still the journals to close.
  constexpr Seconds closing{1};
  const Seconds writing(writing_seconds());
  return *limits_.deadline -
         std::chrono::duration_cast<Clock::duration>(writing <= limits_.max_writing ? writing : closing);
}

void Manager::abandon_busy() {
  for (Rank& rank : ranks_) {
    if (!rank.busy()) continue;
    outcome_.can_finalize = false;
    outcome_.needs_abort = true;
  }
}

void Manager::wait(BackOff& back_off) {
  if (local_ != nullptr && ranks_[0].busy()) {
    // Each poll takes time from the local worker; none is urgent while all ranks have a second grant.
    const bool is_urgent = !roster_.idle().empty() || !roster_.with_grants(1).empty();
    local_report_ = local_->report(is_urgent ? std::chrono::milliseconds(1) : std::chrono::milliseconds(2));
  } else {
    back_off.sleep();
  }
}

Outcome Manager::run(WorkPool pool) {
  if (outcome_.stop != Outcome::Stop::none) return outcome_;
  pool_ = std::move(pool);
  BackOff back_off;
  const auto start = Clock::now();
  auto last_check = start;
  last_round_ = start;
  while (true) {
    if (poll_messages()) back_off.reset();
    const auto now = Clock::now();
    advance_listening_time(now);
    check_limits(now);
    if (now - last_check >= rank_check_period) {
      check_ranks();
      last_check = now;
      progress_.show(tally_, roster_.busy());
    }
    const bool stopped = outcome_.stop != Outcome::Stop::none;
    if (!stopped) dispatch();
    if (roster_.busy() == 0 && (stopped || pool_.empty())) break;
    if (stopped && (now - outcome_.stopped_at > limits_.grace || now > last_moment().value_or(now))) {
      abandon_busy();
      break;
    }
    wait(back_off);
  }
  outcome_.seconds += Seconds(Clock::now() - start).count();
  outcome_.writing_seconds = writing_seconds();
  add_losses(outcome_);
  return outcome_;
}

void Manager::close_journals(Outcome& outcome) {
  std::set<int> open;
  for (std::size_t number = 1; number < ranks_.size(); ++number) {
    if (!ranks_[number].idle()) continue;
    communicator_.send(static_cast<int>(number), Tag::close, {});
    open.insert(static_cast<int>(number));
  }
  const auto now = Clock::now();
  auto until = now + close_timeout;
  // A signal or a time limit leaves ranks that do not answer, such as stopped ones, no more than the grace.
  if (outcome.stop == Outcome::Stop::signal || outcome.stop == Outcome::Stop::time) {
    const auto grace = std::chrono::duration_cast<Clock::duration>(limits_.grace);
    until = std::max(now + min_close_timeout, std::min(until, outcome.stopped_at + grace));
  }
  BackOff back_off;
  while (!open.empty() && Clock::now() < until) {
    // Messages that a rank sent before it died come first.
    const std::set<int> gone = exited(open);
    while (const auto message = communicator_.poll()) {
      if (message->tag != Tag::report || open.erase(message->source) == 0) continue;
      const Report report = report_from(message->bytes);
      if (report.error.empty()) continue;
      outcome.stop = Outcome::Stop::journal;
      outcome.reason = report.error;
    }
    for (const int number : gone) {
      if (open.erase(number) > 0) declare_lost(number, "its process is gone", true);
      outcome.can_finalize = false;
    }
    if (!open.empty()) back_off.sleep();
  }
  if (!open.empty()) {
    outcome.can_finalize = false;
    outcome.needs_abort = true;
  }
}

std::set<int> Manager::exited(const std::set<int>& numbers) const {
  std::set<int> gone;
  for (const int number : numbers) {
    const Rank& rank = ranks_[static_cast<std::size_t>(number)];
    if (rank.visible && has_exited(rank.info.pid)) gone.insert(number);
  }
  return gone;
}

void Manager::add_losses(Outcome& outcome) {
  std::set<int> idle;
  for (std::size_t number = 1; number < ranks_.size(); ++number) {
    if (ranks_[number].idle()) idle.insert(static_cast<int>(number));
  }
  for (const int number : exited(idle)) declare_lost(number, "its process is gone", true);
  for (const Rank& rank : ranks_) {
    outcome.can_finalize = outcome.can_finalize && !rank.lost;
    outcome.needs_abort = outcome.needs_abort || (rank.lost && !rank.dead);
  }
}

void Manager::dismiss(const Outcome& outcome, int status) {
  const std::string finish = to_bytes(Finish{status, !outcome.can_finalize});
  for (std::size_t number = 1; number < ranks_.size(); ++number) {
    if (ranks_[number].idle()) communicator_.send(static_cast<int>(number), Tag::finish, finish);
  }
}

}  // namespace pimsweep::driver
