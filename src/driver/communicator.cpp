#include "driver/communicator.h"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/message.h"
#include "driver/driver.h"
#include "driver/periodic_thread.h"
#include "driver/process.h"

namespace pimsweep::driver {

void BackOff::sleep() {
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds_));
  waited_ += microseconds_;
  constexpr std::int64_t second = 1'000'000;
  microseconds_ = std::min<std::int64_t>(2 * microseconds_, waited_ < second ? 1'000 : 10'000);
}

/// For each rank the last message offered to it.
struct Communicator::Offers {
  std::vector<MPI_Request> requests;
  std::vector<std::string> bytes;
};

Communicator::Communicator(std::chrono::duration<double> patience) {
  int threads = MPI_THREAD_SINGLE;
  {
    const PeriodicThread guard(patience, [patience] {
      print_error("MPI did not start within {:.3g} s: was a rank lost while it started?", patience.count());
      exit_without_finalize(exit_resumable);
    });
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &threads);
  }
  if (threads < MPI_THREAD_SERIALIZED)
    throw std::runtime_error("this MPI library does not support threads (MPI_THREAD_SERIALIZED)");
  // The manager handles the loss of a rank; MPI must not abort because of it.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
  const auto ranks = static_cast<std::size_t>(size_);
  offers_ = std::make_unique<Offers>(Offers{std::vector<MPI_Request>(ranks, MPI_REQUEST_NULL), {ranks, ""}});
}

Communicator::~Communicator() = default;

void Communicator::finalize(std::chrono::duration<double> patience, int status) {
  // Everything is written by now.
  const PeriodicThread guard(patience, [status] { exit_without_finalize(status); });
  for (MPI_Request& request : offers_->requests) {
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  }
  MPI_Finalize();
}

void Communicator::send(int to, Tag tag, std::string_view bytes) {
  const std::scoped_lock lock(mutex_);
  MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, static_cast<int>(tag), MPI_COMM_WORLD);
}

void Communicator::offer(int to, Tag tag, const std::string& bytes) {
  const std::scoped_lock lock(mutex_);
  MPI_Request& request = offers_->requests[static_cast<std::size_t>(to)];
  int received = 1;
  if (request != MPI_REQUEST_NULL) MPI_Test(&request, &received, MPI_STATUS_IGNORE);
  if (received == 0) return;
  std::string& kept = offers_->bytes[static_cast<std::size_t>(to)];
  kept = bytes;
  // Synchronous: complete when it is received, not when it is sent.
  MPI_Issend(kept.data(), static_cast<int>(kept.size()), MPI_BYTE, to, static_cast<int>(tag), MPI_COMM_WORLD, &request);
}

std::optional<Message> Communicator::poll() {
  if (size_ == 1) return std::nullopt;
  const std::scoped_lock lock(mutex_);
  int found = 0;
  MPI_Message handle = MPI_MESSAGE_NULL;
  MPI_Status status;
  if (MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, &handle, &status) != MPI_SUCCESS || found == 0)
    return std::nullopt;
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  Message message{status.MPI_SOURCE, static_cast<Tag>(status.MPI_TAG),
                  std::string(static_cast<std::size_t>(size), '\0')};
  MPI_Mrecv(message.bytes.data(), size, MPI_BYTE, &handle, MPI_STATUS_IGNORE);
  return message;
}

void Communicator::abort(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
  std::abort();
}

std::string Communicator::host() {
  // Not MPI_Get_processor_name: commands that run without MPI need the host name too.
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string Communicator::library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  // Open MPI counts the zero byte at the end.
  return text.data();
}

}  // namespace pimsweep::driver
