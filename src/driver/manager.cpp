#include "driver/manager.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "driver/stop_signal.h"
#include "driver/worker.h"
#include "results/journal_reader.h"

namespace pimsweep::driver {

namespace {

using Seconds = std::chrono::duration<double>;

/// Keeps a grant's message short.
constexpr std::size_t ranges_in_grant = 64;
/// Grants of a rank: enough of them that it does not run dry while the manager waits for its own turn on a busy core.
constexpr std::size_t max_in_hand = 4;
constexpr auto watch_period = std::chrono::milliseconds(200);
/// Of a round that takes longer, the rest is time in which the manager did not listen.
constexpr auto longest_round = watch_period;
constexpr auto close_patience = std::chrono::seconds(60);

bool has_gone(std::int64_t pid) { return ::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH; }

}  // namespace

Manager::Manager(Communicator& communicator, std::vector<WorkerPlace> workers, LocalWorker* local, WorkPool pool,
                 const RunLimits& limits, Tally& tally, Progress& progress)
    : communicator_(communicator),
      local_(local),
      pool_(std::move(pool)),
      limits_(limits),
      tally_(tally),
      progress_(progress) {
  const std::string here = Communicator::host();
  for (WorkerPlace& place : workers) {
    Rank rank;
    rank.visible = !ranks_.empty() && place.host == here && !has_gone(place.pid);
    rank.takes_part = !ranks_.empty() || local != nullptr;
    rank.place = std::move(place);
    ranks_.push_back(std::move(rank));
  }
  for (std::size_t number = 1; number < ranks_.size(); ++number) {
    if (ranks_[number].place.pid == 0) lose(static_cast<int>(number), "it never began", false);
  }
  size_ = GrantSize(std::max(1, count(&Rank::idle)));
}

int Manager::count(IsRank is) const {
  return static_cast<int>(std::count_if(ranks_.begin(), ranks_.end(), [&](const Rank& rank) { return (rank.*is)(); }));
}

void Manager::stop(Outcome::Stop why, std::string reason) {
  if (outcome_.stop != Outcome::Stop::none) return;
  outcome_.stop = why;
  outcome_.reason = std::move(reason);
  stopped_at_ = Clock::now();
}

void Manager::take_in(int number, const Report& report) {
  Rank& rank = ranks_[static_cast<std::size_t>(number)];
  rank.heard = listened_;
  rank.point_seconds = 0;
  if (report.signal != 0)
    stop(Outcome::Stop::signal, fmt::format("signal {} ({})", report.signal, strsignal(report.signal)));
  if (!report.error.empty()) stop(Outcome::Stop::journal, report.error);
  if (rank.late_reports > 0) {
    // Given up too early: others have its points, and what it found out itself is in its journal for the merge.
    if (--rank.late_reports > 0) return;
    rank.lost = false;
    fmt::print(stderr, "pimsweep: rank {} on {} is back\n", number, rank.place.host);
    return;
  }
  const Grant& grant = rank.grants.front();
  pool_.give_back(grant, report.done);
  size_.measured(report.done, report.seconds);
  tally_.add(grant, report);
  rank.grants.pop_front();
}

void Manager::listen(Clock::time_point now) {
  listened_ += std::min<Clock::duration>(now - last_round_, longest_round);
  last_round_ = now;
}

bool Manager::hear() {
  bool heard = false;
  while (const auto message = communicator_.poll()) {
    Rank& rank = ranks_[static_cast<std::size_t>(message->source)];
    rank.heard = listened_;
    if (message->tag == Tag::beat) {
      ByteReader reader(message->bytes);
      rank.point = reader.number<std::uint64_t>();
      rank.point_seconds = reader.number<double>();
    } else if (message->tag == Tag::report) {
      take_in(message->source, report_from(message->bytes));
      heard = true;
    } else if (message->tag != Tag::ready) {
      throw std::logic_error("a worker sent something that the manager does not expect");
    }
  }
  if (local_ != nullptr && !local_report_) local_report_ = local_->report(std::chrono::microseconds(0));
  if (local_report_) {
    take_in(0, *std::exchange(local_report_, std::nullopt));
    heard = true;
  }
  return heard;
}

double Manager::point_limit() const {
  if (limits_.point_seconds) return *limits_.point_seconds;
  constexpr double factor = 20;
  constexpr double at_least = 600;
  return tally_.done() == 0 ? 0.0 : std::max(at_least, factor * tally_.longest_seconds());
}

void Manager::give(int number, Grant grant) {
  Rank& rank = ranks_[static_cast<std::size_t>(number)];
  rank.grants.push_back(std::move(grant));
  if (rank.grants.size() == 1) rank.heard = listened_;
  // A grant may take three times what it is meant to.
  const Order order{rank.grants.back(), point_limit(), 3.3 * size_.target_seconds()};
  if (number == 0) {
    local_->grant(order);
  } else {
    communicator_.send(number, Tag::grant, to_bytes(order));
  }
}

void Manager::hand_out() {
  const int evaluators = std::max(1, count(&Rank::idle) + count(&Rank::busy));
  for (std::size_t number = ranks_.size(); number-- > 0 && !pool_.empty();) {
    const Rank& rank = ranks_[number];
    if (!rank.idle()) continue;
    give(static_cast<int>(number), pool_.take(size_.next(pool_.points(), evaluators), ranges_in_grant));
  }
  // More to go on with while the first is reported: by turns, so that all get a second one before anybody gets a third.
  for (std::size_t in_hand = 1; in_hand < max_in_hand; ++in_hand) {
    for (std::size_t number = 0; number < ranks_.size() && is_more_wise(in_hand, evaluators); ++number) {
      const Rank& rank = ranks_[number];
      if (!rank.busy() || rank.grants.size() != in_hand || rank.grants.front().isolated) continue;
      give(static_cast<int>(number), pool_.take(size_.next(pool_.points(), evaluators), ranges_in_grant));
    }
  }
}

bool Manager::is_more_wise(std::size_t in_hand, int evaluators) const {
  if (pool_.empty() || pool_.is_suspect_next()) return false;
  if (const double next = pool_.next_long_seconds(); next > 0) {
    // A long point that waits behind another must be short beside all that is left.
    constexpr double share = 0.03;
    return in_hand == 1 && evaluators * next < share * (limits_.expected_seconds - tally_.busy_seconds());
  }
  constexpr double grants_left = 4;
  return size_.seconds_for(pool_.points()) > grants_left * evaluators * size_.target_seconds();
}

Report Manager::read_back(const Rank& rank, const Grant& grant, Grant& done, std::vector<Range>& left) const {
  Report report;
  std::unordered_map<std::uint64_t, systems::Status> found;
  try {
    results::JournalReader reader(rank.place.journal);
    results::JournalReader::Frame frame;
    results::JournalEntry entry;
    while (reader.next(frame)) {
      if (frame.kind != results::journal_format::Kind::results) continue;
      results::EntryReader entries(frame.payload);
      const bool of_interest = std::any_of(grant.ranges.begin(), grant.ranges.end(), [&](const Range& range) {
        return entries.first() < range.end && range.begin < entries.first() + entries.count();
      });
      while (of_interest && entries.next(entry)) found[entry.index] = entry.record.status;
    }
  } catch (const std::exception&) {
    // Unreadable from here: everything is evaluated again.
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
      if (known->second == systems::Status::failed) ++report.failed;
      if (known->second == systems::Status::crashed) ++report.crashed;
    }
  }
  return report;
}

