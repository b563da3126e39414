#include "results/block_pipe.h"

#include <utility>

namespace pimsweep::results {

BlockPipe::BlockPipe(const std::function<void(const Put&)>& fill)
    : thread_([this, fill] {
        try {
          fill([this](Filled&& filled) { put(std::move(filled)); });
        } catch (const Stopped&) {
          // The writer has failed, and says why.
        } catch (...) {
          const std::lock_guard lock(mutex_);
          failure_ = std::current_exception();
          changed_.notify_all();
        }
      }) {}

BlockPipe::~BlockPipe() {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
  changed_.notify_all();
}

void BlockPipe::put(Filled&& filled) {
  constexpr std::size_t max_waiting = 3;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return is_stopped_ || waiting_.size() < max_waiting; });
  if (is_stopped_) throw Stopped();
  waiting_.push_back(std::move(filled));
  changed_.notify_all();
}

BlockPipe::Filled BlockPipe::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return failure_ != nullptr || !waiting_.empty(); });
  if (waiting_.empty()) std::rethrow_exception(failure_);
  Filled filled = std::move(waiting_.front());
  waiting_.pop_front();
  changed_.notify_all();
  return filled;
}

}  // namespace pimsweep::results
