#include "driver/process.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <new>
#include <system_error>

namespace pimsweep::driver {

bool has_exited(std::int64_t pid) {
  const auto process = static_cast<pid_t>(pid);
  // A child that has ended is there until its status is taken.
  if (process > 0 && ::waitpid(process, nullptr, WNOHANG) == process) return true;
  return ::kill(process, 0) != 0 && errno == ESRCH;
}

void exit_with_parent(std::int64_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // It may have died before the request.
  if (::getppid() != parent) ::_exit(1);
}

bool is_shortage(const std::exception& error) {
  const auto* system = dynamic_cast<const std::system_error*>(&error);
  return dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
         (system != nullptr && (system->code() == std::errc::resource_unavailable_try_again ||
                                system->code() == std::errc::not_enough_memory));
}

void exit_without_finalize(int status) {
  std::fflush(nullptr);
  ::_exit(status);
}

}  // namespace pimsweep::driver
