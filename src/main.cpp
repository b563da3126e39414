#include <poll.h>
#include <unistd.h>

#include <cstdio>

#include "base/message.h"
#include "commands/command_line.h"

namespace {

/// The rest of what was printed is written here. A reader that has closed its pipe, as `head` does, has seen enough.
int finish_output(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  pollfd output{STDOUT_FILENO, 0, 0};
  const bool is_closed = ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
  if (is_closed) return status;
  pimsweep::print_error("cannot write to standard output: is the disk full?");
  return status == 0 ? pimsweep::driver::exit_output_error : status;
}

}  // namespace

int main(int argc, char** argv) { return finish_output(pimsweep::commands::run_command_line(argc, argv)); }
