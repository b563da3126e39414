#include "driver/manager.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "driver/stop_signal.h"

namespace pimsweep {

namespace {

/// Keeps a grant's message short.
constexpr std::size_t ranges_in_grant = 64;
/// Between two looks at the messages, when there are workers to be served.
constexpr auto inline_budget = std::chrono::milliseconds(1);
constexpr auto lone_budget = std::chrono::milliseconds(50);

}  // namespace

Manager::Manager(Communicator& communicator, WorkPool pool, std::optional<std::uint64_t> max_failures,
                 Progress& progress)
    : communicator_(communicator),
      pool_(std::move(pool)),
      max_failures_(max_failures),
      progress_(progress),
      grants_(static_cast<std::size_t>(communicator.size())) {
  for (int rank = 1; rank < communicator.size(); ++rank) idle_.insert(rank);
}

void Manager::take_in(const Report& report, const std::vector<Range>& grant) {
  pool_.give_back(grant, report.done);
  size_.measured(report.done, report.seconds);
  outcome_.done += report.done;
  outcome_.failed += report.failed;
  if (report.signal != 0) outcome_.signal = report.signal;
  if (!report.error.empty()) outcome_.error = report.error;
  if (max_failures_ && outcome_.failed >= *max_failures_ && outcome_.failed > 0) outcome_.too_many_failures = true;
}

void Manager::hear() {
  while (const auto message = communicator_.poll()) {
    if (message->tag != Tag::report) throw std::logic_error("a worker sent something else than a report");
    auto& grant = grants_[static_cast<std::size_t>(message->source)];
    take_in(report_from(message->bytes), grant);
    grant.clear();
    idle_.insert(message->source);
  }
}

void Manager::grant_to_idle() {
  while (!idle_.empty() && !pool_.empty()) {
    const int rank = *idle_.begin();
    auto& grant = grants_[static_cast<std::size_t>(rank)];
    grant = pool_.take(size_.next(pool_.points(), evaluators_), ranges_in_grant);
    communicator_.send(rank, Tag::grant, to_bytes(grant));
    idle_.erase(idle_.begin());
  }
}

Outcome Manager::run(const Inline& evaluate) {
  const int workers = communicator_.size() - 1;
  evaluators_ = workers + (evaluate ? 1 : 0);
  BackOff back_off;
  while (true) {
    const std::uint64_t done_before = outcome_.done;
    hear();
    if (const int signal = StopSignal::received(); signal != 0) outcome_.signal = signal;
    const bool go_on = !outcome_.stopped();
    if (go_on) grant_to_idle();
    if (go_on && evaluate && !pool_.empty()) {
      const auto grant = pool_.take(size_.next(pool_.points(), evaluators_), ranges_in_grant);
      take_in(evaluate(grant, workers == 0 ? lone_budget : inline_budget), grant);
    } else if (idle_.size() == static_cast<std::size_t>(workers) && (pool_.empty() || outcome_.stopped())) {
      break;
    } else if (outcome_.done == done_before) {
      back_off.sleep();
      continue;
    }
    back_off.reset();
    progress_.show(outcome_.done, outcome_.failed);
  }
  progress_.finish(outcome_.done, outcome_.failed);
  return outcome_;
}

void Manager::close_journals(Outcome& outcome) {
  for (int rank = 1; rank < communicator_.size(); ++rank) communicator_.send(rank, Tag::close, {});
  for (int rank = 1; rank < communicator_.size(); ++rank) {
    const Report report = report_from(communicator_.wait().bytes);
    if (!report.error.empty()) outcome.error = report.error;
  }
}

}  // namespace pimsweep
