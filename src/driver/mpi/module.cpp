// A module by itself, compiled and linked for each MPI library (src/driver/mpi/CMakeLists.txt).
#include <mpi.h>

#include <algorithm>
#include <string>
#include <vector>

#include "driver/mpi/functions.h"

namespace {

/// For each rank the last message offered to it.
std::vector<MPI_Request> offers;
/// The message that was probed last.
MPI_Message found = MPI_MESSAGE_NULL;
int found_size = 0;

const char* library() {
  static const std::string name = [] {
    std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
    int length = 0;
    MPI_Get_library_version(text.data(), &length);
    // Open MPI counts the zero byte at the end; MPICH goes on for many lines.
    text.resize(text.find_first_of(std::string("\0\n", 2)));
    std::ranges::replace(text, '\t', ' ');
    return text;
  }();
  return name.c_str();
}

bool start(int* rank, int* size) {
  int threads = MPI_THREAD_SINGLE;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &threads);
  // The manager handles the loss of a rank; MPI must not abort because of it.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
  offers.assign(static_cast<std::size_t>(*size), MPI_REQUEST_NULL);
  return threads >= MPI_THREAD_SERIALIZED;
}

void send(int to, int tag, const void* bytes, std::size_t size) {
  MPI_Send(bytes, static_cast<int>(size), MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

bool is_free(int to) {
  MPI_Request& request = offers[static_cast<std::size_t>(to)];
  int received = 1;
  if (request != MPI_REQUEST_NULL) MPI_Test(&request, &received, MPI_STATUS_IGNORE);
  return received != 0;
}

void offer(int to, int tag, const void* bytes, std::size_t size) {
  // Synchronous: complete when it is received, not when it is sent.
  MPI_Issend(bytes, static_cast<int>(size), MPI_BYTE, to, tag, MPI_COMM_WORLD, &offers[static_cast<std::size_t>(to)]);
}

bool probe(int* source, int* tag, std::size_t* size) {
  int is_there = 0;
  MPI_Status status;
  if (MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, &found, &status) != MPI_SUCCESS ||
      is_there == 0)
    return false;
  MPI_Get_count(&status, MPI_BYTE, &found_size);
  *source = status.MPI_SOURCE;
  *tag = status.MPI_TAG;
  *size = static_cast<std::size_t>(found_size);
  return true;
}

void receive(void* bytes) { MPI_Mrecv(bytes, found_size, MPI_BYTE, &found, MPI_STATUS_IGNORE); }

void finish() {
  for (MPI_Request& request : offers) {
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  }
  MPI_Finalize();
}

void abort(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

}  // namespace

extern "C" __attribute__((visibility("default"))) const pimsweep::driver::mpi::Functions* pimsweep_mpi_1() {
  static const pimsweep::driver::mpi::Functions functions{library, start,   send,   is_free, offer,
                                                          probe,   receive, finish, abort};
  return &functions;
}
