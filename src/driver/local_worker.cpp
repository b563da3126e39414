#include "driver/local_worker.h"

#include <utility>

namespace pimsweep::driver {

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
    orders_.push_back(std::move(order));
  }
  changed_.notify_all();
}

std::optional<Report> LocalWorker::report(std::chrono::microseconds patience) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, patience, [this] { return !reports_.empty(); })) return std::nullopt;
  Report report = std::move(reports_.front());
  reports_.pop_front();
  return report;
}

void LocalWorker::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stop_ || !orders_.empty(); });
    if (stop_) return;
    const Order order = std::move(orders_.front());
    orders_.pop_front();
    lock.unlock();
    Report report = runner_.run(order);
    lock.lock();
    reports_.push_back(std::move(report));
    changed_.notify_all();
  }
}

}  // namespace pimsweep::driver