void Manager::lose(int number, const std::string& why, bool dead) {
  Rank& rank = ranks_[static_cast<std::size_t>(number)];
  rank.lost = true;
  rank.dead = dead;
  rank.late_reports = dead ? 0 : rank.grants.size();
  std::string text = fmt::format("rank {} on {} is lost: {}", number, rank.place.host, why);
  if (!rank.grants.empty()) {
    std::vector<Range> left;
    Grant done;
    const Report report = read_back(rank, rank.grants.front(), done, left);
    tally_.add(done, report);
    pool_.add_suspects(left);
    rank.grants.pop_front();
    // The grant behind had not been begun.
    for (const Grant& grant : rank.grants) pool_.give_back(grant, 0);
    rank.grants.clear();
    text += fmt::format("; {} point{} that it had in hand {} evaluated by others", left.size(),
                        left.size() == 1 ? "" : "s", left.size() == 1 ? "is" : "are");
  }
  fmt::print(stderr, "pimsweep: warning: {}\n", text);
  outcome_.lost.push_back(std::move(text));
}

void Manager::watch() {
  for (std::size_t number = 1; number < ranks_.size(); ++number) {
    const Rank& rank = ranks_[number];
    if (rank.dead || (rank.lost && !rank.visible)) continue;
    const int name = static_cast<int>(number);
    if (rank.visible && has_gone(rank.place.pid)) {
      // What it sent before it died comes first.
      hear();
      if (rank.lost) {
        ranks_[number].dead = true;
      } else {
        lose(name, "its process is gone", true);
      }
    } else if (rank.busy() && listened_ - rank.heard > limits_.silence) {
      lose(name, fmt::format("not heard of for {:.3g} s", Seconds(listened_ - rank.heard).count()), false);
    } else if (const double limit = point_limit(); rank.busy() && limit > 0 && rank.point_seconds > limit) {
      lose(name, fmt::format("in point {} for {:.3g} s (--point-limit)", rank.point, rank.point_seconds), false);
    }
  }
  if (count(&Rank::idle) + count(&Rank::busy) == 0) stop(Outcome::Stop::ranks, "all workers are lost");
}

