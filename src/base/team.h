#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace pimsweep {

/// A group of threads that work on one task and synchronize every few microseconds.
class Team {
 public:
  explicit Team(unsigned members) : members_(members) {}

  unsigned members() const { return members_; }

  /// Calls work(member) for each member, member 0 in the calling thread, and returns when all have finished. Rethrows
  /// the first exception of any member.
  template <typename Work>
  void run(const Work& work) {
    const auto guarded = [&](unsigned member) {
      try {
        work(member);
      } catch (const Abandoned&) {
        // Another member failed.
      } catch (...) {
        abandon(std::current_exception());
      }
    };
    std::vector<std::thread> threads;
    try {
      for (unsigned member = 1; member < members_; ++member) threads.emplace_back(guarded, member);
    } catch (...) {
      abandon(std::current_exception());
    }
    guarded(0);
    for (std::thread& thread : threads) thread.join();
    if (error_) std::rethrow_exception(error_);
  }

  /// Barrier: returns once every member has called it; their earlier writes are visible afterward. Spins for a typical
  /// skew of members with a core each, then sleeps in case cores are scarce.
  void meet() {
    if (members_ == 1) return;
    const std::uint32_t round = round_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == members_) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      round_.notify_all();
    } else {
      for (unsigned spin = 0; spin < max_spins && round_.load(std::memory_order_acquire) == round; ++spin) relax();
      while (round_.load(std::memory_order_acquire) == round && !abandoned_.load()) round_.wait(round);
    }
    if (abandoned_.load(std::memory_order_relaxed)) throw Abandoned();
  }

 private:
  struct Abandoned {};

  /// About 50 us.
  static constexpr unsigned max_spins = 4000;

  static void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

  void abandon(std::exception_ptr error) {
    const std::lock_guard lock(error_mutex_);
    if (!error_) error_ = std::move(error);
    abandoned_.store(true);
    round_.fetch_add(1);
    round_.notify_all();
  }

  unsigned members_;
  alignas(64) std::atomic<std::uint32_t> arrived_ = 0;
  alignas(64) std::atomic<std::uint32_t> round_ = 0;
  std::atomic<bool> abandoned_ = false;
  std::mutex error_mutex_;
  std::exception_ptr error_;
};

}  // namespace pimsweep
