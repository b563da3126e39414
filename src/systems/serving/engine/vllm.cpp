#include "systems/serving/engine/vllm.h"

#include <algorithm>

namespace pimsweep::systems::serving::engine {

void VllmScheduler::start(std::span<const Request> requests, const Limits& limits) {
  limits_ = limits;
  block_tokens_ = static_cast<std::int32_t>(limits.block_tokens);
  running_.clear();
  waiting_.clear();
  counters_ = {};
  states_.assign(requests.size(), {});
  assign_contents(requests);
  // One of the blocks, the null block, is never given out.
  const std::size_t contents = limits.prefix_caching ? block_table_.size() : 0;
  pool_.reset(static_cast<std::size_t>(limits.pool_blocks()), contents, static_cast<std::size_t>(limits.pools));
  pool_tokens_.assign(pool_.pools(), 0);
  next_pool_ = 0;
}

/// Numbers the contents of all full blocks: those of a shared prefix are those of the other request.
void VllmScheduler::assign_contents(std::span<const Request> requests) {
  std::size_t blocks = 0;
  shared_contents_.clear();
  for (std::size_t i = 0; i < requests.size(); ++i) {
    const Request& request = requests[i];
    State& s = states_[i];
    s.input = static_cast<std::int32_t>(request.input);
    s.total = static_cast<std::int32_t>(request.tokens());
    s.known = s.input;
    s.next_full = block_tokens_;
    s.first_block = blocks;
    s.first_content = static_cast<std::uint32_t>(blocks);
    s.first_shared = shared_contents_.size();
    s.shared = static_cast<std::int32_t>(request.shared_prefix / limits_.block_tokens);
    const State& other = states_[request.shared_with];
    for (std::int32_t j = 0; j < s.shared; ++j) shared_contents_.push_back(content(other, j));
    blocks += static_cast<std::size_t>(blocks_of(request.tokens(), limits_.block_tokens));
  }
  block_table_.resize(blocks);
}

std::uint32_t VllmScheduler::content(const State& s, std::int32_t block) const {
  const auto j = static_cast<std::size_t>(block);
  return block < s.shared ? shared_contents_[s.first_shared + j] : s.first_content + static_cast<std::uint32_t>(block);
}

void VllmScheduler::add(std::size_t request) {
  states_[request].phase = Phase::waiting;
  waiting_.push_back(static_cast<std::uint32_t>(request));
}

void VllmScheduler::schedule(Step& step) {
  step.works.clear();
  has_preempted_ = false;
  const std::int64_t budget = schedule_running(step);
  step.running = step.works.size();
  if (!has_preempted_) admit(step, budget);
}

std::int32_t VllmScheduler::chunk(std::int32_t tokens, std::int64_t budget) const {
  std::int64_t n = std::min<std::int64_t>(tokens, budget);
  if (limits_.prefill_threshold > 0) n = std::min(n, limits_.prefill_threshold);
  return static_cast<std::int32_t>(n);
}

/// Requests that run, in the order of their admission. Returns the tokens that are left of the budget.
std::int64_t VllmScheduler::schedule_running(Step& step) {
  std::int64_t budget = limits_.max_tokens;
  for (std::size_t i = 0; i < running_.size() && budget > 0;) {
    State& s = states_[running_[i]];
    // The last token is on its way.
    const bool is_ending = s.pending > 0 && s.computed + 2 - s.pending >= s.total;
    if (!is_ending) {
      const std::int32_t tokens = chunk(s.known + s.pending - s.computed, budget);
      // A request that preempts itself leaves its place to the next one.
      if (s.computed + tokens > s.room && !make_room(i, s.computed + tokens)) continue;
      run(running_[i], tokens, step);
      budget -= tokens;
    }
    ++i;
  }
  return budget;
}

/// Takes blocks for all tokens of the running request at `place`. While blocks lack, the last request of its pool is
/// preempted; false if that is the request itself.
bool VllmScheduler::make_room(std::size_t place, std::int32_t tokens) {
  State& s = states_[running_[place]];
  const std::int64_t lacking = blocks_of(tokens, block_tokens_) - s.blocks;
  while (static_cast<std::int64_t>(pool_.free(s.pool)) < lacking) {
    std::size_t last = running_.size() - 1;
    while (states_[running_[last]].pool != s.pool) --last;
    preempt(last);
    if (last == place) return false;
  }
  take_blocks(s, tokens);
  return true;
}

void VllmScheduler::preempt(std::size_t place) {
  const std::uint32_t victim = running_[place];
  State& s = states_[victim];
  ++counters_.preemptions;
  counters_.discarded += s.computed;
  release_blocks(s);
  pool_tokens_[static_cast<std::size_t>(s.pool)] -= s.known;
  s.computed = 0;
  s.phase = Phase::preempted;
  running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(place));
  waiting_.push_front(victim);
  has_preempted_ = true;
}

