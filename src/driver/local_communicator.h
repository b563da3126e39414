#pragma once

#include <sys/types.h>

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "driver/channel.h"
#include "driver/communicator.h"

namespace pimsweep::driver {

/// The ranks of a run without an MPI launcher: this process, which is rank 0, and processes forked from it, which begin
/// with all that it has in memory. Each is connected with rank 0 alone. They end when rank 0 ends, however that
/// happens; rank 0 survives the loss of any of them. A signal to rank 0 that stops a run is passed on to the others.
class LocalCommunicator : public Communicator {
 public:
  /// Forks the other ranks, and returns in each of them too: its rank() says in which. A forked rank must end with
  /// exit_without_finalize(), for what it has inherited is not its own. No other thread may run. Throws InputError if
  /// so many processes cannot be started.
  explicit LocalCommunicator(int ranks);
  /// Kills the ranks that are still there.
  ~LocalCommunicator() override;

  void send(int to, Tag tag, std::string_view bytes) override;
  void offer(int to, Tag tag, const std::string& bytes) override;
  std::optional<Message> poll() override;
  void finalize(std::chrono::duration<double> patience, int status) override;
  [[noreturn]] void abort(int status) override;
  std::int64_t process_of(int rank) const override;
  std::string library() const override;

 private:
  /// A rank at the other end of a channel.
  struct Peer {
    int rank;
    /// 0 for rank 0, as others see it.
    pid_t process;
    std::unique_ptr<Channel> channel;
  };
  void fork_rank(int rank);
  const Peer& peer(int rank) const { return peers_[static_cast<std::size_t>(rank == 0 ? 0 : rank - 1)]; }
  Peer& peer(int rank) { return peers_[static_cast<std::size_t>(rank == 0 ? 0 : rank - 1)]; }
  void pass_on_signal();
  void exchange();
  void kill_all();

  std::mutex mutex_;
  /// All others for rank 0, rank 0 for the others.
  std::vector<Peer> peers_;
  std::deque<Message> inbox_;
  bool passed_on_ = false;
};

}  // namespace pimsweep::driver
