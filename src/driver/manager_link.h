#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "driver/communicator.h"
#include "driver/periodic_thread.h"

namespace pimsweep::driver {

/// Where a rank is: the manager's sign of life, and the first message of a worker.
struct Place {
  std::string host;
  std::int64_t pid = 0;
};

std::string to_bytes(const Place& place);
Place place_from(std::string_view bytes);
/// The place of this process.
Place own_place();

/// Thrown where a worker waits for a manager that is gone.
struct ManagerLost : std::runtime_error {
  ManagerLost() : std::runtime_error("the manager, rank 0, is gone") {}
};

/// Number of workers that receive a sign of life from the manager each second: so many that each hears it several times
/// before it would take the manager to be lost, but no more than 4096 where that is enough.
int workers_of_a_pulse(int ranks, std::chrono::duration<double> silence);

/// The manager's sign of life: a thread that tells workers once a second that the manager is there, also while it reads
/// files or writes the results. In a large launch it is the turn of some each second. A worker that takes no messages
/// is not sent a second one.
class ManagerPulse {
 public:
  explicit ManagerPulse(Communicator& communicator);

  /// The silence after which workers take the manager to be lost.
  void set_silence(std::chrono::duration<double> silence);

  /// To be called before the last message: a worker that has that takes no more.
  void stop() { thread_.reset(); }

 private:
  void send_to(int workers);

  Communicator& communicator_;
  std::string bytes_;
  /// The worker whose turn it is.
  int next_ = 1;
  std::atomic<int> at_once_;
  std::optional<PeriodicThread> thread_;
};

/// A worker's end of the connection to the manager: takes its messages and notices its loss. The manager is lost if its
/// process is gone, where it is on this host; elsewhere, if it is silent for too long while this worker listens. Safe
/// to use from several threads.
class ManagerLink {
 public:
  using Clock = std::chrono::steady_clock;

  explicit ManagerLink(Communicator& communicator) : communicator_(communicator) {}

  /// Sets the silence after which a manager on another host counts as lost.
  void set_silence(std::chrono::duration<double> silence);
  /// Waits for the next message. Throws ManagerLost.
  Message wait();
  /// Takes the messages that have arrived. Must be called at least every second or two.
  void listen();
  /// Time since the manager was found to be lost; nothing if it is not.
  std::optional<std::chrono::duration<double>> lost_for() const;

 private:
  std::optional<Message> take();

  Communicator& communicator_;
  mutable std::mutex mutex_;
  std::deque<Message> inbox_;
  /// At first that of the signs of life alone, which begin when MPI has started.
  std::chrono::duration<double> silence_limit_{10};
  /// The manager's process if it is on this host.
  std::optional<std::int64_t> process_;
  Clock::time_point last_listened_ = Clock::now();
  Clock::time_point last_check_{};
  /// Time spent listening since the last message.
  Clock::duration silence_{};
  std::optional<Clock::time_point> lost_at_;
};

}  // namespace pimsweep::driver
