#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pimsweep::systems::serving::engine {

/// Blocks of a KV cache with reference counts, as in vLLM V1 (v1/core/block_pool.py). Free blocks form a queue: new
/// blocks are taken from its head, released ones join its tail. A block keeps its contents in the queue, so that a
/// request with equal contents can use it again, until it reaches the head and is taken for other contents.
///
/// The blocks may be those of several pools of equal size, as memory channels are: each pool has a queue of its own.
///
/// Contents are numbers: blocks with equal numbers hold keys and values of equal tokens after an equal prefix.
class BlockPool {
 public:
  static constexpr std::int32_t none = -1;

  /// All blocks are free and without contents; each of the pools has `blocks` of them.
  void reset(std::size_t blocks, std::size_t contents, std::size_t pools = 1);

  /// Blocks of all pools.
  std::size_t size() const { return uses_.size(); }
  /// Free blocks of a pool.
  std::size_t free(std::int32_t pool = 0) const { return free_[at(pool)]; }
  std::size_t pools() const { return free_.size(); }
  std::int32_t pool_of(std::int32_t block) const { return free_.size() == 1 ? 0 : block / pool_blocks_; }
  bool is_free(std::int32_t block) const { return uses_[at(block)] == 0; }

  /// Takes the block at the head of a pool's queue, which must not be empty, and discards its contents.
  std::int32_t take(std::int32_t pool = 0);
  /// Uses a block once more, which leaves the queue if it was free.
  void hold(std::int32_t block);
  /// Ends a use.
  void release(std::int32_t block);

  /// States what a block holds; it must not have contents yet.
  void set_content(std::int32_t block, std::uint32_t content);
  /// The block that first got these contents of those that still hold them, or `none`.
  std::int32_t find(std::uint32_t content) const { return first_[content]; }
  /// The same, of a pool.
  std::int32_t find_in(std::int32_t pool, std::uint32_t content) const;

 private:
  static constexpr std::uint32_t no_content = 0xffffffff;
  struct Links {
    std::int32_t before = none;
    std::int32_t after = none;
  };
  static std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }
  /// Place in queue_ of the end of a pool's queue.
  std::size_t end_of(std::int32_t pool) const { return size() + at(pool); }
  void unlink(std::int32_t block);
  void discard_content(std::int32_t block);

  std::vector<std::int32_t> uses_;
  /// The queues; their heads and tails are at the end of the vector.
  std::vector<Links> queue_;
  std::vector<std::size_t> free_{0};
  std::int32_t pool_blocks_ = 0;
  std::vector<std::uint32_t> content_;
  /// Blocks of equal contents, oldest first.
  std::vector<Links> equal_;
  std::vector<std::int32_t> first_;
};

}  // namespace pimsweep::systems::serving::engine
