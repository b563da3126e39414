#pragma once

#include <chrono>
#include <functional>
#include <thread>

namespace pimsweep::driver {

/// A thread that calls a function once in each period, first after one period, until it is destroyed.
class PeriodicThread {
 public:
  PeriodicThread(std::chrono::duration<double> period, std::function<void()> work);

 private:
  std::jthread thread_;
};

}  // namespace pimsweep::driver
