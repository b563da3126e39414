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
#include <utility>

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

/// Evaluates points of studies in a child process, study after study. A fork takes the longer the more studies there
/// are: only a study that is out of time, or that ended its process, is followed by another child.
class Trials {
 public:
  /// `points`: those of each study.
  Trials(Evaluator& evaluator, std::vector<std::vector<std::uint64_t>> points)
      : evaluator_(evaluator), points_(std::move(points)) {}
  Trials(const Trials&) = delete;
  Trials& operator=(const Trials&) = delete;
  ~Trials() { stop(); }

  /// The measurements of a study that are complete within `seconds`. Studies are asked for in their order.
  std::vector<Measurement> of(std::size_t study, double seconds) {
    std::vector<Measurement> measurements;
    const std::size_t count = points_[study].size();
    if (count == 0) return measurements;
    if (seconds <= 0) {
      stop();
      return measurements;
    }
    if (child_ <= 0) start(study);
    const auto start = Clock::now();
    while (child_ > 0 && measurements.size() < count) {
      const double left = seconds - seconds_since(start);
      pollfd ready{results_, POLLIN, 0};
      Measurement one;
      if (left <= 0 || ::poll(&ready, 1, static_cast<int>(1000 * left) + 1) <= 0 ||
          ::read(results_, &one, sizeof one) != static_cast<ssize_t>(sizeof one)) {
        stop();
        break;
      }
      measurements.push_back(one);
    }
    return measurements;
  }

 private:
  void start(std::size_t first) {
    int ends[2];
    if (::pipe(ends) != 0) return;
    const pid_t parent = ::getpid();
    child_ = ::fork();
    if (child_ == 0) {
      exit_with_parent(parent);
      for (std::size_t study = first; study < points_.size(); ++study) evaluate(study, ends[1]);
      ::_exit(0);
    }
    ::close(ends[1]);
    results_ = ends[0];
    if (child_ < 0) ::close(results_);
  }

  /// In the child.
  void evaluate(std::size_t study, int results) {
    constexpr double identity_and_seconds = 24;
    journal::Entry entry;
    std::string bytes;
    for (const std::uint64_t point : points_[study]) {
      const auto start = Clock::now();
      evaluator_.evaluate(point, entry);
      Measurement one{seconds_since(start), 0};
      bytes.clear();
      journal::encode(entry.record, bytes);
      one.bytes = static_cast<double>(bytes.size()) + identity_and_seconds;
      if (::write(results, &one, sizeof one) != static_cast<ssize_t>(sizeof one)) ::_exit(0);
    }
  }

  void stop() {
    if (child_ <= 0) return;
    ::close(results_);
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
    child_ = 0;
  }

  Evaluator& evaluator_;
  std::vector<std::vector<std::uint64_t>> points_;
  pid_t child_ = 0;
  /// Where the child's measurements are read.
  int results_ = -1;
};

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
  const auto missing_points = [&](std::size_t study, std::uint64_t count) {
    const std::uint64_t begin = plan.offset(study);
    const PointSet& done = plan.studies[study].search() == nullptr ? known.done : none;
    return evenly_spaced(done, begin, begin + plan.studies[study].size(), count);
  };
  std::vector<std::vector<std::uint64_t>> tried;
  for (std::size_t i = 0; i < plan.studies.size(); ++i) {
    StudyForecast& study = studies.emplace_back();
    study.reused = known.done_of(plan, i);
    study.missing = plan.studies[i].size() - study.reused;
    study.mean_seconds = std::numeric_limits<double>::quiet_NaN();
    tried.push_back(study.missing == 0 ? std::vector<std::uint64_t>() : missing_points(i, max_trials));
  }
  Trials trials(evaluator, std::move(tried));
  for (std::size_t i = 0; i < plan.studies.size(); ++i) {
    StudyForecast& study = studies[i];
    if (study.missing == 0) continue;
    // The remaining studies share the remaining time equally.
    const double share = (seconds - seconds_since(start)) / static_cast<double>(plan.studies.size() - i);
    add_trials(trials.of(i, share), study);
    if (add_estimates(evaluator, missing_points(i, max_estimates), study)) continue;
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
