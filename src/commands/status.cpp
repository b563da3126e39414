#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <thread>

#include "base/error.h"
#include "base/plural.h"
#include "base/print.h"
#include "commands/commands.h"
#include "commands/text_table.h"
#include "driver/output_files.h"
#include "driver/plan_view.h"
#include "driver/progress.h"
#include "driver/run_state.h"
#include "driver/summary.h"
#include "results/results_reader.h"

namespace pimsweep::commands {

namespace {

using systems::Status;

/// "12 of 100 points done, 3 failed; 4 ranks at work, 5.2 points/s, about 17 s left"
std::string progress_of(const driver::RunState& state, bool is_running) {
  std::string text = fmt::format("{} of {} done", state.done(), count_of(state.points(), "point"));
  const std::uint64_t failed = state.counts[Status::failed] + state.counts[Status::crashed];
  if (failed > 0) text += fmt::format(", {} failed", failed);
  if (!is_running) return text;
  text += fmt::format("; {} at work", count_of(state.ranks, "rank"));
  if (state.rate() <= 0) return text;
  const auto left = static_cast<double>(state.counts[Status::not_run]);
  return text +
         fmt::format(", {:.3g} points/s, about {} left", state.rate(), driver::duration_text(left / state.rate()));
}

/// Studies of a run that is not complete.
std::string by_study(const driver::RunState& state) {
  if (state.studies.size() < 2) return {};
  TextTable table({"study", "done", "points"});
  for (const auto& [id, points, done] : state.studies) table.add({id, std::to_string(done), std::to_string(points)});
  return table.aligned();
}

/// What is known of a run without a results file, or that goes on.
std::string journals_text(const std::string& output, const std::string& journals, bool is_running) {
  const std::string end = is_running ? "a run is writing it now" : "not written yet, but --resume continues its run";
  try {
    const driver::RunState state = driver::read_run_state(journals);
    return fmt::format("{}: {}: {}\n{}", output, end, progress_of(state, is_running), by_study(state));
  } catch (const InputError& error) {
    return fmt::format("{}: {} ({})\n", output, end, error.what());
  }
}

int status_of_results(const std::string& output) {
  driver::StatusCounts counts;
  for (const std::string& study : results::study_ids(output)) {
    const auto stored = results::stored_status_counts(output, study);
    for (std::size_t i = 0; i < stored.size(); ++i) counts.count[i] += stored[i];
  }
  print_to(stdout, "{}: {}: {} ok, {} infeasible, {} failed, {} crashed, {} not run\n", output,
           count_of(counts.total(), "point"), counts[Status::ok], counts[Status::infeasible], counts[Status::failed],
           counts[Status::crashed], counts[Status::not_run]);
  return driver::exit_status_of(counts);
}

/// Prints the state once; returns the exit status, and whether a run goes on.
int print_status(const std::string& output, bool& is_running) {
  const std::string journals = results::journal_folder(output);
  is_running = driver::OutputFiles::is_locked(journals);
  if (!is_running && std::filesystem::exists(output)) return status_of_results(output);
  if (!std::filesystem::exists(journals)) {
    throw InputError(fmt::format("there is neither '{}' nor journals of it", output));
  }
  print_to(stdout, "{}", journals_text(output, journals, is_running));
  return driver::exit_resumable;
}

}  // namespace

int status(const std::string& output, bool watch) {
  constexpr std::string_view clear_screen = "\033[H\033[J";
  bool is_running = false;
  int result = print_status(output, is_running);
  while (watch && is_running) {
    std::fflush(stdout);
    std::this_thread::sleep_for(std::chrono::seconds(1));
    if (::isatty(STDOUT_FILENO) == 1) print_to(stdout, "{}", clear_screen);
    result = print_status(output, is_running);
  }
  return result;
}

}  // namespace pimsweep::commands
