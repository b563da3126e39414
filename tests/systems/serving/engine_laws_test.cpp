#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "base/splitmix64.h"
#include "systems/serving/engine/simulation.h"
#include "systems/serving/engine/static_batches.h"
#include "systems/serving/engine/vllm.h"

// Laws that hold for all requests and limits.

namespace pimsweep::systems::serving::engine {

namespace {

class Random {
 public:
  explicit Random(std::uint64_t seed) : next_(seed) {}
  std::int64_t from(std::int64_t min, std::int64_t max) {
    return min + static_cast<std::int64_t>(next_() % static_cast<std::uint64_t>(max - min + 1));
  }

 private:
  SplitMix64 next_;
};

std::vector<Request> random_requests(Random& random) {
  std::vector<Request> requests(static_cast<std::size_t>(random.from(1, 40)));
  double arrival = 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    Request& request = requests[i];
    arrival += 0.5 * static_cast<double>(random.from(0, 4));
    request = {.arrival = arrival, .input = random.from(1, 60), .output = random.from(1, 30)};
    if (i == 0 || random.from(0, 2) > 0) continue;
    request.shared_with = static_cast<std::size_t>(random.from(0, static_cast<std::int64_t>(i) - 1));
    request.shared_prefix = std::min(request.input, requests[request.shared_with].input) / 4 * 4;
  }
  return requests;
}

std::int64_t total_blocks(const std::vector<Request>& requests, std::int64_t block_tokens) {
  std::int64_t blocks = 0;
  for (const Request& request : requests) blocks += blocks_of(request.tokens(), block_tokens);
  return blocks;
}

/// Follows the steps of a run.
struct Audit {
  const std::vector<Request>& requests;
  const Limits& limits;
  std::vector<std::int64_t> next_context = std::vector<std::int64_t>(requests.size(), 0);
  std::vector<std::int64_t> outputs = std::vector<std::int64_t>(requests.size(), 0);
  std::int64_t computed = 0;
  bool is_within_budget = true;
  bool is_continuous = true;

  double operator()(const Step& step) {
    std::int64_t tokens = 0;
    for (const Work& work : step.works) {
      tokens += work.tokens;
      outputs[work.request] += work.yields ? 1 : 0;
      // A request goes on where it was, or begins again from cached blocks.
      is_continuous &= work.context == next_context[work.request] || work.context % limits.block_tokens == 0;
      next_context[work.request] = work.context + work.tokens;
    }
    computed += tokens;
    is_within_budget &= tokens <= limits.max_tokens && tokens > 0;
    return 0.25 + 0.01 * static_cast<double>(tokens);
  }
};

}  // namespace

TEST_CASE("Tokens and blocks are conserved, and every request ends", "[serving]") {
  std::int64_t preemptions = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const std::vector<Request> requests = random_requests(random);
    std::int64_t largest = 0;
    std::int64_t needed = 0;
    for (const Request& request : requests) {
      largest = std::max(largest, blocks_of(request.tokens(), 4));
      needed += request.tokens() - 1;
    }
    const Limits limits{.max_sequences = random.from(1, 12),
                        .max_tokens = random.from(12, 80),
                        .prefill_threshold = random.from(0, 1) * random.from(1, 20),
                        .block_tokens = 4,
                        .blocks = 1 + largest + random.from(0, 40),
                        .prefix_caching = random.from(0, 3) > 0};
    const int in_flight = static_cast<int>(random.from(1, 2));
    VllmScheduler scheduler;
    Audit audit{.requests = requests, .limits = limits};
    Outcome outcome;
    // Throws if a request starves.
    simulate(
        requests, limits, {.steps_in_flight = in_flight, .max_concurrency = 7 * random.from(0, 1)}, scheduler,
        [&](const Step& step) { return audit(step); }, outcome);
    CHECK(audit.is_within_budget);
    CHECK(audit.is_continuous);
    for (std::size_t i = 0; i < requests.size(); ++i) CHECK(audit.outputs[i] == requests[i].output);
    const Counters& counters = scheduler.counters();
    preemptions += counters.preemptions;
    const std::int64_t expected = needed + counters.discarded - counters.restored - counters.prefix_hits;
    // A request that ends while it waits is not computed again.
    if (in_flight == 1) CHECK(audit.computed == expected);
    CHECK(audit.computed <= expected);
    CHECK(audit.computed >= needed - counters.prefix_hits);
    for (const StepRecord& step : outcome.steps) {
      CHECK(step.load.used_blocks <= limits.blocks - 1);
      CHECK(step.load.running <= limits.max_sequences);
    }
    CHECK(scheduler.load().used_blocks == 0);
    const auto scheduled_later = [](const RequestTimes& a, const RequestTimes& b) { return a.scheduled < b.scheduled; };
    CHECK(std::ranges::is_sorted(outcome.requests, scheduled_later));
    std::int64_t gaps = 0;
    for (const Gap& gap : outcome.gaps) gaps += gap.count;
    CHECK(gaps == needed - [&] {
      std::int64_t inputs = 0;
      for (const Request& request : requests) inputs += request.input;
      return inputs;
    }());
  }
  CHECK(preemptions > 500);
}

