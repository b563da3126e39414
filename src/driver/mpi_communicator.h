#pragma once

#include <mutex>
#include <vector>

#include "driver/communicator.h"
#include "driver/mpi/functions.h"

namespace pimsweep::driver {

/// The ranks of an MPI launch.
class MpiCommunicator : public Communicator {
 public:
  /// Initializes MPI, which waits for all other ranks. If one of them was lost at the very start, and so for
  /// `patience`, exits with exit_resumable. Throws InputError if there is no module for the launcher's
  /// MPI, or the launcher is one of another MPI.
  explicit MpiCommunicator(std::chrono::duration<double> patience);

  void send(int to, Tag tag, std::string_view bytes) override;
  void offer(int to, Tag tag, const std::string& bytes) override;
  std::optional<Message> poll() override;
  void finalize(std::chrono::duration<double> patience, int status) override;
  [[noreturn]] void abort(int status) override;
  std::string library() const override { return mpi_.library(); }

 private:
  const mpi::Functions& mpi_;
  std::mutex mutex_;
  /// For each rank the last message offered to it.
  std::vector<std::string> offered_;
};

}  // namespace pimsweep::driver
