#include "sweep/plan.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <thread>

#include "base/error.h"
#include "base/message.h"
#include "base/plural.h"
#include "base/quantity.h"
#include "commands/broken_files.h"
#include "commands/commands.h"
#include "commands/text_table.h"
#include "driver/fit_report.h"
#include "driver/forecast.h"
#include "driver/progress.h"
#include "sweep/misfits.h"

namespace pimsweep::commands {

namespace {

/// Number of ranks that a job would have here: that of the Slurm job, or the number of cores.
int default_ranks() {
  if (const char* tasks = std::getenv("SLURM_NTASKS"); tasks != nullptr && std::atoi(tasks) > 0)
    return std::atoi(tasks);
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
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

/// How many combinations of a study cannot run; empty if all of them can.
std::string fit_text(const sweep::StudyFit& fit) {
  if (fit.unfit == 0 && fit.complete) return {};
  return fmt::format("study '{}': {} of {} of {} cannot run{}\n", fit.study, fit.unfit,
                     count_of(fit.combinations, "combination"), fit.axes,
                     fit.complete ? "" : "; there are more combinations, which were not tried");
}

/// Prints what is not taken of files of other programs, each once.
void print_notes(const sweep::Plan& plan) {
  std::set<std::string> printed;
  for (const sweep::Study& study : plan.studies) {
    for (const auto& file : study.hardware()) {
      for (const std::string& note : file->notes) {
        if (printed.insert(note).second) fmt::print("note: {}\n", note);
      }
    }
  }
}

}  // namespace

int check(const std::string& experiment, const sweep::PlanOptions& options) {
  const sweep::Plan plan = sweep::load_plan(experiment, options);
  print_notes(plan);
  const std::vector<sweep::StudyFit> fits = sweep::find_misfits(plan);
  driver::report_misfits(fits);
  warn_of_broken_files(plan.configs);
  fmt::print("{}: ok, {}, {}\n", experiment, count_of(plan.studies.size(), "study", "studies"),
             count_of(plan.size(), "point"));
  for (const sweep::StudyFit& fit : fits) fmt::print("{}", fit_text(fit));
  return 0;
}

int plan(const std::string& experiment, const sweep::PlanOptions& options, const PlanQuestion& question) {
  const sweep::Plan plan = sweep::load_plan(experiment, options);
  if (question.name_only) {
    fmt::print("{}\n", plan.name);
    return 0;
  }
  if (question.ids_only) {
    for (const sweep::Study& study : plan.studies) fmt::print("{}\n", study.id());
    return 0;
  }
  driver::report_misfits(sweep::find_misfits(plan));
  const int ranks = question.ranks > 0 ? question.ranks : default_ranks();
  const std::string output = question.output.empty() ? fmt::format("results/{}.h5", plan.name) : question.output;
  driver::Evaluator evaluator(plan);
  driver::ResultLocations locations{results::journal_folder(output), output, {}};
  if (!question.cache.empty()) locations.cache.emplace(question.cache);
  const driver::KnownResults known =
      driver::find_known(plan, evaluator, locations, true, [](const results::JournalEntry&) {});
  for (const std::string& warning : known.warnings) print_warning("{}", warning);
  constexpr double max_trial_seconds = 2;
  const std::vector<driver::StudyForecast> studies = driver::forecast(plan, evaluator, known, max_trial_seconds);

  TextTable table({"study", "system", "points", "new", "reused", "first", "time each", "time from", "varies"});
  std::uint64_t missing = 0;
  double journal_bytes = 0;
  for (std::size_t i = 0; i < plan.studies.size(); ++i) {
    const sweep::Study& study = plan.studies[i];
    std::string varies;
    for (std::size_t axis = 0; axis < study.schema().axes.size(); ++axis) {
      if (!study.varies(axis) || study.follows_hardware(axis)) continue;
      if (!varies.empty()) varies += ", ";
      varies += study.schema().axes[axis].name;
    }
    table.add({study.id(), study.system(), std::to_string(study.size()), std::to_string(studies[i].missing),
               std::to_string(studies[i].reused), std::to_string(plan.offset(i)), cost_text(studies[i]),
               studies[i].source.empty() ? "-" : studies[i].source, varies});
    missing += studies[i].missing;
    journal_bytes += studies[i].point_bytes * static_cast<double>(studies[i].missing);
  }
  print_notes(plan);
  fmt::print("{}\n{}{} points in all: {} new, {} reused from {}\n", plan.name, table.aligned(), plan.size(), missing,
             plan.size() - missing, output);
  const double seconds = driver::predicted_seconds(studies, ranks);
  // Memory of this process, which has read the plan and evaluated points, plus an allowance for MPI and for writing the
  // file.
  constexpr double allowance = 64.0 * 1024 * 1024;
  const double memory = peak_bytes() + allowance;
  if (std::isnan(seconds)) {
    fmt::print("time unknown: no point finished within {} s\n", max_trial_seconds);
  } else {
    fmt::print("about {} on {}", driver::duration_text(seconds), count_of(static_cast<std::uint64_t>(ranks), "rank"));
    fmt::print(", up to {} of memory each, {} of journals and at most the same again for the file\n",
               format_quantity(std::ceil(memory / 1048576) * 1048576, "B"),
               journal_bytes < 1e6 ? "less than 1 MB" : fmt::format("about {:.3g} MB", journal_bytes / 1e6));
    fmt::print("sbatch --ntasks={} --time={} --mem-per-cpu={}M scripts/slurm/mpirun.sbatch {} {}\n", ranks,
               slurm_limit(seconds), static_cast<long>(std::ceil(memory / 1048576)), experiment, output);
  }
  return 0;
}

}  // namespace pimsweep::commands
