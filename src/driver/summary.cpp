#include "driver/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/message.h"
#include "base/plural.h"
#include "base/print.h"
#include "driver/launch.h"
#include "driver/plan_view.h"
#include "driver/progress.h"
#include "results/columns.h"
#include "results/overview.h"
#include "results/point_cells.h"

namespace pimsweep::driver {

namespace {

/// A point's study and its number in it, as in tables[17].
std::string name_of(const sweep::Plan& plan, std::uint64_t point) {
  const auto [study, index] = plan.locate(point);
  return fmt::format("{}[{}]", plan.studies[study].id(), index);
}

/// "policy allspark, batch 8": the values of the axes that the study varies, without constants of hardware files and of
/// sampled machines. Of many axes the last ones are only counted.
std::string place_of(const sweep::Study& study, std::uint64_t index) {
  constexpr std::size_t max_axes = 6;
  const std::vector<systems::Axis>& axes = study.schema().axes;
  systems::Point point(axes.size());
  study.point(index, point);
  std::string text;
  std::size_t varying = 0;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const bool is_shown = study.varies(axis) && !study.follows_hardware(axis) && !study.is_drawn(axis) &&
                          axes[axis].name != results::draw_column;
    if (!is_shown || ++varying > max_axes) continue;
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", axes[axis].name, results::brief(point[axis], axes[axis].unit));
  }
  return varying <= max_axes ? text : fmt::format("{} and {} more", text, varying - max_axes);
}

/// Findings of a search so far.
std::string search_text(const SearchLog& log) {
  if (log.generations.empty()) return "no generation is complete";
  const SearchLog::Generation& last = log.generations.back();
  return fmt::format("{} in the front, of {} feasible and {} infeasible ones in {}", count_of(last.front, "point"),
                     last.points - last.infeasible, last.infeasible, count_of(log.generations.size(), "generation"));
}

}  // namespace

void print_failures(const sweep::Plan& plan, const MergeResult& result, const std::string& output) {
  const std::size_t printed = std::min(max_printed_failures, result.failures.size());
  const std::uint64_t failures = result.counts[systems::Status::failed] + result.counts[systems::Status::crashed];
  for (std::size_t i = 0; i < printed; ++i) print_warning("failed: {}", result.failures[i]);
  if (printed > 0 && failures > printed) {
    print_note("{} more failed: see `status` and `message` in {}", failures - printed, output);
  }
  for (const std::uint64_t point : result.conflicts) {
    print_error("{} was evaluated twice with different results: the model is not deterministic", name_of(plan, point));
  }
}

void print_result(const sweep::Plan& plan, const MergeResult& result, const std::string& how,
                  const std::string& output) {
  std::string text = fmt::format("{}: {}: {} ok, {} infeasible, {} failed", plan.name,
                                 count_of(result.counts.total(), "point"), result.counts[systems::Status::ok],
                                 result.counts[systems::Status::infeasible], result.counts[systems::Status::failed]);
  if (result.counts[systems::Status::crashed] > 0)
    text += fmt::format(", {} crashed", result.counts[systems::Status::crashed]);
  if (result.counts[systems::Status::not_run] > 0)
    text += fmt::format(", {} not run", result.counts[systems::Status::not_run]);
  print_to(stdout, "{}; {}\n", text, how);
  print_to(stdout, "{} (written in {})\n", output, duration_text(result.seconds));
  std::fflush(stdout);
}

/// For a study without a number in its main metrics, such as the latency of a saturated network.
std::string text_without_answer(const systems::Schema& schema, const std::string& output, const std::string& study) {
  const std::string show = fmt::format("pimsweep show {} --study {}", output, study);
  if (const auto message = results::message_without_ok(output, study))
    return fmt::format("no point is ok: {}", message->empty() ? show : *message);
  if (schema.main_metrics.empty()) return "no point has a result: " + show;
  const std::string& name = schema.main_metrics.front();
  const int metric = schema.metric_index(name);
  const std::string absent = metric < 0 ? "" : schema.metrics[static_cast<std::size_t>(metric)].absent;
  return fmt::format("no point has {}{}: {}", name, absent.empty() ? "" : fmt::format(" ({})", absent), show);
}

void print_answers(const sweep::Plan& plan, const Searches& searches, const std::string& output) {
  constexpr std::size_t max_lines = 5;
  const std::size_t studies = plan.studies.size();
  const std::size_t shown = studies <= max_lines ? studies : max_lines - 1;
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string& id = plan.studies[i].id();
    if (const SearchLog* log = searches.log(i)) {
      print_to(stdout, "{}: {}: pimsweep pareto {} --study {}\n", id, search_text(*log), output, id);
      continue;
    }
    const auto answer = results::overview(output, id);
    print_to(stdout, "{}: {}\n", id,
             answer ? results::overview_text(*answer, place_of(plan.studies[i], answer->best_point))
                    : text_without_answer(plan.studies[i].schema(), output, id));
  }
  if (shown < studies) print_to(stdout, "{} more studies: pimsweep show {}\n", studies - shown, output);
  std::fflush(stdout);
}

void print_effort(const sweep::Plan& plan, const Tally& tally, const Outcome& outcome, int evaluators) {
  if (tally.done() == 0) return;
  const double available = outcome.seconds * evaluators;
  const double rate = static_cast<double>(tally.done()) / std::max(outcome.seconds, 1e-9);
  std::string text = rate < 100 ? fmt::format("{:.3g} points/s", rate) : fmt::format("{:.0f} points/s", rate);
  if (available > 0)
    text += fmt::format(", ranks busy {:.0f} %", 100 * std::min(1.0, tally.busy_seconds() / available));
  text += "; slowest:";
  for (const Tally::SlowPoint& slow : tally.slowest()) {
    text += fmt::format(" {} {:.3g} s{}", name_of(plan, slow.point), slow.seconds,
                        &slow == &tally.slowest().back() ? "" : ",");
  }
  print_to(stdout, "{}\n", text);
  std::fflush(stdout);
  // Open MPI takes about as long to start two ranks, and longer for more.
  constexpr double start_seconds = 0.15;
  if (is_mpi_launch() && tally.busy_seconds() < start_seconds) {
    print_note(
        "all points together took {:.0f} ms, less than MPI takes to start: the same command without mpirun is faster",
        1e3 * tally.busy_seconds());
  }
}

ExitStatus exit_status_of(const StatusCounts& counts) {
  if (counts[systems::Status::not_run] > 0) return exit_resumable;
  return counts[systems::Status::failed] + counts[systems::Status::crashed] > 0 ? exit_some_failed : exit_all_done;
}

}  // namespace pimsweep::driver
