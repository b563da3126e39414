#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pimsweep {

/// What a message between ranks is about (docs/driver.md, "Protocol").
enum class Tag : int {
  start,   ///< manager to worker: the run begins, with its name; or it does not
  ready,   ///< worker to manager: plan read and journal open, or why not
  grant,   ///< manager to worker: ranges of points to evaluate
  report,  ///< worker to manager: what became of a grant
  close,   ///< manager to worker: close the journal, then report
  finish   ///< manager to worker: leave with this exit status
};

struct Message {
  int source = 0;
  Tag tag{};
  std::string bytes;
};

/// All that pimsweep needs of MPI: who is there, and short messages. Nobody ever spins: waiting means looking, then
/// sleeping for a time that grows to a millisecond.
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
  int rank_ = 0;
  int size_ = 1;
};

/// Sleeps a little longer each time, up to a millisecond.
class BackOff {
 public:
  void sleep();
  void reset() { microseconds_ = first; }

 private:
  static constexpr std::int64_t first = 20;
  std::int64_t microseconds_ = first;
};

}  // namespace pimsweep