/// The pool of a request that is about to be admitted, by the rule of placement.
std::int32_t VllmScheduler::choose_pool() const {
  if (limits_.placement == Placement::round_robin) return next_pool_;
  const auto pools = static_cast<std::int32_t>(pool_.pools());
  std::int32_t best = 0;
  for (std::int32_t pool = 1; pool < pools; ++pool) {
    const bool is_better =
        limits_.placement == Placement::min_blocks
            ? pool_.free(pool) > pool_.free(best)
            : pool_tokens_[static_cast<std::size_t>(pool)] < pool_tokens_[static_cast<std::size_t>(best)];
    if (is_better) best = pool;
  }
  return best;
}

/// Waiting requests, first come first served, until one does not fit into its pool.
void VllmScheduler::admit(Step& step, std::int64_t budget) {
  while (!waiting_.empty() && budget > 0 && static_cast<std::int64_t>(running_.size()) < limits_.max_sequences) {
    const std::uint32_t request = waiting_.front();
    State& s = states_[request];
    s.pool = choose_pool();
    const std::int32_t hits = cached_blocks(s);
    const auto in_use = std::ranges::count_if(
        hits_, [&](std::int32_t block) { return pool_.pool_of(block) == s.pool && !pool_.is_free(block); });
    // The whole present sequence must fit, even if its first chunk takes less.
    if (blocks_of(s.known, block_tokens_) - in_use > static_cast<std::int64_t>(pool_.free(s.pool))) return;
    const std::int32_t cached = hits * block_tokens_;
    (s.phase == Phase::preempted ? counters_.restored : counters_.prefix_hits) += cached;
    const std::int32_t copied = use_hits(s);
    counters_.copied += copied;
    s.computed = cached;
    s.room = cached;
    s.registered = hits;
    s.next_full = cached + block_tokens_;
    const std::int32_t tokens = chunk(s.known - cached, budget);
    take_blocks(s, cached + tokens);
    s.phase = Phase::running;
    pool_tokens_[static_cast<std::size_t>(s.pool)] += s.known;
    next_pool_ = (next_pool_ + 1) % static_cast<std::int32_t>(pool_.pools());
    waiting_.pop_front();
    running_.push_back(request);
    run(request, tokens, step).copied = copied;
    budget -= tokens;
  }
}

/// Uses the blocks in hits_ for a request, those of other pools as copies. Returns the tokens that are copied.
std::int32_t VllmScheduler::use_hits(State& s) {
  const auto is_near = [&](std::int32_t block) { return pool_.pool_of(block) == s.pool; };
  // First, since copies take blocks from the head of the queue.
  for (const std::int32_t block : hits_) {
    if (is_near(block)) pool_.hold(block);
  }
  std::int32_t copied = 0;
  for (std::int32_t block : hits_) {
    if (!is_near(block)) {
      block = pool_.take(s.pool);
      pool_.set_content(block, content(s, s.blocks));
      copied += block_tokens_;
    }
    block_table_[s.first_block + static_cast<std::size_t>(s.blocks++)] = block;
  }
  return copied;
}

