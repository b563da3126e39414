#include "driver/communicator.h"

#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace pimsweep::driver {

void BackOff::sleep() {
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds_));
  waited_ += microseconds_;
  constexpr std::int64_t second = 1'000'000;
  microseconds_ = std::min<std::int64_t>(2 * microseconds_, waited_ < second ? 1'000 : 10'000);
}

Communicator::Communicator() {
  int threads = MPI_THREAD_SINGLE;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &threads);
  if (threads < MPI_THREAD_SERIALIZED)
    throw std::runtime_error("this MPI library does not support threads (MPI_THREAD_SERIALIZED)");
  // The manager handles the loss of a rank; MPI must not abort because of it.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

Communicator::~Communicator() { MPI_Finalize(); }

void Communicator::send(int to, Tag tag, std::string_view bytes) {
  const std::scoped_lock lock(mutex_);
  MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, static_cast<int>(tag), MPI_COMM_WORLD);
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

Message Communicator::wait() {
  BackOff back_off;
  while (true) {
    if (auto message = poll()) return *std::move(message);
    back_off.sleep();
  }
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
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace pimsweep::driver
