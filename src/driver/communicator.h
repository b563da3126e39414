#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace pimsweep::driver {

/// What a message between ranks is about (docs/driver.md, "Protocol").
enum class Tag : int {
  start,   ///< manager to worker: the run begins, with its name; or it does not
  ready,   ///< worker to manager: plan read and journal open, or why not
  grant,   ///< manager to worker: points to evaluate
  report,  ///< worker to manager: what became of a grant
  beat,    ///< worker to manager: still on this point
  close,   ///< manager to worker: close the journal, then report
  finish   ///< manager to worker: leave with this exit status
};

struct Message {
  int source = 0;
  Tag tag{};
  std::string bytes;
};

/// All that pimsweep needs of MPI: who is there, and short messages. Nobody ever spins: waiting means looking, then
/// sleeping. May be used by several threads of a rank.
class Communicator {
 public:
  /// Opens MPI.
  Communicator();
  /// Closes MPI, together with all other ranks.
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// A message to a rank that has died gets lost without an error.
  void send(int to, Tag tag, std::string_view bytes);
  /// The next message, if one has arrived.
  std::optional<Message> poll();
  /// The next message.
  Message wait();
  /// Ends all ranks at once with this exit status.
  [[noreturn]] void abort(int status);

  static std::string host();
  static std::string library();

 private:
  std::mutex mutex_;
  int rank_ = 0;
  int size_ = 1;
};

/// Sleeps a little longer each time: up to a millisecond, and after a second of waiting up to ten.
class BackOff {
 public:
  void sleep();
  void reset() { *this = {}; }

 private:
  std::int64_t microseconds_ = 20;
  std::int64_t waited_ = 0;
};

}  // namespace pimsweep::driver
