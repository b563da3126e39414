#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <string_view>
#include <thread>

#include "base/error.h"
#include "base/message.h"
#include "base/plural.h"
#include "base/print.h"
#include "commands/commands.h"
#include "commands/json.h"
#include "commands/text_table.h"
#include "driver/output_files.h"
#include "driver/plan_view.h"
#include "driver/progress.h"
#include "driver/run_state.h"
#include "driver/summary.h"
#include "results/point_cells.h"
#include "results/results_reader.h"

namespace pimsweep::commands {

namespace {

using systems::Status;

/// The run that is asked about: its files, and the studies of which the points are counted; none: all.
struct Run {
  std::string output;
  std::string journals;
  bool is_running = false;
  std::vector<std::string> studies;
};

/// State of a run according to its journals.
struct JournalState {
  /// State of the chosen studies.
  driver::RunState state;
  /// Points of all studies that are not done.
  std::uint64_t left = 0;
};

JournalState read_journals(const Run& run) {
  JournalState found{driver::read_run_state(run.journals)};
  found.left = found.state.counts()[Status::not_run];
  std::vector<std::string> ids;
  for (const driver::RunState::StudyState& study : found.state.studies) ids.push_back(study.id);
  const std::vector<std::string> chosen = results::chosen_studies(run.output, ids, run.studies);
  std::erase_if(found.state.studies, [&](const driver::RunState::StudyState& study) {
    return std::ranges::find(chosen, study.id) == chosen.end();
  });
  return found;
}

/// "12 of 100 points done, 3 failed; 4 ranks at work, 5.2 points/s, about 17 s left"
std::string progress_of(const JournalState& found, bool is_running) {
  const driver::RunState& state = found.state;
  const driver::StatusCounts counts = state.counts();
  std::string text = fmt::format("{} of {} done", state.done(), count_of(counts.total(), "point"));
  const std::uint64_t failed = counts[Status::failed] + counts[Status::crashed];
  if (failed > 0) text += fmt::format(", {} failed", failed);
  if (!is_running) return text;
  text += fmt::format("; {} at work", count_of(state.ranks, "rank"));
  if (state.rate() <= 0) return text;
  return text + fmt::format(", {:.3g} points/s, about {} left", state.rate(),
                            driver::duration_text(static_cast<double>(found.left) / state.rate()));
}

/// Studies of a run that is not complete.
std::string by_study(const driver::RunState& state) {
  if (state.studies.size() < 2) return {};
  TextTable table({"study", "done", "points"});
  for (const driver::RunState::StudyState& study : state.studies)
    table.add({study.id, std::to_string(study.done()), std::to_string(study.points())});
  return table.aligned();
}

/// State of a run that is in progress or has no results file.
std::string journals_text(const Run& run) {
  const std::string end =
      run.is_running ? "a run is writing it now" : "not written yet, but --resume continues its run";
  try {
    const JournalState found = read_journals(run);
    return fmt::format("{}: {}: {}\n{}", run.output, end, progress_of(found, run.is_running), by_study(found.state));
  } catch (const InputError& error) {
    if (!run.studies.empty()) throw;
    return fmt::format("{}: {} ({})\n", run.output, end, error.what());
  }
}

Json json_of(const driver::StatusCounts& counts) {
  Json json{{"points", counts.total()}};
  for (std::size_t i = 0; i < counts.count.size(); ++i) {
    json[std::string(systems::name_of(static_cast<Status>(i)))] = counts.count[i];
  }
  return json;
}

/// Writes the state, counts of points and what else is known as JSON, or a line for each study as CSV.
void write_state(const std::string& output, const char* state, const driver::StatusCounts& counts, const Json& more,
                 const OutputForm& form) {
  Json json{{"file", output}, {"state", state}};
  json.update(json_of(counts));
  json.update(more);
  if (form.json) print_to(stdout, "{}", text_of(json));
  if (form.csv.empty()) return;
  const Json& studies = json.at("studies");
  std::vector<std::string> headings;
  for (const auto& cell : studies.at(0).items()) headings.push_back(cell.key());
  TextTable table(headings);
  for (const Json& study : studies) {
    std::vector<std::string> cells;
    for (const Json& cell : study) cells.push_back(cell.is_string() ? cell.get<std::string>() : cell.dump());
    table.add(std::move(cells));
  }
  write_output(form.csv, table.csv(), form.force);
}

/// Numbers of the run that wrote the file; a merged file has none.
Json effort_of(const std::string& output) {
  Json json;
  for (const auto& [key, name] : {std::pair{"reused", "points_reused"}, std::pair{"evaluated", "points_computed"},
                                  std::pair{"ranks", "ranks"}, std::pair{"seconds", "evaluation_seconds"}}) {
    const std::string text = results::stored_provenance(output, name);
    if (Json::accept(text)) json[key] = Json::parse(text);
  }
  return json;
}

int status_of_results(const Run& run, const OutputForm& form, bool has_text) {
  const std::string& output = run.output;
  driver::StatusCounts counts;
  Json studies = Json::array();
  for (const std::string& study : results::chosen_studies(output, run.studies)) {
    const driver::StatusCounts stored{results::stored_status_counts(output, study)};
    for (std::size_t i = 0; i < stored.count.size(); ++i) counts.count[i] += stored.count[i];
    Json of_study{{"study", study}};
    of_study.update(json_of(stored));
    studies.push_back(of_study);
  }
  const int result = driver::exit_status_of(counts);
  Json more = form.json ? effort_of(output) : Json();
  more["studies"] = studies;
  write_state(output, result == driver::exit_resumable ? "stopped" : "complete", counts, more, form);
  if (has_text) {
    print_to(stdout, "{}: {}: {} ok, {} infeasible, {} failed, {} crashed, {} not run\n", output,
             count_of(counts.total(), "point"), counts[Status::ok], counts[Status::infeasible], counts[Status::failed],
             counts[Status::crashed], counts[Status::not_run]);
  }
  return result;
}

/// Status of a run that is in progress or has no results file.
void write_journals_state(const Run& run, const OutputForm& form) {
  const JournalState found = read_journals(run);
  const driver::RunState& state = found.state;
  Json studies = Json::array();
  for (const driver::RunState::StudyState& study : state.studies) {
    studies.push_back({{"study", study.id}, {"points", study.points()}, {"done", study.done()}});
  }
  Json more{{"done", state.done()}, {"studies", studies}};
  if (run.is_running) {
    const auto left = static_cast<double>(found.left);
    more["ranks"] = state.ranks;
    more["points_per_second"] = state.rate();
    more["seconds_left"] = state.rate() > 0 ? Json(left / state.rate()) : Json();
  }
  write_state(run.output, run.is_running ? "running" : "stopped", state.counts(), more, form);
}

/// Writes the state in the form, and as text if `has_text`. Returns the exit status.
int write_state(const Run& run, const OutputForm& form, bool has_text) {
  if (!run.is_running && !driver::OutputFiles::reusable(run.output).empty())
    return status_of_results(run, form, has_text);
  if (!std::filesystem::exists(run.journals)) {
    throw InputError(fmt::format("there is neither '{}' nor journals of it", run.output));
  }
  if (form.json || !form.csv.empty()) write_journals_state(run, form);
  if (has_text) print_to(stdout, "{}", journals_text(run));
  return driver::exit_resumable;
}

}  // namespace

int status(const std::string& output, const std::vector<std::string>& studies, bool watch, const OutputForm& form) {
  constexpr std::string_view clear_screen = "\033[H\033[J";
  Run run{output, journal::folder_of(output), false, studies};
  const auto print_status = [&] {
    run.is_running = driver::OutputFiles::is_locked(run.journals);
    return write_state(run, form, form.has_text());
  };
  int result = print_status();
  while (watch && run.is_running) {
    std::fflush(stdout);
    std::this_thread::sleep_for(std::chrono::seconds(1));
    if (::isatty(STDOUT_FILENO) == 1) print_to(stdout, "{}", clear_screen);
    result = print_status();
  }
  return result;
}

int report_run(const std::string& output, const OutputForm& form) {
  if (!form.json && form.csv.empty()) return driver::exit_all_done;
  try {
    write_state({output, journal::folder_of(output), false, {}}, form, false);
    return driver::exit_all_done;
  } catch (const std::exception& error) {
    print_error("{}", error.what());
    return driver::exit_output_error;
  }
}

}  // namespace pimsweep::commands
