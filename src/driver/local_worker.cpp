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

void LocalWorker::grant(Lease lease) {
  {
    const std::scoped_lock lock(mutex_);
    leases_.push_back(std::move(lease));
  }
  changed_.notify_all();
}

std::optional<Report> LocalWorker::report(std::chrono::microseconds timeout) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, timeout, [this] { return !reports_.empty(); })) return std::nullopt;
  Report report = std::move(reports_.front());
  reports_.pop_front();
  return report;
}

void LocalWorker::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stop_ || !leases_.empty(); });
    if (stop_) return;
    const Lease lease = std::move(leases_.front());
    leases_.pop_front();
    lock.unlock();
    Report report = runner_.run(lease);
    lock.lock();
    reports_.push_back(std::move(report));
    changed_.notify_all();
  }
}

}  // namespace pimsweep::driver
