#include "systems/serving/engine/block_pool.h"

namespace pimsweep::systems::serving::engine {

void BlockPool::reset(std::size_t blocks, std::size_t contents) {
  const auto end = static_cast<std::int32_t>(blocks);
  uses_.assign(blocks, 0);
  content_.assign(blocks, no_content);
  equal_.assign(blocks, {});
  first_.assign(contents, none);
  queue_.resize(blocks + 1);
  for (std::int32_t i = 0; i <= end; ++i) {
    queue_[at(i)] = {.before = i == 0 ? end : i - 1, .after = i == end ? 0 : i + 1};
  }
  free_ = blocks;
}

void BlockPool::unlink(std::int32_t block) {
  const Links links = queue_[at(block)];
  queue_[at(links.before)].after = links.after;
  queue_[at(links.after)].before = links.before;
  --free_;
}

std::int32_t BlockPool::take() {
  const std::int32_t block = queue_[size()].after;
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
  const auto end = static_cast<std::int32_t>(size());
  const std::int32_t last = queue_[size()].before;
  queue_[at(block)] = {.before = last, .after = end};
  queue_[at(last)].after = block;
  queue_[size()].before = block;
  ++free_;
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
