// Evaluates points at the corners of all axes: corners [POINTS] [SYSTEM] [MINUTES] [SECONDS] [FIRST]
//
// Each must be ok with a valid record, infeasible, or refused by a PointError with a message. Any other exception, a
// negative or missing number and a crash are findings, printed with the point; a point that takes longer than
// SECONDS (2) of processor time is ended and listed. POINTS (300) is the number of points of each system, or of SYSTEM
// alone ("all"); after MINUTES (60) a system ends early. Points before number FIRST (0) are left out, so that one
// system can be divided among several processes. The exit status is 1 if there are findings. Built with clang and
// -fsanitize=undefined,integer (scripts/corners_sanitized.sh), it also finds what wraps.
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "base/error.h"
#include "corner_points.h"
#include "systems/record_check.h"
#include "systems/system.h"

namespace {

using namespace pimsweep;
using corners::CornerPoints;

enum Outcome : std::size_t { ok, infeasible, failed, finding };
constexpr rlim_t max_memory = rlim_t{6} << 30U;

/// Memory shared by the evaluating process and its watcher.
struct Progress {
  std::atomic<std::uint64_t> next{0};
  std::array<std::atomic<std::uint64_t>, 4> counts{};
};

/// Number of points tried of each system.
struct Limits {
  std::uint64_t points = 300;
  double minutes = 60;
  /// Processor time of a point.
  double seconds = 2;
  std::uint64_t first = 0;
};

/// The kernel ends this process with SIGPROF after so many seconds of processor time.
void limit_processor_time(double seconds) {
  const double whole = std::floor(seconds);
  const itimerval limit{{0, 0}, {std::lround(whole), std::lround(1e6 * (seconds - whole))}};
  setitimer(ITIMER_PROF, &limit, nullptr);
}

void print_finding(const std::string& what, std::uint64_t number, const std::string& point) {
  fmt::print("  {}\n    point {}: {}\n", what, number, point);
  std::fflush(stdout);
}

/// Evaluates one point; `report` gets what must not be.
Outcome outcome_of(systems::System& system, const systems::Point& point, std::string& report) {
  systems::Record record;
  record.reset(system.schema());
  try {
    (void)system.workload_hash(point);
    (void)system.expected_seconds(point);
    system.evaluate(point, record);
  } catch (const PointError& error) {
    if (*error.what() == '\0') report = "refused without a message";
    return report.empty() ? failed : finding;
  } catch (const std::exception& error) {
    report = fmt::format("exception: {}", error.what());
    return finding;
  }
  const std::string fault = systems::record_fault(system.schema(), record);
  // The driver makes such a point failed. A number beyond the largest double is what the corners ask for.
  if (fault.find("is infinite") != std::string::npos) return failed;
  if (!fault.empty()) report = fault;
  if (record.status != systems::Status::ok && record.message.empty()) report = "no message";
  if (!report.empty()) return finding;
  return record.status == systems::Status::ok ? ok : infeasible;
}

/// The process that evaluates, from the next point on; ended by SIGALRM after `seconds`.
[[noreturn]] void evaluate_all(const systems::SystemEntry& entry, const Limits& limits, unsigned seconds,
                               Progress& progress) {
  alarm(seconds);
#ifndef __SANITIZE_ADDRESS__  // which reserves terabytes
  const rlimit memory{max_memory, max_memory};
  setrlimit(RLIMIT_AS, &memory);
#endif
  const auto system = entry.make("configs");
  const CornerPoints corners(system->schema(), "configs");
  while (progress.next < limits.points) {
    const std::uint64_t number = progress.next;
    const std::vector<Value> values = corners.values(number);
    systems::Point point(values.size());
    for (std::size_t axis = 0; axis < values.size(); ++axis) point.set(axis, &values[axis]);
    limit_processor_time(limits.seconds);
    std::string report;
    const Outcome outcome = outcome_of(*system, point, report);
    if (outcome == finding) print_finding(report, number, corners.text(values));
    ++progress.counts[outcome];
    ++progress.next;
  }
  std::fflush(stdout);
  _exit(0);
}

/// Watches one system; returns the number of findings.
class Watch {
 public:
  Watch(const systems::SystemEntry& entry, const Limits& limits, Progress& progress)
      : entry_(entry),
        limits_(limits),
        deadline_(std::chrono::steady_clock::now() + std::chrono::milliseconds(std::llround(60e3 * limits.minutes))),
        progress_(progress),
        system_(entry.make("configs")),
        corners_(system_->schema(), "configs") {
    progress_.next = limits.first;
  }

  std::uint64_t run() {
    while (progress_.next < limits_.points && seconds_left() > 0) watch_one_process();
    const auto& counts = progress_.counts;
    fmt::print(
        "{:<12} | {:>7} points | {:>7} ok | {:>7} infeasible | {:>7} failed | {:>4} slower than {} s | {:>3} "
        "findings\n",
        entry_.name, progress_.next.load() - limits_.first, counts[ok].load(), counts[infeasible].load(),
        counts[failed].load(), slow_, limits_.seconds, counts[finding].load());
    std::fflush(stdout);
    return counts[finding];
  }

 private:
  std::int64_t seconds_left() const {
    return std::chrono::ceil<std::chrono::seconds>(deadline_ - std::chrono::steady_clock::now()).count();
  }

  void watch_one_process() {
    std::fflush(stdout);
    const pid_t child = fork();
    if (child == 0) evaluate_all(entry_, limits_, static_cast<unsigned>(seconds_left()), progress_);
    int status = 0;
    waitpid(child, &status, 0);
    if (progress_.next >= limits_.points || (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)) return;
    const bool too_long = WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF;
    if (too_long) {
      ++slow_;
    } else {
      ++progress_.counts[finding];
    }
    const std::uint64_t number = progress_.next++;
    print_finding(too_long ? fmt::format("slow: longer than {} s", limits_.seconds)
                           : fmt::format("crash: {}", WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "exit"),
                  number, corners_.text(corners_.values(number)));
  }

  const systems::SystemEntry& entry_;
  Limits limits_;
  std::chrono::steady_clock::time_point deadline_;
  Progress& progress_;
  std::unique_ptr<systems::System> system_;
  CornerPoints corners_;
  std::uint64_t slow_ = 0;
};

}  // namespace

int main(int count, char** arguments) {
  const auto number = [&](int place, double otherwise) {
    return count > place ? std::strtod(arguments[place], nullptr) : otherwise;
  };
  const Limits limits{static_cast<std::uint64_t>(number(1, 300)), number(3, 60), number(4, 2),
                      static_cast<std::uint64_t>(number(5, 0))};
  const std::string only = count > 2 ? arguments[2] : "all";
  std::uint64_t findings = 0;
  for (const systems::SystemEntry& entry : systems::systems()) {
    // `synthetic` is as slow and as faulty as its axes say.
    if (entry.name == "synthetic" || (only != "all" && only != entry.name)) continue;
    void* shared = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) return 70;
    findings += Watch(entry, limits, *new (shared) Progress).run();
    munmap(shared, sizeof(Progress));
  }
  return findings == 0 ? 0 : 1;
}
