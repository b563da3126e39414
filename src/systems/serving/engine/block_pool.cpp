#include "systems/serving/engine/block_pool.h"

namespace pimsweep::systems::serving::engine {

void BlockPool::reset(std::size_t blocks, std::size_t contents, std::size_t pools) {
  const std::size_t all = blocks * pools;
  uses_.assign(all, 0);
  content_.assign(all, no_content);
  equal_.assign(all, {});
  first_.assign(contents, none);
  free_.assign(pools, blocks);
  pool_blocks_ = static_cast<std::int32_t>(blocks);
  queue_.resize(all + pools);
  for (std::int32_t pool = 0; pool < static_cast<std::int32_t>(pools); ++pool) {
    const auto end = static_cast<std::int32_t>(end_of(pool));
    std::int32_t before = end;
    for (std::int32_t block = pool * pool_blocks_; block < (pool + 1) * pool_blocks_; ++block) {
      queue_[at(before)].after = block;
      queue_[at(block)].before = before;
      before = block;
    }
    queue_[at(before)].after = end;
    queue_[at(end)].before = before;
  }
}

void BlockPool::unlink(std::int32_t block) {
  const Links links = queue_[at(block)];
  queue_[at(links.before)].after = links.after;
  queue_[at(links.after)].before = links.before;
  --free_[at(pool_of(block))];
}

std::int32_t BlockPool::take(std::int32_t pool) {
  const std::int32_t block = queue_[end_of(pool)].after;
  unlink(block);
  discard_content(block);
  uses_[at(block)] = 1;
  return block;
}

void BlockPool::hold(std::int32_t block) {
  if (uses_[at(block)]++ == 0) unlink(block);
}

void BlockPool::release(std::int32_t block) {
  if (--uses_[at(block)] > 0) return;
  const std::int32_t pool = pool_of(block);
  const std::size_t end = end_of(pool);
  const std::int32_t last = queue_[end].before;
  queue_[at(block)] = {.before = last, .after = static_cast<std::int32_t>(end)};
  queue_[at(last)].after = block;
  queue_[end].before = block;
  ++free_[at(pool)];
}

std::int32_t BlockPool::find_in(std::int32_t pool, std::uint32_t content) const {
  std::int32_t block = first_[content];
  while (block != none && pool_of(block) != pool) block = equal_[at(block)].after;
  return block;
}

void BlockPool::set_content(std::int32_t block, std::uint32_t content) {
  content_[at(block)] = content;
  std::int32_t last = first_[content];
  if (last == none) {
    first_[content] = block;
    equal_[at(block)] = {};
    return;
  }
  while (equal_[at(last)].after != none) last = equal_[at(last)].after;
  equal_[at(last)].after = block;
  equal_[at(block)] = {.before = last, .after = none};
}

void BlockPool::discard_content(std::int32_t block) {
  const std::uint32_t content = content_[at(block)];
  if (content == no_content) return;
  const Links links = equal_[at(block)];
  if (links.before == none) {
    first_[content] = links.after;
  } else {
    equal_[at(links.before)].after = links.after;
  }
  if (links.after != none) equal_[at(links.after)].before = links.before;
  content_[at(block)] = no_content;
}

}  // namespace pimsweep::systems::serving::engine
