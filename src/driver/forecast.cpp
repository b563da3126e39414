#include "driver/forecast.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <limits>

#include "driver/manager.h"
#include "driver/process.h"
#include "driver/run.h"
#include "journal/codec.h"

namespace pimsweep::driver {

namespace {

using Clock = std::chrono::steady_clock;

/// Points of a study to ask the system about and to evaluate: enough for a mean over the whole study.
constexpr std::uint64_t max_estimates = 1000;
constexpr std::uint64_t max_trials = 50;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// About `count` missing points, evenly spaced over begin..end.
std::vector<std::uint64_t> evenly_spaced(const PointSet& done, std::uint64_t begin, std::uint64_t end,
                                         std::uint64_t count) {
  std::vector<std::uint64_t> points;
  const std::uint64_t step = std::max<std::uint64_t>(1, (end - begin) / count);
  for (std::uint64_t place = begin; place < end; place += step) {
    const std::uint64_t point = done.next_absent(place);
    if (point < std::min(end, place + step)) points.push_back(point);
  }
  return points;
}

struct Measurement {
  double seconds = 0;
  double bytes = 0;
};

/// Evaluates points in a child process for at most `seconds`; returns the measurements completed by then.
std::vector<Measurement> measure(Evaluator& evaluator, const std::vector<std::uint64_t>& points, double seconds) {
  std::vector<Measurement> measurements;
  int ends[2];
  if (points.empty() || ::pipe(ends) != 0) return measurements;
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child == 0) {
    exit_with_parent(parent);
    journal::Entry entry;
    std::string bytes;
    for (const std::uint64_t point : points) {
      const auto start = Clock::now();
      evaluator.evaluate(point, entry);
      Measurement one{seconds_since(start), 0};
      bytes.clear();
      journal::encode(entry.record, bytes);
      constexpr double identity_and_seconds = 24;
      one.bytes = static_cast<double>(bytes.size()) + identity_and_seconds;
      if (::write(ends[1], &one, sizeof one) != static_cast<ssize_t>(sizeof one)) break;
    }
    ::_exit(0);
  }
  ::close(ends[1]);
  const auto start = Clock::now();
  while (child > 0) {
    const double left = seconds - seconds_since(start);
    pollfd ready{ends[0], POLLIN, 0};
    if (left <= 0 || ::poll(&ready, 1, static_cast<int>(1000 * left) + 1) <= 0) break;
    Measurement one;
    if (::read(ends[0], &one, sizeof one) != static_cast<ssize_t>(sizeof one)) break;
    measurements.push_back(one);
  }
  ::close(ends[0]);
  if (child > 0) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  return measurements;
}

/// Sets the mean and longest times and the size of a missing point from trial evaluations.
void add_trials(const std::vector<Measurement>& trials, StudyForecast& study) {
  if (trials.empty()) return;
  double seconds = 0;
  double bytes = 0;
  for (const Measurement& trial : trials) {
    seconds += trial.seconds;
    bytes += trial.bytes;
    study.longest_seconds = std::max(study.longest_seconds, trial.seconds);
  }
  study.point_bytes = bytes / static_cast<double>(trials.size());
  study.mean_seconds = seconds / static_cast<double>(trials.size());
  study.source = fmt::format("{} points evaluated now", trials.size());
}

/// Replaces the mean time by the system's estimates for `points`. Returns false if it has none.
bool add_estimates(Evaluator& evaluator, const std::vector<std::uint64_t>& points, StudyForecast& study) {
  double seconds = 0;
  std::uint64_t estimates = 0;
  for (const std::uint64_t point : points) {
    const auto estimate = evaluator.expected_seconds(point);
    if (!estimate) continue;
    ++estimates;
    seconds += *estimate;
    study.longest_seconds = std::max(study.longest_seconds, *estimate);
  }
  if (estimates == 0) return false;
  study.mean_seconds = seconds / static_cast<double>(estimates);
  study.source = "the system's estimate";
  return true;
}

}  // namespace

std::vector<StudyForecast> forecast(const sweep::Plan& plan, Evaluator& evaluator, const KnownResults& known,
                                    double seconds) {
  std::vector<StudyForecast> studies;
  const auto start = Clock::now();
  // Of a search nothing is known; a point that it has not chosen stands for any.
  const PointSet none(plan.size());
  for (std::size_t i = 0; i < plan.studies.size(); ++i) {
    const std::uint64_t begin = plan.offset(i);
    const std::uint64_t end = begin + plan.studies[i].size();
    const PointSet& done = plan.studies[i].search() == nullptr ? known.done : none;
    StudyForecast& study = studies.emplace_back();
    study.reused = known.done_of(plan, i);
    study.missing = end - begin - study.reused;
    study.mean_seconds = std::numeric_limits<double>::quiet_NaN();
    if (study.missing == 0) continue;
    // The remaining studies share the remaining time equally.
    const double share = (seconds - seconds_since(start)) / static_cast<double>(plan.studies.size() - i);
    add_trials(measure(evaluator, evenly_spaced(done, begin, end, max_trials), share), study);
    if (add_estimates(evaluator, evenly_spaced(done, begin, end, max_estimates), study)) continue;
    if (study.reused >= max_trials && known.seconds[i] > 0) {
      study.mean_seconds = known.seconds[i] / static_cast<double>(study.reused);
      study.source = fmt::format("{} known points", study.reused);
    }
  }
  return studies;
}

double predicted_seconds(const std::vector<StudyForecast>& studies, int ranks) {
  double work = 0;
  double longest = 0;
  std::uint64_t points = 0;
  for (const StudyForecast& study : studies) {
    points += study.reused + study.missing;
    if (study.missing == 0) continue;
    work += study.mean_seconds * static_cast<double>(study.missing);
    longest = std::max(longest, study.longest_seconds);
  }
  return std::max(work / evaluator_count(ranks), longest) + seconds_to_write(points, 0);
}

}  // namespace pimsweep::driver
