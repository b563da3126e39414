#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "systems/serving/engine/scheduler.h"

namespace pimsweep::systems::serving::engine {

/// Times of a request, in seconds since the start.
struct RequestTimes {
  /// When the client sent it: later than in the request if the number of requests in flight is limited.
  double arrival = 0;
  /// When the engine took it in, and scheduled it for the first time.
  double queued = 0;
  double scheduled = 0;
  /// When the engine had its first and its last token.
  double first_token = 0;
  double last_token = 0;
};

/// A step that has ended, and the state of the engine then.
struct StepRecord {
  double start = 0;
  double end = 0;
  std::int64_t prompt_tokens = 0;
  std::int64_t decodes = 0;
  /// Tokens that requests got.
  std::int64_t outputs = 0;
  Load load;
};

/// Equal gaps between two tokens of a request.
struct Gap {
  double seconds = 0;
  std::int64_t count = 0;
};

/// A run.
struct Outcome {
  std::vector<RequestTimes> requests;
  std::vector<StepRecord> steps;
  /// Gaps between successive tokens of all requests, in no order.
  std::vector<Gap> gaps;
};

/// Operation of an engine and its clients.
struct Operation {
  /// Steps in flight: 2 with asynchronous scheduling.
  int steps_in_flight = 2;
  /// Requests between arrival and last token; others are sent when one ends. 0: any number.
  std::int64_t max_concurrency = 0;
};

/// Time of a step in seconds, including what the host adds to it.
using StepTime = std::function<double(const Step& step)>;

/// Maximum steps of requests that fit: each step computes a token of the first running request, which is never
/// preempted, except for two steps while its last token is on its way.
std::int64_t max_steps(std::span<const Request> requests);

/// Runs requests, sorted by arrival, through an engine. With two steps in flight, the scheduler works one step ahead:
/// when the output of a step arrives, the next one is already running, and the one after it is scheduled. Requests that
/// arrive during a step are taken in at its end. Reuses the memory of `outcome`. Throws PointError if the engine stops
/// before all requests have ended, or takes more than max_steps().
void simulate(std::span<const Request> requests, const Limits& limits, const Operation& operation, Scheduler& scheduler,
              const StepTime& step_time, Outcome& outcome);

}  // namespace pimsweep::systems::serving::engine
