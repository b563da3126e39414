#pragma once

#include <chrono>
#include <cstdint>
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
  finish      ///< manager to worker: exit with this status
};

struct Message {
  int source = 0;
  Tag tag{};
  std::string bytes;
};

/// The ranks of a run and the messages between them: those of an MPI launch (MpiCommunicator) or processes of this host
/// (LocalCommunicator). Waiting polls and sleeps instead of spinning. Safe to use from several threads of a rank.
class Communicator {
 public:
  virtual ~Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// Sends a message. One to a rank that has died is lost without an error.
  virtual void send(int to, Tag tag, std::string_view bytes) = 0;
  /// Sends a message, unless the one that was offered to this rank before has not been received yet.
  virtual void offer(int to, Tag tag, const std::string& bytes) = 0;
  /// Returns the next message if one has arrived.
  virtual std::optional<Message> poll() = 0;
  /// Waits for all other ranks to end their part. If one of them was lost at the very end, and so for `patience`, MPI
  /// exits with `status`, and local ranks are killed.
  virtual void finalize(std::chrono::duration<double> patience, int status) = 0;
  /// Terminates all ranks immediately with this exit status.
  [[noreturn]] virtual void abort(int status) = 0;

  /// The process of another rank, where rank 0 has started it itself; else 0.
  virtual std::int64_t process_of(int /*rank*/) const { return 0; }

  /// The MPI library and its version, or that there is none.
  virtual std::string library() const = 0;
  static std::string host();

 protected:
  Communicator() = default;
  Communicator(int rank, int size) : rank_(rank), size_(size) {}

  int rank_ = 0;
  int size_ = 1;
};

/// Sleeps for an eighth of the time waited so far, so that what one waits for is late by that at most: at least 20 us,
/// up to 1 ms, and up to 10 ms after a second of waiting.
class BackOff {
 public:
  void sleep();
  void reset() { *this = {}; }

 private:
  std::int64_t waited_microseconds_ = 0;
};

}  // namespace pimsweep::driver
