// The driver's own manager with workers whose points sleep: mpirun -n 16 sleeping_points COST POINTS. Sleeping needs no
// core, so that many ranks on few cores behave as on a cluster; the simulation is judged on it.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>

#include "driver/communicator.h"
#include "driver/grant.h"
#include "driver/manager.h"
#include "driver/mpi_communicator.h"
#include "driver/progress.h"
#include "driver/tally.h"
#include "sweep/plan.h"

namespace {

using namespace pimsweep::driver;
using namespace pimsweep::sweep;
using namespace pimsweep;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double cpu_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Message wait(Communicator& communicator) {
  BackOff back_off;
  while (true) {
    if (auto message = communicator.poll()) return *std::move(message);
    back_off.sleep();
  }
}

/// As src/driver/worker.cpp, without a journal.
void work(Communicator& communicator, double cost) {
  constexpr double budget = 0.1;
  double overslept = 0;
  std::uint64_t grants = 0;
  while (true) {
    const Message message = wait(communicator);
    if (message.tag == Tag::finish) return;
    Report report;
    if (message.tag == Tag::grant) {
      std::uint64_t points = 0;
      points = lease_from(message.bytes).grant.points();
      const auto start = Clock::now();
      report.done = std::min(points, static_cast<std::uint64_t>(std::ceil(budget / cost)));
      std::this_thread::sleep_for(std::chrono::duration<double>(cost * static_cast<double>(report.done)));
      report.seconds = seconds_since(start);
      overslept += report.seconds - cost * static_cast<double>(report.done);
      ++grants;
    }
    if (message.tag == Tag::close) {
      report.done = grants;
      report.seconds = overslept;
    }
    communicator.send(0, Tag::report, to_bytes(report));
  }
}

/// A plan of `points` points of the synthetic system.
struct SleepingPlan {
  explicit SleepingPlan(std::uint64_t points)
      : folder(std::filesystem::temp_directory_path() / fmt::format("sleeping-{}", ::getpid())) {
    std::filesystem::create_directories(folder);
    const std::string file = folder / "points.toml";
    std::ofstream(file) << "name = \"points\"\n[[study]]\nid = \"sleeping\"\nsystem = \"synthetic\"\n[study.sample]\n"
                        << "method = \"random\"\npoints = " << points
                        << "\n[study.sample.ranges]\nn = { from = 0, to = 1 }\n";
    plan = load_plan(file, {"configs", {}, {}});
  }
  ~SleepingPlan() { std::filesystem::remove_all(folder); }
  std::filesystem::path folder;
  Plan plan;
};

int measure(Communicator& communicator, int argc, char** argv) {
  const double cost = argc == 3 ? std::strtod(argv[1], nullptr) : 0;
  const std::uint64_t points = argc == 3 ? std::strtoull(argv[2], nullptr, 10) : 0;
  if (cost <= 0 || points == 0 || communicator.size() < 4) {
    if (communicator.rank() == 0)
      fmt::print(stderr, "usage: mpirun -n RANKS sleeping_points SECONDS POINTS, 4 ranks or more\n");
    return 2;
  }
  if (communicator.rank() > 0) {
    work(communicator, cost);
    return 0;
  }
  // One study of no particular system's points: only their number counts.
  const SleepingPlan sleeping(points);
  Tally tally(sleeping.plan, {0});
  Progress quiet("none", sleeping.plan, communicator.size());
  const std::vector<WorkerInfo> workers(static_cast<std::size_t>(communicator.size()), {"elsewhere", 1, {}});
  Outcome outcome;
  Manager manager(communicator, sleeping.plan, workers, nullptr, {}, tally, quiet, {});
  // Every worker has said that it is there before the clock starts.
  manager.close_journals(outcome);
  const auto start = Clock::now();
  const double cpu_before = cpu_seconds();
  manager.run(WorkPool(PointSet(points)));
  const double makespan = seconds_since(start);
  const double manager_cpu = cpu_seconds() - cpu_before;
  double overslept = 0;
  std::uint64_t grants = 0;
  for (int rank = 1; rank < communicator.size(); ++rank) {
    communicator.send(rank, Tag::close, {});
    const Report report = report_from(wait(communicator).bytes);
    overslept += report.seconds;
    grants += report.done;
    communicator.send(rank, Tag::finish, {});
  }
  fmt::print(
      "{{\"ranks\": {}, \"cost\": {}, \"points\": {}, \"makespan\": {:.6f}, \"manager_cpu\": {:.6f}, \"overslept\": "
      "{:.3g}}}\n",
      communicator.size(), cost, points, makespan, manager_cpu, overslept / static_cast<double>(grants));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr auto patience = std::chrono::seconds(60);
  MpiCommunicator communicator(patience);
  const int status = measure(communicator, argc, argv);
  communicator.finalize(patience, status);
  return status;
}
