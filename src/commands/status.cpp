#include <fmt/format.h>
#include <unistd.h>

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

/// State of a run that is in progress or has no results file.
std::string journals_text(const std::string& output, const std::string& journals, bool is_running) {
  const std::string end = is_running ? "a run is writing it now" : "not written yet, but --resume continues its run";
  try {
    const driver::RunState state = driver::read_run_state(journals);
    return fmt::format("{}: {}: {}\n{}", output, end, progress_of(state, is_running), by_study(state));
  } catch (const InputError& error) {
    return fmt::format("{}: {} ({})\n", output, end, error.what());
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

int status_of_results(const std::string& output, const OutputForm& form, bool has_text) {
  driver::StatusCounts counts;
  Json studies = Json::array();
  for (const std::string& study : results::study_ids(output)) {
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
void write_journals_state(const std::string& output, const std::string& journals, bool is_running,
                          const OutputForm& form) {
  const driver::RunState state = driver::read_run_state(journals);
  Json studies = Json::array();
  for (const auto& [id, points, done] : state.studies) {
    studies.push_back({{"study", id}, {"points", points}, {"done", done}});
  }
  Json more{{"done", state.done()}, {"studies", studies}};
  if (is_running) {
    const auto left = static_cast<double>(state.counts[Status::not_run]);
    more["ranks"] = state.ranks;
    more["points_per_second"] = state.rate();
    more["seconds_left"] = state.rate() > 0 ? Json(left / state.rate()) : Json();
  }
  write_state(output, is_running ? "running" : "stopped", state.counts, more, form);
}

/// Writes the state in the form, and as text if `has_text`. Returns the exit status.
int write_state(const std::string& output, bool is_running, const OutputForm& form, bool has_text) {
  const std::string journals = journal::folder_of(output);
  if (!is_running && !driver::OutputFiles::reusable(output).empty()) return status_of_results(output, form, has_text);
  if (!std::filesystem::exists(journals)) {
    throw InputError(fmt::format("there is neither '{}' nor journals of it", output));
  }
  if (form.json || !form.csv.empty()) write_journals_state(output, journals, is_running, form);
  if (has_text) print_to(stdout, "{}", journals_text(output, journals, is_running));
  return driver::exit_resumable;
}

/// Prints the state once; returns the exit status, and whether a run goes on.
int print_status(const std::string& output, const OutputForm& form, bool& is_running) {
  is_running = driver::OutputFiles::is_locked(journal::folder_of(output));
  return write_state(output, is_running, form, form.has_text());
}

}  // namespace

int status(const std::string& output, bool watch, const OutputForm& form) {
  constexpr std::string_view clear_screen = "\033[H\033[J";
  bool is_running = false;
  int result = print_status(output, form, is_running);
  while (watch && is_running) {
    std::fflush(stdout);
    std::this_thread::sleep_for(std::chrono::seconds(1));
    if (::isatty(STDOUT_FILENO) == 1) print_to(stdout, "{}", clear_screen);
    result = print_status(output, form, is_running);
  }
  return result;
}

int report_run(const std::string& output, const OutputForm& form) {
  if (!form.json && form.csv.empty()) return driver::exit_all_done;
  try {
    write_state(output, false, form, false);
    return driver::exit_all_done;
  } catch (const std::exception& error) {
    print_error("{}", error.what());
    return driver::exit_output_error;
  }
}

}  // namespace pimsweep::commands