/// Leading blocks of a request that the prefix cache has, in hits_, so that at least one token is left to compute.
std::int32_t VllmScheduler::cached_blocks(const State& s) {
  hits_.clear();
  if (!limits_.prefix_caching) return 0;
  const std::int32_t max_hits = (s.known - 1) / block_tokens_;
  for (std::int32_t j = 0; j < max_hits; ++j) {
    std::int32_t block = pool_.find_in(s.pool, content(s, j));
    if (block == BlockPool::none && limits_.copies_hits) block = pool_.find(content(s, j));
    if (block == BlockPool::none) break;
    hits_.push_back(block);
  }
  return static_cast<std::int32_t>(hits_.size());
}

void VllmScheduler::take_blocks(State& s, std::int32_t tokens) {
  for (; s.room < tokens; s.room += block_tokens_) {
    block_table_[s.first_block + static_cast<std::size_t>(s.blocks++)] = pool_.take(s.pool);
  }
}

/// In reverse order, so that the end of a sequence is reused before its beginning.
void VllmScheduler::release_blocks(State& s) {
  while (s.blocks > 0) pool_.release(block_table_[s.first_block + static_cast<std::size_t>(--s.blocks)]);
  s.room = 0;
}

/// Full blocks of the first `tokens` tokens get their contents.
void VllmScheduler::register_blocks(State& s, std::int32_t tokens) {
  if (!limits_.prefix_caching) return;
  for (; s.next_full <= tokens; s.next_full += block_tokens_) {
    const std::int32_t j = s.registered++;
    pool_.set_content(block_table_[s.first_block + static_cast<std::size_t>(j)], content(s, j));
  }
}

Work& VllmScheduler::run(std::uint32_t request, std::int32_t tokens, Step& step) {
  State& s = states_[request];
  const bool yields = s.computed + tokens == s.known + s.pending;
  step.works.push_back({.request = request, .tokens = tokens, .context = s.computed, .yields = yields, .pool = s.pool});
  s.computed += tokens;
  if (yields) ++s.pending;
  register_blocks(s, std::min(s.computed, s.known));
  return step.works.back();
}

void VllmScheduler::handle_output(const Step& step, std::vector<Output>& outputs) {
  outputs.clear();
  bool has_ended = false;
  for (const Work& work : step.works) {
    if (!work.yields) continue;
    State& s = states_[work.request];
    ++s.known;
    --s.pending;
    const bool is_last = s.known == s.total;
    outputs.push_back({.request = work.request, .is_last = is_last});
    if (s.phase == Phase::running) {
      register_blocks(s, s.computed - s.pending);
      pool_tokens_[static_cast<std::size_t>(s.pool)] += is_last ? 1 - s.known : 1;
    }
    if (!is_last) continue;
    // A request that was preempted while its last token was on its way ends in the queue.
    if (s.phase == Phase::preempted) std::erase(waiting_, work.request);
    release_blocks(s);
    s.phase = Phase::finished;
    has_ended = true;
  }
  if (has_ended) std::erase_if(running_, [&](std::uint32_t i) { return states_[i].phase == Phase::finished; });
}

Load VllmScheduler::load() const {
  std::size_t free_blocks = 0;
  for (std::int32_t pool = 0; pool < static_cast<std::int32_t>(pool_.pools()); ++pool) free_blocks += pool_.free(pool);
  return {.running = static_cast<std::int64_t>(running_.size()),
          .waiting = static_cast<std::int64_t>(waiting_.size()),
          .used_blocks = static_cast<std::int64_t>(pool_.size() - free_blocks),
          .preemptions = counters_.preemptions};
}

}  // namespace pimsweep::systems::serving::engine
