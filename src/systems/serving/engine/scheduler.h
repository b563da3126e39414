#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "systems/serving/engine/request.h"

namespace pimsweep::systems::serving::engine {

/// Part of a step that belongs to a request: `tokens` new tokens after `context` tokens that have keys and values.
struct Work {
  std::uint32_t request = 0;
  std::int32_t tokens = 0;
  std::int32_t context = 0;
  /// True if the request gets a token at the end of the step.
  bool yields = false;
  /// Pool that has the blocks of the request, and tokens of its context that were just copied there from other pools.
  std::int32_t pool = 0;
  std::int32_t copied = 0;

  /// True for a chunk of a prompt, or of a preempted sequence that is computed again.
  bool is_prompt() const { return tokens > 1; }
};

/// A step of the engine.
struct Step {
  std::vector<Work> works;
  /// Number of leading works of requests that were running before; the rest has just been admitted.
  std::size_t running = 0;
};

/// A token that a request has got.
struct Output {
  std::uint32_t request = 0;
  bool is_last = false;
};

/// State of an engine between two steps.
struct Load {
  std::int64_t running = 0;
  std::int64_t waiting = 0;
  /// Blocks of the KV cache that requests use.
  std::int64_t used_blocks = 0;
  /// Since the start.
  std::int64_t preemptions = 0;
};

/// Events of a run, counted in requests or tokens.
struct Counters {
  std::int64_t preemptions = 0;
  /// Tokens with keys and values that preemptions discarded, and those of them that the prefix cache gave back.
  std::int64_t discarded = 0;
  std::int64_t restored = 0;
  /// Tokens of prompts that the prefix cache had at the first admission.
  std::int64_t prefix_hits = 0;
  /// Tokens of hits that were copied from one pool to another.
  std::int64_t copied = 0;
};

/// Rule by which a request that is admitted comes to one of several pools of blocks, where it stays: in a cycle, to
/// the one with the fewest tokens of requests that run, or with the most free blocks. Of equal ones to the first.
enum class Placement : std::uint8_t { round_robin, min_tokens, min_blocks };

/// Limits of an engine.
struct Limits {
  std::int64_t max_sequences = 256;
  /// Tokens of a step.
  std::int64_t max_tokens = 2048;
  /// Maximum tokens of a chunk of a prompt; 0: only bounded by those of the step.
  std::int64_t prefill_threshold = 0;
  /// Tokens of a block of the KV cache, and blocks, of which one is never used.
  std::int64_t block_tokens = 16;
  std::int64_t blocks = 2;
  bool prefix_caching = true;
  /// Pools that have equal shares of the blocks, each of which holds whole requests.
  std::int64_t pools = 1;
  Placement placement = Placement::min_tokens;
  /// Also blocks of other pools are hits of the prefix cache: they are copied.
  bool copies_hits = false;

  /// Blocks that a request can have.
  std::int64_t pool_blocks() const { return (blocks - 1) / pools; }
};

/// Rules of an engine: the requests that each step processes, and their blocks. It knows no times; the simulation calls
///
///     scheduler.start(requests, limits);
///     scheduler.add(0);                       // a request has arrived
///     scheduler.schedule(step);               // empty: nothing to do before the next output or arrival
///     scheduler.handle_output(step, outputs); // the step has ended
///
/// A second step may be scheduled before the output of the first one arrives, if `allows_two_in_flight()`; outputs
/// arrive in the order of the steps.
class Scheduler {
 public:
  virtual ~Scheduler() = default;
  /// Forgets everything. The requests must outlive the run; each one alone must fit into the blocks.
  virtual void start(std::span<const Request> requests, const Limits& limits) = 0;
  virtual void add(std::size_t request) = 0;
  virtual void schedule(Step& step) = 0;
  /// Clears and fills `outputs`.
  virtual void handle_output(const Step& step, std::vector<Output>& outputs) = 0;
  virtual Load load() const = 0;
  virtual const Counters& counters() const = 0;
  virtual bool allows_two_in_flight() const = 0;
};

/// Blocks for a number of tokens.
constexpr std::int64_t blocks_of(std::int64_t tokens, std::int64_t block_tokens) {
  return (tokens + block_tokens - 1) / block_tokens;
}

}  // namespace pimsweep::systems::serving::engine
