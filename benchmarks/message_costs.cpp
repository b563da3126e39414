// Cost of the driver's protocol on this machine, as JSON for protocol_simulation.py: mpirun -n 2 message_costs (more
// ranks than cores would measure the kernel's scheduler). Costs of the processor are CPU time, so other programs on the
// machine disturb them little; the latency is wall time.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "driver/communicator.h"
#include "driver/evaluator.h"
#include "driver/grant.h"
#include "driver/mpi_communicator.h"
#include "driver/roster.h"
#include "driver/work_pool.h"
#include "journal/writer.h"
#include "sweep/plan.h"

namespace {

using namespace pimsweep::driver;
using namespace pimsweep::sweep;
using namespace pimsweep;

constexpr int rounds = 201;
/// Messages that each worker sends, and gets, in a row: as a manager with much to do sees them.
constexpr std::uint64_t burst = 64;

double cpu_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

/// Never sleeps, so that a round trip holds no back-off.
Message spin(Communicator& communicator) {
  while (true) {
    if (auto message = communicator.poll()) return *std::move(message);
  }
}

struct ManagerCosts {
  double hear = 0;
  double grant = 0;
};

/// Rank 0: hears a burst of reports of all workers and grants as often, with the books that the manager keeps.
ManagerCosts manager_costs(Communicator& communicator) {
  const auto workers = static_cast<std::uint64_t>(communicator.size() - 1);
  std::vector<double> hear;
  std::vector<double> grant;
  for (int round = 0; round < rounds; ++round) {
    for (int rank = 1; rank < communicator.size(); ++rank) communicator.send(rank, Tag::start, {});
    WorkPool pool(PointSet(1'000'000'000));
    GrantSize size;
    Roster roster(static_cast<std::size_t>(communicator.size()));
    const Grant granted{{{0, 1000}}, false};
    // By then all messages have arrived: only receiving is timed.
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const double before_reports = cpu_seconds();
    for (std::uint64_t heard = 0; heard < workers * burst;) {
      const auto message = communicator.poll();
      if (!message) continue;
      const Report report = report_from(message->bytes);
      pool.give_back(granted, report.done);
      size.measured(report.done, report.seconds);
      roster.set(message->source, {true, 0, false});
      ++heard;
    }
    hear.push_back((cpu_seconds() - before_reports) / static_cast<double>(workers * burst));

    const double before_grants = cpu_seconds();
    for (std::uint64_t i = 0; i < burst; ++i) {
      for (int rank = 1; rank < communicator.size(); ++rank) {
        const auto taken = pool.take(size.next(pool.points(), communicator.size() - 1), 64);
        communicator.send(rank, Tag::grant, to_bytes(Lease{taken, 0, 0.1}));
        roster.set(rank, {true, 1, false});
      }
    }
    grant.push_back((cpu_seconds() - before_grants) / static_cast<double>(workers * burst));
    for (std::uint64_t i = 0; i < workers; ++i) spin(communicator);
  }
  return {median(hear), median(grant)};
}

/// The other side of manager_costs.
void answer_bursts(Communicator& communicator) {
  const std::string report = to_bytes(Report{.done = 1000, .seconds = 0.03, .error = {}});
  for (int round = 0; round < rounds; ++round) {
    spin(communicator);
    for (std::uint64_t i = 0; i < burst; ++i) communicator.send(0, Tag::report, report);
    for (std::uint64_t i = 0; i < burst; ++i) spin(communicator);
    communicator.send(0, Tag::ready, {});
  }
}

/// Half a round trip between ranks 0 and 1, both looking all the time.
double latency(Communicator& communicator) {
  constexpr int trips = 5001;
  std::vector<double> seconds;
  const std::string grant = to_bytes(Lease{{{{0, 1000}}, false}, 0, 0.1});
  for (int i = 0; i < trips; ++i) {
    const double before = wall_seconds();
    if (communicator.rank() == 0) communicator.send(1, Tag::grant, grant);
    spin(communicator);
    if (communicator.rank() == 1) communicator.send(0, Tag::report, grant);
    seconds.push_back(wall_seconds() - before);
  }
  return median(seconds) / 2;
}

/// CPU time of a look that finds nothing.
double look(Communicator& communicator) {
  constexpr int looks = 10000;
  const double before = cpu_seconds();
  for (int i = 0; i < looks; ++i) communicator.poll();
  return (cpu_seconds() - before) / looks;
}

/// Excess of the shortest sleep of a waiting rank over the requested time.
double sleep_overshoot() {
  std::vector<double> seconds;
  for (int i = 0; i < rounds; ++i) {
    BackOff back_off;
    const double before = wall_seconds();
    back_off.sleep();
    seconds.push_back(wall_seconds() - before - 20e-6);
  }
  return median(seconds);
}

struct WorkerCosts {
  double per_grant = 0;
  double per_point = 0;
};

/// Points of zero cost, evaluated into a journal in grants of one point and of many.
WorkerCosts worker_costs() {
  constexpr std::uint64_t many = 1000;
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("message-costs-{}", wall_seconds());
  std::filesystem::create_directories(folder);
  const std::string experiment = folder / "points.toml";
  std::ofstream file(experiment);
  file << "name = \"points\"\n[[study]]\nid = \"zero\"\nsystem = \"synthetic\"\n[study.axes]\nn = [0";
  for (std::uint64_t n = 1; n < many; ++n) file << ", " << n;
  file << "]\n";
  file.close();
  const Plan plan = load_plan(experiment, {"configs", {}, {}});
  Evaluator evaluator(plan);
  std::vector<double> one;
  std::vector<double> all;
  {
    journal::Writer journal(folder / "points.journal", {});
    CurrentPoint current;
    GrantRunner runner(evaluator, journal, current, Fault{});
    for (int round = 0; round < rounds; ++round) {
      const auto timed = [&](std::uint64_t points) {
        const double before = cpu_seconds();
        runner.run({{{{0, points}}, false}, 0, 0.1});
        return cpu_seconds() - before;
      };
      one.push_back(timed(1));
      all.push_back(timed(many));
    }
  }
  std::filesystem::remove_all(folder);
  const double per_point = (median(all) - median(one)) / static_cast<double>(many - 1);
  return {median(one) - per_point, per_point};
}

int measure(Communicator& communicator) {
  if (communicator.size() < 2) {
    fmt::print(stderr, "message_costs: needs at least 2 ranks\n");
    return 2;
  }
  if (communicator.rank() > 0) {
    answer_bursts(communicator);
    if (communicator.rank() == 1) latency(communicator);
    spin(communicator);
    return 0;
  }
  const double empty = look(communicator);
  const ManagerCosts manager = manager_costs(communicator);
  const double half_trip = latency(communicator);
  const double overshoot = sleep_overshoot();
  const WorkerCosts worker = worker_costs();
  for (int rank = 1; rank < communicator.size(); ++rank) communicator.send(rank, Tag::finish, {});
  fmt::print(
      "{{\"ranks\": {}, \"mpi\": \"{}\",\n \"hear\": {:.3g}, \"grant\": {:.3g}, \"look\": {:.3g}, \"latency\": "
      "{:.3g},\n"
      " \"sleep_overshoot\": {:.3g}, \"per_grant\": {:.3g}, \"per_point\": {:.3g}}}\n",
      communicator.size(), communicator.library().substr(0, communicator.library().find(',')), manager.hear,
      manager.grant, empty, half_trip, overshoot, worker.per_grant, worker.per_point);
  return 0;
}

}  // namespace

int main() {
  constexpr auto patience = std::chrono::seconds(60);
  MpiCommunicator communicator(patience);
  const int status = measure(communicator);
  communicator.finalize(patience, status);
  return status;
}