void Manager::check_limits(Clock::time_point now) {
  if (const int signal = StopSignal::received(); signal != 0)
    stop(Outcome::Stop::signal, fmt::format("signal {} ({})", signal, strsignal(signal)));
  if (tally_.failed() + tally_.crashed() >= limits_.failures)
    stop(Outcome::Stop::failures, fmt::format("{} points failed (--max-failures)", tally_.failed() + tally_.crashed()));
  if (!limits_.deadline) return;
  // A point begun now would take this long, if it is as long as the longest so far.
  const Seconds left = *limits_.deadline - now;
  if (left.count() <= tally_.longest_seconds() || left.count() <= 0)
    stop(Outcome::Stop::time, "the time limit is near");
}

void Manager::give_up_busy() {
  for (Rank& rank : ranks_) {
    if (!rank.busy()) continue;
    outcome_.all_present = false;
    outcome_.left_behind = true;
  }
}

void Manager::wait(BackOff& back_off) {
  if (local_ != nullptr && ranks_[0].busy()) {
    // Each look takes time from the local worker; nobody waits for it while all have a second grant.
    const bool hurry = std::any_of(ranks_.begin(), ranks_.end(), [](const Rank& rank) {
      return rank.takes_part && !rank.lost && rank.grants.size() < 2;
    });
    local_report_ = local_->report(hurry ? std::chrono::milliseconds(1) : std::chrono::milliseconds(2));
  } else {
    back_off.sleep();
  }
}

Outcome Manager::run() {
  BackOff back_off;
  const auto start = Clock::now();
  auto watched = start;
  last_round_ = start;
  while (true) {
    if (hear()) back_off.reset();
    const auto now = Clock::now();
    listen(now);
    check_limits(now);
    if (now - watched >= watch_period) {
      watch();
      watched = now;
      progress_.show(tally_, count(&Rank::busy));
    }
    const bool stopped = outcome_.stop != Outcome::Stop::none;
    if (!stopped) hand_out();
    if (count(&Rank::busy) == 0 && (stopped || pool_.empty())) break;
    if (stopped && (now - stopped_at_ > limits_.grace || (limits_.deadline && now > *limits_.deadline))) {
      give_up_busy();
      break;
    }
    wait(back_off);
  }
  outcome_.seconds = Seconds(Clock::now() - start).count();
  for (const Rank& rank : ranks_) {
    outcome_.all_present = outcome_.all_present && !rank.lost;
    outcome_.left_behind = outcome_.left_behind || (rank.lost && !rank.dead);
  }
  progress_.finish(tally_);
  return outcome_;
}

void Manager::close_journals(Outcome& outcome) {
  int open = 0;
  for (std::size_t number = 1; number < ranks_.size(); ++number) {
    if (!ranks_[number].idle()) continue;
    communicator_.send(static_cast<int>(number), Tag::close, {});
    ++open;
  }
  const auto until = Clock::now() + close_patience;
  BackOff back_off;
  while (open > 0 && Clock::now() < until) {
    const auto message = communicator_.poll();
    if (!message) {
      back_off.sleep();
      continue;
    }
    if (message->tag != Tag::report || !ranks_[static_cast<std::size_t>(message->source)].idle()) continue;
    const Report report = report_from(message->bytes);
    if (!report.error.empty()) {
      outcome.stop = Outcome::Stop::journal;
      outcome.reason = report.error;
    }
    --open;
  }
  if (open > 0) {
    outcome.all_present = false;
    outcome.left_behind = true;
  }
}

void Manager::dismiss(const Outcome& outcome, int status) {
  const std::string farewell = to_bytes(Farewell{status, !outcome.all_present});
  for (std::size_t number = 1; number < ranks_.size(); ++number) {
    if (ranks_[number].idle()) communicator_.send(static_cast<int>(number), Tag::finish, farewell);
  }
}

}  // namespace pimsweep::driver
