#pragma once

#include <cstdint>
#include <exception>

namespace pimsweep::driver {

/// True if there is no process of this number on this host. Takes the status of a child of this process that has ended.
bool has_exited(std::int64_t pid);

/// Ends this process together with the process that forked it, so that no evaluation outlives its rank and holds the
/// launch's output open. For the child, right after fork().
void exit_with_parent(std::int64_t parent);

/// True if an error means that the system gives no more threads, processes or memory.
bool is_shortage(const std::exception& error);

/// Exits without MPI_Finalize, which would block on a lost rank.
[[noreturn]] void exit_without_finalize(int status);

}  // namespace pimsweep::driver
