#include "driver/heartbeat.h"

#include <chrono>
#include <exception>
#include <utility>

namespace pimsweep::driver {

Heartbeat::Heartbeat(journal::Writer& journal, const CurrentPoint& current, Beat beat)
    : journal_(journal), thread_(std::chrono::seconds(1), [this, &current, beat = std::move(beat)] {
        sync();
        if (beat) beat(current);
      }) {}

std::string Heartbeat::error() const {
  const std::scoped_lock lock(mutex_);
  return error_;
}

void Heartbeat::sync() {
  try {
    journal_.sync();
  } catch (const std::exception& failure) {
    const std::scoped_lock lock(mutex_);
    error_ = failure.what();
  }
}

}  // namespace pimsweep::driver
