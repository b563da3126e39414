#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace pimsweep::driver {

/// Message types (docs/driver.md, "Protocol").
enum class Tag : int {
  alive,      ///< manager to worker: still there, and in which process
  start,      ///< manager to worker: begin the run of this name; empty if there is none
  ready,      ///< worker to manager: plan read and journal open, or the error
  grant,      ///< manager to worker: points to evaluate
  report,     ///< worker to manager: outcome of a grant
  heartbeat,  ///< worker to manager: still evaluating this point
  close,      ///< manager to worker: close the journal, then report
  finish,     ///< manager to worker: exit with this status
  encode,     ///< manager to worker: encode these blocks of the results file
  encoded     ///< worker to manager: where they are, or the error
};

struct Message {
  int source = 0;
  Tag tag{};
  std::string bytes;
};

/// The part of MPI that pimsweep needs: ranks and short messages. Waiting polls and sleeps instead of spinning. Safe to
/// use from several threads of a rank.
class Communicator {
 public:
  /// Initializes MPI, which waits for all other ranks. If one of them was lost at the very start, and so for
  /// `patience`, exits with exit_resumable.
  explicit Communicator(std::chrono::duration<double> patience);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// Sends a message. One to a rank that has died is lost without an error.
  void send(int to, Tag tag, std::string_view bytes);
  /// Sends a message, unless the one that was offered to this rank before has not been received yet.
  void offer(int to, Tag tag, const std::string& bytes);
  /// Returns the next message if one has arrived.
  std::optional<Message> poll();
  /// Finalizes MPI, which waits for all other ranks. If one of them was lost at the very end, and so for `patience`,
  /// exits with `status`.
  void finalize(std::chrono::duration<double> patience, int status);
  /// Terminates all ranks immediately with this exit status.
  [[noreturn]] void abort(int status);

  static std::string host();
  static std::string library();

 private:
  struct Offers;

  std::mutex mutex_;
  std::unique_ptr<Offers> offers_;
  int rank_ = 0;
  int size_ = 1;
};

/// Sleeps for exponentially growing intervals: up to 1 ms, and up to 10 ms after a second of waiting.
class BackOff {
 public:
  void sleep();
  void reset() { *this = {}; }

 private:
  std::int64_t microseconds_ = 20;
  std::int64_t waited_ = 0;
};

}  // namespace pimsweep::driver
