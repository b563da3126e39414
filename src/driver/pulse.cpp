#include "driver/pulse.h"

#include <chrono>
#include <exception>
#include <utility>

namespace pimsweep::driver {

Pulse::Pulse(results::JournalWriter& journal, const CurrentPoint& current, Beat beat)
    : journal_(journal), current_(current), beat_(std::move(beat)), thread_([this] { run(); }) {}

Pulse::~Pulse() {
  {
    const std::scoped_lock lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

std::string Pulse::error() const {
  const std::scoped_lock lock(mutex_);
  return error_;
}

void Pulse::run() {
  std::unique_lock lock(mutex_);
  while (!wake_.wait_for(lock, std::chrono::seconds(1), [this] { return stop_; })) {
    lock.unlock();
    std::string error;
    try {
      journal_.sync();
    } catch (const std::exception& failure) {
      error = failure.what();
    }
    if (beat_ && current_.inside()) beat_(current_.point(), current_.seconds());
    lock.lock();
    if (!error.empty()) error_ = error;
  }
}

}  // namespace pimsweep::driver
