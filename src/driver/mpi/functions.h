#pragma once

#include <cstddef>

namespace pimsweep::driver::mpi {

/// Interface to an MPI library: ranks and short messages over MPI_COMM_WORLD. The functions are in a shared
/// module for each MPI library, of which the program loads one under a launcher and none elsewhere. No function may be
/// called while another one is running.
struct Functions {
  /// Name and version of the library.
  const char* (*library)();
  /// MPI_Init, for calls from several threads in turn. Returns false if the library cannot do that.
  bool (*start)(int* rank, int* size);
  void (*send)(int to, int tag, const void* bytes, std::size_t size);
  /// Sends a message unless the one before that was offered to this rank has not been received yet. `size` bytes must
  /// stay in place until the next offer() to this rank, which is asked for a place by `is_free`.
  bool (*is_free)(int to);
  void (*offer)(int to, int tag, const void* bytes, std::size_t size);
  /// Returns true if a message has arrived, which the next call of `receive` then takes.
  bool (*probe)(int* source, int* tag, std::size_t* size);
  void (*receive)(void* bytes);
  /// MPI_Finalize.
  void (*finish)();
  /// MPI_Abort.
  void (*abort)(int status);
};

/// Name of the module's one symbol, a function `const Functions*()`. It changes with this structure.
inline constexpr const char* module_symbol = "pimsweep_mpi_1";

}  // namespace pimsweep::driver::mpi
