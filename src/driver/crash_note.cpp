#include "driver/crash_note.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace pimsweep::driver {

namespace {

std::atomic<journal::Writer*> noted_journal{nullptr};
std::atomic<const CurrentPoint*> noted_point{nullptr};
/// Process that writes the journal; a forked child must not write to it.
std::atomic<pid_t> noting_process{0};

constexpr std::array signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
std::array<struct sigaction, signals.size()> previous{};

void note(std::string_view cause) noexcept {
  // A second thread that crashes finds null and writes nothing.
  journal::Writer* const writer = noted_journal.exchange(nullptr);
  if (writer == nullptr || getpid() != noting_process || !noted_point.load()->inside()) return;
  writer->last_words(noted_point.load()->point(), cause);
}

std::string_view cause_of(int signal) {
  switch (signal) {
    case SIGSEGV:
      return "segmentation fault";
    case SIGBUS:
      return "bus error";
    case SIGFPE:
      return "arithmetic error";
    case SIGILL:
      return "illegal instruction";
    default:
      return "abort";
  }
}

void note_exit() { note("exit() inside the point"); }

void handle(int signal) {
  note(cause_of(signal));
  // The previous handler runs next: it prints the backtrace.
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (signals[i] == signal) sigaction(signal, &previous[i], nullptr);
  }
  raise(signal);
}

}  // namespace

CrashNote::CrashNote(journal::Writer& writer, const CurrentPoint& point) {
  noted_point = &point;
  noting_process = getpid();
  noted_journal = &writer;
  static const bool registered = std::atexit(note_exit) == 0;
  static_cast<void>(registered);
  struct sigaction action {};
  action.sa_handler = handle;
  action.sa_flags = SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &action, &previous[i]);
}

CrashNote::~CrashNote() {
  noted_journal = nullptr;
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &previous[i], nullptr);
}

}  // namespace pimsweep::driver
