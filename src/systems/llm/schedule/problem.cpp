#include "systems/llm/schedule/problem.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace pimsweep::systems::llm::schedule {

namespace {

void validate_table(std::span<const double> seconds, std::size_t rows, const std::string& what) {
  if (seconds.size() != rows + 1) {
    throw PointError(fmt::format("{} has {} times, but 0 to {} rows need {}", what, seconds.size(), rows, rows + 1));
  }
  for (std::size_t r = 0; r < seconds.size(); ++r) {
    if (!(seconds[r] >= 0)) {
      throw PointError(fmt::format("{} takes {} s for {} rows; allowed are times of at least 0", what, seconds[r], r));
    }
  }
}

/// Adds an interval, unless it takes no time.
void append(Job& job, Resources uses, double seconds) {
  if (seconds > 0) job.push_back({uses, seconds});
}

}  // namespace

double Way::seconds(std::size_t rows) const {
  double sum = 0;
  for (const Phase& phase : phases) sum += phase.seconds[rows];
  return sum;
}

double StepProblem::move_seconds(std::size_t before, Side to, std::size_t rows_moved) const {
  const std::size_t boundary = before % operators;
  if (boundary >= moves.size()) return 0;
  const std::vector<double>& seconds = moves[boundary][static_cast<std::size_t>(to)];
  return seconds.empty() ? 0 : seconds[rows_moved];
}

void validate(const StepProblem& problem) {
  for (std::size_t w = 0; w < problem.ways.size(); ++w) {
    const Way& way = problem.ways[w];
    if (way.first >= way.last || way.last > problem.operators) {
      throw PointError(fmt::format("way {} runs operators {} to before {}; allowed are ranges within 0 to {}", w,
                                   way.first, way.last, problem.operators));
    }
    for (const Phase& phase : way.phases) {
      validate_table(phase.seconds, problem.rows, fmt::format("a phase of way {}", w));
    }
  }
  if (problem.moves.size() > problem.operators) {
    throw PointError(
        fmt::format("moves before {} operators, but a block has {}", problem.moves.size(), problem.operators));
  }
  for (std::size_t i = 0; i < problem.moves.size(); ++i) {
    for (const std::vector<double>& seconds : problem.moves[i]) {
      const std::string what = fmt::format("a move before operator {}", i);
      if (!seconds.empty()) validate_table(seconds, problem.rows, what);
      if (std::ranges::find(seconds, infinite) != seconds.end()) {
        throw PointError(fmt::format("{} never ends; allowed are finite times", what));
      }
    }
  }
}

Job make_job(const StepProblem& problem, const Assignment& assignment, std::size_t rows) {
  Job job;
  Side side = Side::gpu;
  const auto bring = [&](std::size_t before, Side to) {
    if (side != to) append(job, link_only, problem.move_seconds(before, to, rows));
    side = to;
  };
  for (std::size_t block = 0; block < problem.blocks; ++block) {
    for (const std::size_t w : assignment) {
      const Way& way = problem.ways[w];
      bring(way.first, way.needs);
      for (const Phase& phase : way.phases) append(job, phase.uses, phase.seconds[rows]);
      side = way.leaves;
    }
  }
  bring(problem.operators, Side::gpu);
  return job;
}

double length(std::span<const Interval> job) {
  double sum = 0;
  for (const Interval& interval : job) sum += interval.seconds;
  return sum;
}

}  // namespace pimsweep::systems::llm::schedule
