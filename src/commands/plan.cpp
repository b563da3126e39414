#include "sweep/plan.h"

#include <fmt/ranges.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "base/message.h"
#include "base/plural.h"
#include "base/quantity.h"
#include "commands/commands.h"
#include "commands/json.h"
#include "commands/notes.h"
#include "commands/text_table.h"
#include "driver/fit_report.h"
#include "driver/forecast.h"
#include "driver/local_ranks.h"
#include "driver/output_files.h"
#include "driver/plan_view.h"
#include "driver/progress.h"
#include "sweep/misfits.h"

namespace pimsweep::commands {

namespace {

/// Number of ranks that a run would have here: that of the Slurm job, or that of a run without a launcher.
int default_ranks() {
  if (const char* tasks = std::getenv("SLURM_NTASKS"); tasks != nullptr && std::atoi(tasks) > 0)
    return std::atoi(tasks);
  return driver::default_local_ranks();
}

/// Peak resident memory of this process, in bytes.
double peak_bytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

std::string cost_text(const driver::StudyForecast& study) {
  if (study.missing == 0) return "-";
  return std::isnan(study.mean_seconds) ? "unknown" : fmt::format("{:.3g} s", study.mean_seconds);
}

/// Time limit as HH:MM:00, with a margin of 50 % and five minutes for the start.
std::string slurm_limit(double seconds) {
  const auto minutes = static_cast<long>(std::ceil(1.5 * seconds / 60)) + 5;
  return fmt::format("{:02}:{:02}:00", minutes / 60, minutes % 60);
}

/// Work and resources of a run.
struct Forecast {
  std::string output;
  int ranks = 1;
  std::vector<driver::StudyForecast> studies = {};
  std::uint64_t missing = 0;
  /// NaN if no point finished in time.
  double seconds = 0;
  double memory_bytes = 0;
  double journal_bytes = 0;
};

constexpr double max_trial_seconds = 2;

Forecast predict(const sweep::Plan& plan, const PlanOptions& request) {
  Forecast forecast;
  forecast.ranks = request.ranks > 0 ? request.ranks : default_ranks();
  forecast.output = request.output.empty() ? fmt::format("results/{}.h5", plan.name) : request.output;
  driver::Evaluator evaluator(plan);
  driver::ResultLocations locations{
      journal::folder_of(forecast.output), driver::OutputFiles::reusable(forecast.output), {}};
  if (!request.cache.empty()) locations.cache.emplace(request.cache);
  const driver::KnownResults known = driver::find_known(plan, evaluator, locations, true, [](const journal::Entry&) {});
  for (const std::string& warning : known.warnings) print_warning("{}", warning);
  forecast.studies = driver::forecast(plan, evaluator, known, max_trial_seconds);
  for (const driver::StudyForecast& study : forecast.studies) {
    forecast.missing += study.missing;
    forecast.journal_bytes += study.point_bytes * static_cast<double>(study.missing);
  }
  forecast.seconds = driver::predicted_seconds(forecast.studies, forecast.ranks);
  // Memory of this process, which has read the plan and evaluated points, plus an allowance for MPI and for writing the
  // file.
  constexpr double allowance = 64.0 * 1024 * 1024;
  forecast.memory_bytes = peak_bytes() + allowance;
  return forecast;
}

std::vector<std::string> varying_axes(const sweep::Study& study) {
  std::vector<std::string> names;
  for (std::size_t axis = 0; axis < study.schema().axes.size(); ++axis) {
    if (study.varies(axis) && !study.follows_hardware(axis) && !study.is_drawn(axis))
      names.push_back(study.schema().axes[axis].name);
  }
  return names;
}

/// The script of jobs: of this folder, or of the source tree or the installation that the configs belong to.
std::string job_script(const ConfigFolders& configs) {
  std::string script = "scripts/slurm/mpirun.sbatch";
  if (std::filesystem::exists(script)) return script;
  for (const ConfigFolder& folder : configs.hardware) {
    const std::filesystem::path path = std::filesystem::path(folder.path).parent_path().parent_path() / script;
    if (std::filesystem::exists(path)) return path.string();
  }
  return script;
}

/// The command that submits the run.
std::string sbatch_text(const std::string& experiment, const sweep::Plan& plan, const Forecast& forecast) {
  return fmt::format("sbatch --ntasks={} --time={} --mem-per-cpu={}M {} {} {}", forecast.ranks,
                     slurm_limit(forecast.seconds), static_cast<long>(std::ceil(forecast.memory_bytes / 1048576)),
                     job_script(plan.configs), experiment, forecast.output);
}

/// A row for each study; with `exact`, the time of a point as a number of seconds.
TextTable table_of(const sweep::Plan& plan, const Forecast& forecast, bool exact) {
  const char* each = exact ? "seconds each" : "time each";
  TextTable table({"study", "system", "points", "new", "reused", "first", each, "time from", "varies"});
  for (std::size_t i = 0; i < plan.studies.size(); ++i) {
    const sweep::Study& study = plan.studies[i];
    const driver::StudyForecast& of_study = forecast.studies[i];
    table.add({study.id(), study.system(), std::to_string(study.size()), std::to_string(of_study.missing),
               std::to_string(of_study.reused), std::to_string(plan.offset(i)),
               exact ? to_text(of_study.mean_seconds) : cost_text(of_study),
               of_study.source.empty() ? "-" : of_study.source,
               fmt::format("{}", fmt::join(varying_axes(study), ", "))});
  }
  return table;
}

void print_forecast(const std::string& experiment, const sweep::Plan& plan, const Forecast& forecast) {
  const TextTable table = table_of(plan, forecast, false);
  print_notes(plan);
  fmt::print("{}\n{}{} in all: {} new, {} reused from {}\n", plan.name, table.aligned(), count_of(plan.size(), "point"),
             forecast.missing, plan.size() - forecast.missing, forecast.output);
  if (std::isnan(forecast.seconds)) {
    fmt::print("time unknown: no point finished within {} s\n", max_trial_seconds);
    return;
  }
  fmt::print("about {} on {}", driver::duration_text(forecast.seconds),
             count_of(static_cast<std::uint64_t>(forecast.ranks), "rank"));
  fmt::print(
      ", up to {} of memory each, {} of journals and at most the same again for the file\n",
      format_quantity(std::ceil(forecast.memory_bytes / 1048576) * 1048576, "B"),
      forecast.journal_bytes < 1e6 ? "less than 1 MB" : fmt::format("about {:.3g} MB", forecast.journal_bytes / 1e6));
  fmt::print("{}\n", sbatch_text(experiment, plan, forecast));
}

void print_forecast_as_json(const std::string& experiment, const sweep::Plan& plan, const Forecast& forecast) {
  Json studies = Json::array();
  for (std::size_t i = 0; i < plan.studies.size(); ++i) {
    const sweep::Study& study = plan.studies[i];
    const driver::StudyForecast& of_study = forecast.studies[i];
    studies.push_back({{"study", study.id()},
                       {"system", study.system()},
                       {"points", study.size()},
                       {"new", of_study.missing},
                       {"reused", of_study.reused},
                       {"first", plan.offset(i)},
                       {"seconds_each", commands::json_of(std::optional(of_study.mean_seconds))},
                       {"time_from", of_study.source},
                       {"varies", varying_axes(study)}});
  }
  const bool is_known = !std::isnan(forecast.seconds);
  fmt::print("{}", text_of({{"experiment", plan.name},
                            {"output", forecast.output},
                            {"points", plan.size()},
                            {"new", forecast.missing},
                            {"reused", plan.size() - forecast.missing},
                            {"ranks", forecast.ranks},
                            {"seconds", commands::json_of(std::optional(forecast.seconds))},
                            {"memory_bytes", std::ceil(forecast.memory_bytes)},
                            {"journal_bytes", std::ceil(forecast.journal_bytes)},
                            {"sbatch", is_known ? Json(sbatch_text(experiment, plan, forecast)) : Json()},
                            {"notes", notes_of(plan)},
                            {"studies", studies}}));
}

}  // namespace

int plan(const std::string& experiment, const sweep::PlanOptions& options, const PlanOptions& request) {
  const sweep::Plan plan = sweep::load_plan(experiment, options);
  if (request.name_only) {
    fmt::print("{}\n", plan.name);
    return 0;
  }
  if (request.ids_only) {
    for (const sweep::Study& study : plan.studies) fmt::print("{}\n", study.id());
    return 0;
  }
  driver::check_names(plan);
  driver::report_misfits(sweep::find_misfits(plan));
  const Forecast forecast = predict(plan, request);
  if (request.form.json) print_forecast_as_json(experiment, plan, forecast);
  if (request.form.has_text()) print_forecast(experiment, plan, forecast);
  if (!request.form.csv.empty())
    write_output(request.form.csv, table_of(plan, forecast, true).csv(), request.form.force);
  return 0;
}

}  // namespace pimsweep::commands
