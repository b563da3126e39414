#include "driver/heartbeat.h"

#include <chrono>
#include <exception>
#include <utility>

namespace pimsweep::driver {

Heartbeat::Heartbeat(results::JournalWriter& journal, const CurrentPoint& current, Send send)
    : journal_(journal), current_(current), send_(std::move(send)), thread_([this] { run(); }) {}

Heartbeat::~Heartbeat() {
  {
    const std::scoped_lock lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

std::string Heartbeat::error() const {
  const std::scoped_lock lock(mutex_);
  return error_;
}

void Heartbeat::run() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, std::chrono::seconds(1), [this] { return stop_; })) {
    lock.unlock();
    std::string error;
    try {
      journal_.sync();
    } catch (const std::exception& failure) {
      error = failure.what();
    }
    if (send_ && current_.inside()) send_(current_.point(), current_.seconds());
    lock.lock();
    if (!error.empty()) error_ = error;
  }
}

}  // namespace pimsweep::driver
