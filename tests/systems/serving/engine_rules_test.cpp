#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "systems/serving/engine/block_pool.h"
#include "systems/serving/engine/simulation.h"
#include "systems/serving/engine/static_batches.h"
#include "systems/serving/engine/vllm.h"

// Each rule of vLLM V1's scheduler (docs/serving.md), one at a time.

namespace pimsweep::systems::serving::engine {

namespace {

/// Request, tokens, context, and 1 if it yields a token.
using Row = std::vector<std::int64_t>;

std::vector<Row> rows_of(const Step& step) {
  std::vector<Row> rows;
  for (const Work& work : step.works) rows.push_back({work.request, work.tokens, work.context, work.yields ? 1 : 0});
  return rows;
}

/// An engine whose steps are made by hand.
class Engine {
 public:
  Engine(std::vector<Request> requests, const Limits& limits) : requests_(std::move(requests)) {
    scheduler.start(requests_, limits);
    for (std::size_t i = 0; i < requests_.size(); ++i) scheduler.add(i);
  }

  std::vector<Row> schedule(Step& step) {
    scheduler.schedule(step);
    return rows_of(step);
  }
  void end(const Step& step) { scheduler.handle_output(step, outputs); }
  /// A step that ends before the next one is scheduled.
  std::vector<Row> run() {
    std::vector<Row> rows = schedule(step_);
    end(step_);
    return rows;
  }

  VllmScheduler scheduler;
  std::vector<Output> outputs;

