#include "driver/mpi_communicator.h"

#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>

#include "base/error.h"
#include "base/message.h"
#include "driver/launch.h"
#include "driver/mpi_module.h"
#include "driver/periodic_thread.h"
#include "driver/process.h"
#include "driver/run_options.h"

namespace pimsweep::driver {

MpiCommunicator::MpiCommunicator(std::chrono::duration<double> patience) : mpi_(load_mpi_module()) {
  watch_launcher();
  bool has_threads = false;
  {
    const PeriodicThread guard(patience, [patience] {
      print_error("MPI did not start within {:.3g} s: was a rank lost while it started?", patience.count());
      end_launcher();
      exit_without_finalize(exit_resumable);
    });
    has_threads = mpi_.start(&rank_, &size_);
  }
  if (!has_threads) throw std::runtime_error("this MPI library does not support threads (MPI_THREAD_SERIALIZED)");
  if (size_ < launched_processes()) {
    throw InputError(
        fmt::format("the launcher has started {} processes, of which {} sees {}: it is a launcher of another MPI; "
                    "pimsweep --version --verbose lists those that pimsweep was built with",
                    launched_processes(), mpi_.library(), size_));
  }
  offered_.resize(static_cast<std::size_t>(size_));
}

void MpiCommunicator::finalize(std::chrono::duration<double> patience, int status) {
  // Everything is written by now.
  const PeriodicThread guard(patience, [status] { exit_without_finalize(status); });
  mpi_.finish();
}

void MpiCommunicator::send(int to, Tag tag, std::string_view bytes) {
  const std::scoped_lock lock(mutex_);
  mpi_.send(to, static_cast<int>(tag), bytes.data(), bytes.size());
}

void MpiCommunicator::offer(int to, Tag tag, const std::string& bytes) {
  const std::scoped_lock lock(mutex_);
  if (!mpi_.is_free(to)) return;
  std::string& kept = offered_[static_cast<std::size_t>(to)];
  kept = bytes;
  mpi_.offer(to, static_cast<int>(tag), kept.data(), kept.size());
}

std::optional<Message> MpiCommunicator::poll() {
  if (size_ == 1) return std::nullopt;
  const std::scoped_lock lock(mutex_);
  int source = 0;
  int tag = 0;
  std::size_t size = 0;
  if (!mpi_.probe(&source, &tag, &size)) return std::nullopt;
  Message message{source, static_cast<Tag>(tag), std::string(size, '\0')};
  mpi_.receive(message.bytes.data());
  return message;
}

void MpiCommunicator::abort(int status) {
  // A launcher on a host that is lost does not answer.
  constexpr auto patience = std::chrono::seconds(5);
  const PeriodicThread guard(patience, [status] { exit_without_finalize(status); });
  mpi_.abort(status);
  std::abort();
}

}  // namespace pimsweep::driver
