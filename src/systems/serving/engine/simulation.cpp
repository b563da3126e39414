#include "systems/serving/engine/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "base/error.h"

namespace pimsweep::systems::serving::engine {

namespace {

/// A run in progress.
class Simulation {
 public:
  Simulation(std::span<const Request> requests, const Operation& operation, Scheduler& scheduler,
             const StepTime& step_time, Outcome& outcome)
      : requests_(requests),
        operation_(operation),
        scheduler_(scheduler),
        step_time_(step_time),
        outcome_(outcome),
        last_end_(requests.size(), 0),
        in_flight_limit_(scheduler.allows_two_in_flight() ? operation.steps_in_flight : 1) {
    outcome.requests.assign(requests.size(), {});
    outcome.steps.clear();
    outcome.gaps.clear();
  }

  void run() {
    const std::int64_t limit = max_steps(requests_);
    while (ended_ < requests_.size()) {
      take_in();
      while (in_flight_ < in_flight_limit_ && launch()) {
      }
      if (in_flight_ > 0) {
        end_step();
      } else if (next_ < requests_.size() && is_free_to_send()) {
        now_ = std::max(now_, arrival_of(next_));
      } else {
        throw PointError("the engine stops although requests wait");
      }
      if (static_cast<std::int64_t>(outcome_.steps.size()) > limit) {
        throw PointError(fmt::format("the engine takes more than {} steps, by which all requests should end", limit));
      }
    }
  }

 private:
  struct InFlight {
    Step step;
    double start = 0;
    double end = 0;
  };

  bool is_free_to_send() const {
    return operation_.max_concurrency == 0 || static_cast<std::int64_t>(next_ - ended_) < operation_.max_concurrency;
  }

  /// When the client sends a request, at the earliest: a limited number of requests may delay it.
  double arrival_of(std::size_t i) const { return std::max(requests_[i].arrival, freed_); }

  /// Requests that have arrived by now.
  void take_in() {
    while (next_ < requests_.size() && is_free_to_send() && arrival_of(next_) <= now_) {
      RequestTimes& times = outcome_.requests[next_];
      times.arrival = operation_.max_concurrency == 0 ? requests_[next_].arrival : arrival_of(next_);
      times.queued = now_;
      times.scheduled = -1;
      scheduler_.add(next_++);
    }
  }

  bool launch() {
    InFlight& next = steps_[(first_ + static_cast<std::size_t>(in_flight_)) % steps_.size()];
    scheduler_.schedule(next.step);
    if (next.step.works.empty()) return false;
    for (std::size_t i = next.step.running; i < next.step.works.size(); ++i) {
      double& scheduled = outcome_.requests[next.step.works[i].request].scheduled;
      if (scheduled < 0) scheduled = now_;
    }
    next.start = std::max(now_, free_at_);
    next.end = next.start + step_time_(next.step);
    free_at_ = next.end;
    ++in_flight_;
    return true;
  }

  /// The first step in flight ends.
  void end_step() {
    const InFlight& ended = steps_[first_];
    first_ = (first_ + 1) % steps_.size();
    --in_flight_;
    const double previous = now_of_last_step_;
    now_ = ended.end;
    now_of_last_step_ = now_;
    scheduler_.handle_output(ended.step, outputs_);
    Gap regular{.seconds = now_ - previous, .count = 0};
    for (const Output& output : outputs_) {
      RequestTimes& times = outcome_.requests[output.request];
      double& last = last_end_[output.request];
      if (last == 0) {
        times.first_token = now_;
      } else if (last == previous) {
        ++regular.count;
      } else {
        outcome_.gaps.push_back({.seconds = now_ - last, .count = 1});
      }
      last = now_;
      if (!output.is_last) continue;
      times.last_token = now_;
      ++ended_;
      freed_ = now_;
    }
    if (regular.count > 0) outcome_.gaps.push_back(regular);
    record(ended);
  }

  void record(const InFlight& ended) {
    StepRecord step{.start = ended.start,
                    .end = ended.end,
                    .outputs = static_cast<std::int64_t>(outputs_.size()),
                    .load = scheduler_.load()};
    for (const Work& work : ended.step.works) {
      if (work.is_prompt()) {
        step.prompt_tokens += work.tokens;
      } else {
        ++step.decodes;
      }
    }
    outcome_.steps.push_back(step);
  }

  std::span<const Request> requests_;
  Operation operation_;
  Scheduler& scheduler_;
  const StepTime& step_time_;
  Outcome& outcome_;
  /// When each request got its last token so far.
  std::vector<double> last_end_;
  std::array<InFlight, 2> steps_;
  std::size_t first_ = 0;
  int in_flight_limit_;
  int in_flight_ = 0;
  std::vector<Output> outputs_;
  double now_ = 0;
  double now_of_last_step_ = 0;
  /// When the machine has ended all steps in flight.
  double free_at_ = 0;
  /// When the last request ended.
  double freed_ = 0;
  std::size_t next_ = 0;
  std::size_t ended_ = 0;
};

}  // namespace

std::int64_t max_steps(std::span<const Request> requests) {
  constexpr std::int64_t spare = 3;
  std::int64_t steps = 0;
  for (const Request& request : requests) steps += request.tokens() + spare;
  return steps;
}

void simulate(std::span<const Request> requests, const Limits& limits, const Operation& operation, Scheduler& scheduler,
              const StepTime& step_time, Outcome& outcome) {
  scheduler.start(requests, limits);
  Simulation(requests, operation, scheduler, step_time, outcome).run();
}

}  // namespace pimsweep::systems::serving::engine
