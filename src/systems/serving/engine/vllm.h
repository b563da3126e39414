#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "systems/serving/engine/block_pool.h"
#include "systems/serving/engine/scheduler.h"

namespace pimsweep::systems::serving::engine {

/// The scheduler of vLLM V1 (vLLM 0.19, v1/core/sched/scheduler.py, v1/core/kv_cache_manager.py): continuous batching
/// with a budget of tokens, chunked prefill, blocks with a prefix cache, preemption by recomputation. There is no
/// prefill or decode phase: a request catches up with the tokens that it has. docs/serving.md states the rules. Where
/// blocks are in several pools, admission and preemption look at the pool of the request.
class VllmScheduler final : public Scheduler {
 public:
  void start(std::span<const Request> requests, const Limits& limits) override;
  void add(std::size_t request) override;
  void schedule(Step& step) override;
  void handle_output(const Step& step, std::vector<Output>& outputs) override;
  Load load() const override;
  const Counters& counters() const override { return counters_; }
  bool allows_two_in_flight() const override { return true; }

 private:
  enum class Phase : std::uint8_t { new_request, waiting, running, preempted, finished };
  struct State {
    std::int32_t input = 0;
    /// Tokens of prompt and output, and those known so far.
    std::int32_t total = 0;
    std::int32_t known = 0;
    /// Tokens whose keys and values are in blocks, as soon as steps in flight have ended.
    std::int32_t computed = 0;
    /// Tokens that steps in flight will generate.
    std::int32_t pending = 0;
    /// Blocks, tokens that fit into them, and the blocks that have contents.
    std::int32_t blocks = 0;
    std::int32_t room = 0;
    std::int32_t registered = 0;
    /// Tokens at which another block is full.
    std::int32_t next_full = 0;
    /// Pool of the blocks.
    std::int32_t pool = 0;
    Phase phase = Phase::new_request;
    /// Place of the first block in block_table_, and number of the contents of the first block.
    std::size_t first_block = 0;
    std::uint32_t first_content = 0;
    /// Leading blocks shared with other requests, in shared_contents_.
    std::size_t first_shared = 0;
    std::int32_t shared = 0;
  };

  void assign_contents(std::span<const Request> requests);
  std::uint32_t content(const State& s, std::int32_t block) const;
  std::int64_t schedule_running(Step& step);
  void admit(Step& step, std::int64_t budget);
  bool make_room(std::size_t place, std::int32_t tokens);
  void preempt(std::size_t place);
  std::int32_t choose_pool() const;
  std::int32_t cached_blocks(const State& s);
  std::int32_t use_hits(State& s);
  void take_blocks(State& s, std::int32_t tokens);
  void release_blocks(State& s);
  void register_blocks(State& s, std::int32_t tokens);
  Work& run(std::uint32_t request, std::int32_t tokens, Step& step);
  std::int32_t chunk(std::int32_t tokens, std::int64_t budget) const;

  Limits limits_;
  std::int32_t block_tokens_ = 16;
  std::vector<State> states_;
  std::vector<std::uint32_t> running_;
  std::deque<std::uint32_t> waiting_;
  BlockPool pool_;
  /// Tokens of the requests that run, by pool, and the pool whose turn it is.
  std::vector<std::int64_t> pool_tokens_;
  std::int32_t next_pool_ = 0;
  std::vector<std::int32_t> block_table_;
  std::vector<std::uint32_t> shared_contents_;
  std::vector<std::int32_t> hits_;
  Counters counters_;
  bool has_preempted_ = false;
};

}  // namespace pimsweep::systems::serving::engine
