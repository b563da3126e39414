#include <fcntl.h>
#include <unistd.h>

#include <csignal>

#include "commands/command_line.h"

namespace {

/// Opens /dev/null in place of each standard stream that is closed. Otherwise the next file, a journal or a lock, would
/// get its number, and messages would be written into it.
bool reserve_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // A file gets the lowest number that is free.
    if (::fcntl(stream, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) != stream) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  // A limit of file sizes is an error of the write that meets it, as a full disk is.
  std::signal(SIGXFSZ, SIG_IGN);
  if (!reserve_standard_streams()) return pimsweep::driver::exit_output_error;
  return pimsweep::commands::finish_output(pimsweep::commands::run_command_line(argc, argv));
}