TEST_CASE("Blocks are conserved and never exceeded in each pool", "[serving]") {
  std::int64_t preemptions = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const std::vector<Request> requests = random_requests(random);
    std::int64_t largest = 0;
    for (const Request& request : requests) largest = std::max(largest, blocks_of(request.tokens(), 4));
    const std::int64_t pools = random.from(1, 4);
    const Limits limits{.max_sequences = random.from(1, 12),
                        .max_tokens = random.from(12, 80),
                        .block_tokens = 4,
                        .blocks = 1 + pools * (largest + random.from(0, 10)) + random.from(0, pools - 1),
                        .prefix_caching = random.from(0, 1) > 0,
                        .pools = pools,
                        .placement = static_cast<Placement>(random.from(0, 2)),
                        .copies_hits = random.from(0, 1) > 0};
    VllmScheduler scheduler;
    Audit audit{.requests = requests, .limits = limits};
    Outcome outcome;
    bool is_within_pools = true;
    std::vector<std::int32_t> homes(requests.size(), -1);
    simulate(
        requests, limits, {.steps_in_flight = static_cast<int>(random.from(1, 2))}, scheduler,
        [&](const Step& step) {
          std::vector<std::int64_t> used(static_cast<std::size_t>(pools), 0);
          for (std::size_t i = 0; i < step.works.size(); ++i) {
            const Work& work = step.works[i];
            used[static_cast<std::size_t>(work.pool)] += blocks_of(work.context + work.tokens, 4);
            // Only admission chooses a pool.
            if (i < step.running) is_within_pools &= work.pool == homes[work.request];
            homes[work.request] = work.pool;
          }
          // With a prefix cache, requests share blocks.
          is_within_pools &= limits.prefix_caching || std::ranges::max(used) <= limits.pool_blocks();
          return audit(step);
        },
        outcome);
    CHECK(is_within_pools);
    CHECK(audit.is_within_budget);
    CHECK(audit.is_continuous);
    for (std::size_t i = 0; i < requests.size(); ++i) CHECK(audit.outputs[i] == requests[i].output);
    for (const StepRecord& step : outcome.steps) CHECK(step.load.used_blocks <= pools * limits.pool_blocks());
    CHECK(scheduler.load().used_blocks == 0);
    preemptions += scheduler.counters().preemptions;
  }
  CHECK(preemptions > 100);
}

TEST_CASE("Nothing is preempted where the blocks suffice for all", "[serving]") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const std::vector<Request> requests = random_requests(random);
    const Limits limits{.max_sequences = 100,
                        .max_tokens = random.from(1, 80),
                        .block_tokens = 4,
                        .blocks = 1 + total_blocks(requests, 4)};
    VllmScheduler scheduler;
    Outcome outcome;
    simulate(
        requests, limits, {}, scheduler, [](const Step&) { return 1.0; }, outcome);
    CHECK(scheduler.counters().preemptions == 0);
  }
}

TEST_CASE("Static batches give every request its tokens", "[serving]") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Random random(seed);
    const std::vector<Request> requests = random_requests(random);
    const Limits limits{.max_sequences = random.from(1, 12), .max_tokens = 1 << 20, .block_tokens = 4, .blocks = 60};
    StaticBatches scheduler;
    Audit audit{.requests = requests, .limits = limits};
    Outcome outcome;
    simulate(
        requests, limits, {}, scheduler, [&](const Step& step) { return audit(step); }, outcome);
    for (std::size_t i = 0; i < requests.size(); ++i) CHECK(audit.outputs[i] == requests[i].output);
    CHECK(scheduler.load().used_blocks == 0);
  }
}

}  // namespace pimsweep::systems::serving::engine
