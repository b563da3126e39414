#include "driver/periodic_thread.h"

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <utility>

namespace pimsweep::driver {

PeriodicThread::PeriodicThread(std::chrono::duration<double> period, std::function<void()> work)
    : thread_([period, work = std::move(work)](const std::stop_token& stop) {
        std::mutex mutex;
        std::condition_variable_any wake;
        std::unique_lock lock(mutex);
        while (!wake.wait_for(lock, stop, period, [&] { return stop.stop_requested(); })) work();
      }) {}

}  // namespace pimsweep::driver
