#include "driver/isolated.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string>
#include <system_error>

#include "driver/process.h"
#include "driver/stop_signal.h"
#include "journal/codec.h"

namespace pimsweep::driver {

namespace {

using Clock = std::chrono::steady_clock;

/// Runs in the child, with the signal handlers inherited from the parent reset. A signal that ends a run may go to all
/// processes of a group, as mpirun's does: what becomes of the point then is the parent's to say.
[[noreturn]] void evaluate_and_send(Evaluator& evaluator, Fault& fault, std::uint64_t point, int pipe) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(signal, SIG_DFL);
  for (const int signal : StopSignal::signals) std::signal(signal, SIG_IGN);
  fault.before(point);
  journal::Entry entry;
  evaluator.evaluate(point, entry);
  std::string bytes;
  journal::encode(entry.record, bytes);
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const ssize_t written = ::write(pipe, rest.data(), rest.size());
    if (written < 0 && errno != EINTR) ::_exit(1);
    if (written > 0) rest.remove_prefix(static_cast<std::size_t>(written));
  }
  ::_exit(0);
}

/// Reads until the child closes its end. Returns an error, or empty.
std::string receive(int pipe, double limit, const std::function<bool()>& stop, std::string& bytes, bool& stopped) {
  const auto start = Clock::now();
  char buffer[65536];
  while (true) {
    pollfd ready{pipe, POLLIN, 0};
    constexpr int poll_period_ms = 20;
    if (::poll(&ready, 1, poll_period_ms) > 0) {
      const ssize_t count = ::read(pipe, buffer, sizeof buffer);
      if (count == 0) return {};
      if (count > 0) bytes.append(buffer, static_cast<std::size_t>(count));
    }
    if (stop()) {
      stopped = true;
      return {};
    }
    if (limit > 0 && std::chrono::duration<double>(Clock::now() - start).count() > limit) {
      return fmt::format("no result within {:.3g} s", limit);
    }
  }
}

}  // namespace

bool evaluate_isolated(Evaluator& evaluator, Fault& fault, std::uint64_t point, double limit,
                       const std::function<bool()>& stop, journal::Entry& entry) {
  const auto start = Clock::now();
  int ends[2];
  if (::pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "cannot create a pipe");
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "cannot start a process");
  if (child == 0) {
    exit_with_parent(parent);
    ::close(ends[0]);
    evaluate_and_send(evaluator, fault, point, ends[1]);
  }
  ::close(ends[1]);
  std::string bytes;
  bool stopped = false;
  std::string problem = receive(ends[0], limit, stop, bytes, stopped);
  ::close(ends[0]);
  if (stopped || !problem.empty()) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (stopped) return false;
  entry.index = point;
  entry.identity = evaluator.identity(point);
  entry.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  ByteReader reader(bytes);
  if (problem.empty() && journal::decode(reader, entry.record) && reader.at_end()) return true;
  if (problem.empty() && WIFSIGNALED(status)) problem = strsignal(WTERMSIG(status));
  if (problem.empty()) problem = fmt::format("its process ended with status {}", WEXITSTATUS(status));
  entry.record.reset(evaluator.schema_at(point));
  entry.record.status = systems::Status::crashed;
  entry.record.message = fmt::format("killed the process that evaluated it, twice: {}", problem);
  return true;
}

}  // namespace pimsweep::driver
