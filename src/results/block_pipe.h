#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "results/cells.h"

namespace pimsweep::results {

/// Blocks of rows from a thread that fills them to one that writes them, in the order in which they were filled. Holds
/// few at a time, so that memory is bounded whichever of the two is slower.
class BlockPipe {
 public:
  struct Filled {
    std::size_t group = 0;
    Block block;
  };
  /// Waits while the pipe is full. Throws Stopped when nobody takes blocks any more.
  using Put = std::function<void(Filled&&)>;

  /// Starts a thread that calls `fill`.
  explicit BlockPipe(const std::function<void(const Put&)>& fill);
  /// Stops the thread.
  ~BlockPipe();
  BlockPipe(const BlockPipe&) = delete;
  BlockPipe& operator=(const BlockPipe&) = delete;

  /// Waits for the next block, which must come. Throws what `fill` has thrown.
  Filled next();

 private:
  struct Stopped {};
  void put(Filled&& filled);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Filled> waiting_;
  bool is_stopped_ = false;
  std::exception_ptr failure_;
  std::jthread thread_;
};

}  // namespace pimsweep::results
