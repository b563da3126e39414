#include "driver/local_worker.h"

#include <utility>

namespace pimsweep {

LocalWorker::LocalWorker(GrantRunner& runner) : runner_(runner), thread_([this] { run(); }) {}

LocalWorker::~LocalWorker() {
  {
    const std::scoped_lock lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void LocalWorker::grant(Order order) {
  {
    const std::scoped_lock lock(mutex_);
    order_ = std::move(order);
  }
  changed_.notify_all();
}

std::optional<Report> LocalWorker::report(std::chrono::microseconds patience) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience, [this] { return report_.has_value(); });
  return std::exchange(report_, std::nullopt);
}

void LocalWorker::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stop_ || order_; });
    if (stop_) return;
    const Order order = *std::exchange(order_, std::nullopt);
    lock.unlock();
    Report report = runner_.run(order);
    lock.lock();
    report_ = std::move(report);
    changed_.notify_all();
  }
}

}  // namespace pimsweep