 private:
  std::vector<Request> requests_;
  Step step_;
};

Limits small_limits() { return {.max_sequences = 8, .max_tokens = 100, .block_tokens = 4, .blocks = 101}; }

}  // namespace

TEST_CASE("A budget of tokens divides prompts into chunks, running requests first", "[serving]") {
  Limits limits = small_limits();
  limits.max_tokens = 8;
  Engine engine({{.input = 5, .output = 3}, {.input = 6, .output = 3}, {.input = 9, .output = 3}}, limits);
  CHECK(engine.run() == std::vector<Row>{{0, 5, 0, 1}, {1, 3, 0, 0}});
  CHECK(engine.run() == std::vector<Row>{{0, 1, 5, 1}, {1, 3, 3, 1}, {2, 4, 0, 0}});
  CHECK(engine.run() == std::vector<Row>{{0, 1, 6, 1}, {1, 1, 6, 1}, {2, 5, 4, 1}});
  CHECK(engine.scheduler.load().running == 2);
}

TEST_CASE("A threshold bounds chunks of long prompts", "[serving]") {
  Limits limits = small_limits();
  limits.prefill_threshold = 4;
  Engine engine({{.input = 9, .output = 2}, {.input = 3, .output = 2}}, limits);
  CHECK(engine.run() == std::vector<Row>{{0, 4, 0, 0}, {1, 3, 0, 1}});
  CHECK(engine.run() == std::vector<Row>{{0, 4, 4, 0}, {1, 1, 3, 1}});
  CHECK(engine.run() == std::vector<Row>{{0, 1, 8, 1}});
}

TEST_CASE("A number of sequences run at most", "[serving]") {
  Limits limits = small_limits();
  limits.max_sequences = 1;
  Engine engine({{.input = 2, .output = 1}, {.input = 3, .output = 1}}, limits);
  CHECK(engine.run() == std::vector<Row>{{0, 2, 0, 1}});
  CHECK(engine.run() == std::vector<Row>{{1, 3, 0, 1}});
}

TEST_CASE("Admission checks the whole present sequence, and is first come first served", "[serving]") {
  Limits limits = small_limits();
  limits.max_tokens = 13;
  limits.blocks = 6;  // 5 without the null block
  Engine engine({{.input = 12, .output = 2}, {.input = 12, .output = 2}, {.input = 4, .output = 1}}, limits);
  // The second request's chunk of one token would have a block; the third request would fit as a whole.
  CHECK(engine.run() == std::vector<Row>{{0, 12, 0, 1}});
  CHECK(engine.scheduler.load().used_blocks == 3);
  CHECK(engine.run() == std::vector<Row>{{0, 1, 12, 1}});
  CHECK(engine.run() == std::vector<Row>{{1, 12, 0, 1}, {2, 1, 0, 0}});
}

TEST_CASE("The request that was admitted last is preempted, and computed again before others", "[serving]") {
  Limits limits = small_limits();
  limits.blocks = 6;
  limits.prefix_caching = false;
  Engine engine({{.input = 7, .output = 9}, {.input = 8, .output = 4}, {.input = 1, .output = 1}}, limits);
  CHECK(engine.run() == std::vector<Row>{{0, 7, 0, 1}, {1, 8, 0, 1}, {2, 1, 0, 1}});
  // Request 2 has left its block to request 1.
  CHECK(engine.run() == std::vector<Row>{{0, 1, 7, 1}, {1, 1, 8, 1}});
  CHECK(engine.scheduler.load().used_blocks == 5);
  // Request 0 needs a third block: request 1 loses 9 tokens. No request is admitted in this step.
  CHECK(engine.run() == std::vector<Row>{{0, 1, 8, 1}});
  CHECK(engine.scheduler.counters().preemptions == 1);
  CHECK(engine.scheduler.counters().discarded == 9);
  CHECK(engine.scheduler.load().waiting == 1);
  // Its 10 known tokens need 3 blocks, and 2 are free until request 0 has ended.
  for (int i = 9; i <= 14; ++i) CHECK(engine.run() == std::vector<Row>{{0, 1, i, 1}});
  CHECK(engine.run() == std::vector<Row>{{1, 10, 0, 1}});
  CHECK(engine.run() == std::vector<Row>{{1, 1, 10, 1}});
  CHECK(engine.outputs.front().is_last);
  CHECK(engine.scheduler.load().used_blocks == 0);
}

TEST_CASE("Several victims wait in the order of their admission", "[serving]") {
  Limits limits = small_limits();
  limits.blocks = 7;
  limits.prefill_threshold = 4;
  limits.prefix_caching = false;
  const Request small{.input = 4, .output = 3};
  Engine engine({{.input = 16, .output = 2}, small, small, small, small}, limits);
  CHECK(engine.run().size() == 5);
  // Each of requests 1 and 2 takes the block of the last request.
  CHECK(engine.run() == std::vector<Row>{{0, 4, 4, 0}, {1, 1, 4, 1}, {2, 1, 4, 1}});
  CHECK(engine.scheduler.counters().preemptions == 2);
  std::vector<std::uint32_t> order;
  Step step;
  while (engine.scheduler.load().waiting > 0) {
    engine.schedule(step);
    for (std::size_t i = step.running; i < step.works.size(); ++i) order.push_back(step.works[i].request);
    engine.end(step);
  }
  const auto third = std::ranges::find(order, 3U);
  const auto fourth = std::ranges::find(order, 4U);
  REQUIRE(fourth != order.end());
  CHECK(third < fourth);
}

TEST_CASE("With two steps in flight a request whose last token is on its way is skipped", "[serving]") {
  Limits limits = small_limits();
  limits.max_sequences = 1;
  Engine engine({{.input = 4, .output = 2}, {.input = 3, .output = 1}}, limits);
  Step first;
  Step second;
  Step third;
  CHECK(engine.schedule(first) == std::vector<Row>{{0, 4, 0, 1}});
  // A decode before its first token is known.
  CHECK(engine.schedule(second) == std::vector<Row>{{0, 1, 4, 1}});
  engine.end(first);
  // Both tokens are known or on their way, and the place is not free before the last one arrives.
  CHECK(engine.schedule(third).empty());
  engine.end(second);
  CHECK(engine.outputs.front().is_last);
  CHECK(engine.schedule(third) == std::vector<Row>{{1, 3, 0, 1}});
}

TEST_CASE("A preempted request gets the token of the step in flight, and may end with it", "[serving]") {
  Limits limits = small_limits();
  limits.blocks = 4;
  Engine engine({{.input = 6, .output = 9}, {.input = 2, .output = 3}}, limits);
  Step a;
  Step b;
  Step c;
  Step d;
  engine.schedule(a);
  engine.schedule(b);
  engine.end(a);
  CHECK(engine.schedule(c) == std::vector<Row>{{0, 1, 7, 1}, {1, 1, 3, 1}});
  engine.end(b);
  // Request 0 needs the block of request 1, whose last token is in step c.
  CHECK(engine.schedule(d) == std::vector<Row>{{0, 1, 8, 1}});
  CHECK(engine.scheduler.counters().preemptions == 1);
  CHECK(engine.scheduler.load().waiting == 1);
  engine.end(c);
  CHECK(engine.outputs.back().request == 1);
  CHECK(engine.outputs.back().is_last);
  CHECK(engine.scheduler.load().waiting == 0);
}

TEST_CASE("The prefix cache gives blocks that another request has, from the step on that computes them", "[serving]") {
  Engine engine({{.input = 12, .output = 2}, {.input = 12, .output = 2, .shared_prefix = 12, .shared_with = 0}},
                small_limits());
  // Two of the three blocks: one token has to be computed.
  CHECK(engine.run() == std::vector<Row>{{0, 12, 0, 1}, {1, 4, 8, 1}});
  CHECK(engine.scheduler.counters().prefix_hits == 8);
  CHECK(engine.scheduler.load().used_blocks == 4);
}

TEST_CASE("A shared prefix is also found where the earlier request shares it with a third one", "[serving]") {
  Engine engine({{.input = 8, .output = 1},
                 {.input = 13, .output = 1, .shared_prefix = 8, .shared_with = 0},
                 {.input = 16, .output = 1, .shared_prefix = 12, .shared_with = 1}},
                small_limits());
  CHECK(engine.run() == std::vector<Row>{{0, 8, 0, 1}, {1, 5, 8, 1}, {2, 4, 12, 1}});
  CHECK(engine.scheduler.counters().prefix_hits == 20);
}

TEST_CASE("Released blocks are used again from the head of the queue, and keep their contents until then",
          "[serving]") {
  BlockPool pool;
  pool.reset(3, 2);
  const std::int32_t a = pool.take();
  const std::int32_t b = pool.take();
  pool.set_content(a, 0);
  pool.set_content(b, 1);
  pool.release(b);
  pool.release(a);
  CHECK(pool.free() == 3);
  CHECK(pool.find(1) == b);
  // The third block was never used; then b, released first.
  CHECK(pool.take() == 2);
  CHECK(pool.take() == b);
  CHECK(pool.find(1) == BlockPool::none);
  CHECK(pool.find(0) == a);
  pool.hold(a);
  CHECK(pool.free() == 0);
  // Equal contents in two blocks: either serves.
  pool.set_content(b, 0);
  CHECK(pool.find(0) == a);
  pool.release(a);
  CHECK(pool.take() == a);
  CHECK(pool.find(0) == b);
}

TEST_CASE("A preempted request finds its own blocks again, but for the end, which was used first", "[serving]") {
  Limits limits = small_limits();
  limits.blocks = 6;
  Engine engine({{.input = 7, .output = 9}, {.input = 12, .output = 4}}, limits);
  CHECK(engine.run() == std::vector<Row>{{0, 7, 0, 1}, {1, 12, 0, 1}});
  // Request 1 needs a fourth block and is the last one: it is preempted itself.
  CHECK(engine.run() == std::vector<Row>{{0, 1, 7, 1}});
  CHECK(engine.scheduler.counters().discarded == 12);
  // Request 0 takes the last two blocks of request 1's prompt, and admission waits for it to end.
  for (int i = 8; i <= 14; ++i) CHECK(engine.run() == std::vector<Row>{{0, 1, i, 1}});
  CHECK(engine.run() == std::vector<Row>{{1, 9, 4, 1}});
  CHECK(engine.scheduler.counters().restored == 4);
}

TEST_CASE("A request that arrives during a step is in the second step after it with two in flight", "[serving]") {
  const std::vector<Request> requests{{.input = 4, .output = 20}, {.arrival = 2.5, .input = 4, .output = 2}};
  const auto unit_step = [](const Step&) { return 1.0; };
  VllmScheduler scheduler;
  Outcome outcome;
  simulate(requests, small_limits(), {.steps_in_flight = 2}, scheduler, unit_step, outcome);
  // Taken in at 3, when the step from 3 to 4 is running already; part of the step from 4 to 5.
  CHECK(outcome.requests[1].queued == 3);
  CHECK(outcome.requests[1].scheduled == 3);
  CHECK(outcome.requests[1].first_token == 5);
  simulate(requests, small_limits(), {.steps_in_flight = 1}, scheduler, unit_step, outcome);
  CHECK(outcome.requests[1].queued == 3);
  CHECK(outcome.requests[1].first_token == 4);
}

TEST_CASE("Limited concurrency sends a request when another one ends", "[serving]") {
  const std::vector<Request> requests{{.input = 4, .output = 3}, {.input = 4, .output = 3}, {.input = 4, .output = 3}};
  VllmScheduler scheduler;
  Outcome outcome;
  simulate(
      requests, small_limits(), {.steps_in_flight = 1, .max_concurrency = 1}, scheduler,
      [](const Step&) { return 1.0; }, outcome);
  CHECK(outcome.requests[1].arrival == 3);
  CHECK(outcome.requests[2].arrival == 6);
  CHECK(outcome.requests[2].last_token == 9);
  REQUIRE(outcome.gaps.size() == 6);
  CHECK(outcome.gaps.front().seconds == 1);
}

TEST_CASE("Static batches run until their last request ends", "[serving]") {
  const std::vector<Request> requests{{.input = 4, .output = 1}, {.input = 5, .output = 3}, {.input = 6, .output = 1}};
  Limits limits = small_limits();
  limits.max_sequences = 2;
  StaticBatches scheduler;
  Outcome outcome;
  std::vector<std::vector<Row>> steps;
  simulate(
      requests, limits, {.steps_in_flight = 2}, scheduler,
      [&](const Step& step) {
        steps.push_back(rows_of(step));
        return 1.0;
      },
      outcome);
  CHECK(steps ==
        std::vector<std::vector<Row>>{
            {{0, 4, 0, 1}, {1, 5, 0, 1}}, {{0, 1, 4, 0}, {1, 1, 5, 1}}, {{0, 1, 4, 0}, {1, 1, 6, 1}}, {{2, 6, 0, 1}}});
  CHECK(outcome.requests[2].first_token == 4);
}

TEST_CASE("Pools of blocks have queues of their own", "[serving]") {
  BlockPool pool;
  pool.reset(2, 1, 2);
  CHECK(pool.size() == 4);
  const std::int32_t a = pool.take(1);
  CHECK(pool.pool_of(a) == 1);
  CHECK(pool.free(0) == 2);
  CHECK(pool.free(1) == 1);
  pool.set_content(a, 0);
  CHECK(pool.find(0) == a);
  CHECK(pool.find_in(0, 0) == BlockPool::none);
  const std::int32_t b = pool.take(0);
  pool.set_content(b, 0);
  CHECK(pool.find_in(0, 0) == b);
  CHECK(pool.find_in(1, 0) == a);
  pool.release(a);
  CHECK(pool.take(1) != a);
  CHECK(pool.take(1) == a);
  CHECK(pool.find_in(1, 0) == BlockPool::none);
}

TEST_CASE("Requests come to pools by the rule of placement, and stay there", "[serving]") {
  const std::vector<Request> requests{{.input = 8, .output = 3}, {.input = 3, .output = 3}, {.input = 3, .output = 3}};
  Limits limits = small_limits();
  limits.pools = 2;
  const auto pools_of = [&](Placement placement) {
    limits.placement = placement;
    Engine engine(requests, limits);
    Step step;
    std::vector<std::int32_t> pools;
    for (int i = 0; i < 2; ++i) {
      engine.schedule(step);
      for (const Work& work : step.works) pools.push_back(work.pool);
      engine.end(step);
    }
    return pools;
  };
  using Pools = std::vector<std::int32_t>;
  CHECK(pools_of(Placement::round_robin) == Pools{0, 1, 0, 0, 1, 0});
  CHECK(pools_of(Placement::min_tokens) == Pools{0, 1, 1, 0, 1, 1});
  // Two blocks in pool 0, one in pool 1.
  CHECK(pools_of(Placement::min_blocks) == Pools{0, 1, 1, 0, 1, 1});
}

TEST_CASE("A request is refused or preempted because its pool is full", "[serving]") {
  Limits limits = small_limits();
  limits.blocks = 7;  // 3 in each of two pools
  limits.pools = 2;
  limits.placement = Placement::round_robin;
  limits.prefix_caching = false;
  Engine engine({{.input = 7, .output = 5}, {.input = 2, .output = 9}, {.input = 4, .output = 2}}, limits);
  CHECK(engine.run() == std::vector<Row>{{0, 7, 0, 1}, {1, 2, 0, 1}, {2, 4, 0, 1}});
  // Request 0 needs the third block of pool 0 in the step after the next, request 2 in the next one.
  CHECK(engine.run() == std::vector<Row>{{0, 1, 7, 1}, {1, 1, 2, 1}});
  CHECK(engine.scheduler.counters().preemptions == 1);
  // It is the turn of pool 1, which has room.
  Step step;
  CHECK(engine.schedule(step) == std::vector<Row>{{0, 1, 8, 1}, {1, 1, 3, 1}, {2, 5, 0, 1}});
  CHECK(step.works.back().pool == 1);
}

TEST_CASE("The victim is the last request of the pool that lacks blocks", "[serving]") {
  Limits limits = small_limits();
  limits.blocks = 7;
  limits.pools = 2;
  limits.placement = Placement::round_robin;
  limits.prefix_caching = false;
  // Requests 0 and 2 fill pool 0; request 1 is admitted before request 2, and request 3 after it.
  Engine engine(
      {{.input = 8, .output = 5}, {.input = 2, .output = 9}, {.input = 3, .output = 9}, {.input = 2, .output = 9}},
      limits);
  CHECK(engine.run() == std::vector<Row>{{0, 8, 0, 1}, {1, 2, 0, 1}, {2, 3, 0, 1}, {3, 2, 0, 1}});
  CHECK(engine.run() == std::vector<Row>{{0, 1, 8, 1}, {1, 1, 2, 1}, {3, 1, 2, 1}});
  CHECK(engine.scheduler.counters().preemptions == 1);
}

TEST_CASE("Prefix hits are in the pool of the request, or copied there", "[serving]") {
  Limits limits = small_limits();
  limits.pools = 2;
  limits.placement = Placement::round_robin;
  const std::vector<Request> requests{{.input = 12, .output = 2},
                                      {.input = 12, .output = 2, .shared_prefix = 12, .shared_with = 0},
                                      {.input = 12, .output = 2, .shared_prefix = 12, .shared_with = 0}};
  Engine here(requests, limits);
  CHECK(here.run() == std::vector<Row>{{0, 12, 0, 1}, {1, 12, 0, 1}, {2, 4, 8, 1}});
  CHECK(here.scheduler.counters().copied == 0);
  limits.copies_hits = true;
  Engine copies(requests, limits);
  Step step;
  CHECK(copies.schedule(step) == std::vector<Row>{{0, 12, 0, 1}, {1, 4, 8, 1}, {2, 4, 8, 1}});
  CHECK(step.works[1].copied == 8);
  CHECK(copies.scheduler.counters().copied == 8);
  // Three blocks of request 0, three of request 1, one of request 2.
  CHECK(copies.scheduler.load().used_blocks == 7);
}

}  // namespace pimsweep::systems::serving::engine
