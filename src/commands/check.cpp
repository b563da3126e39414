#include <fmt/format.h>

#include <set>

#include "base/plural.h"
#include "calibrate/rows.h"
#include "commands/broken_files.h"
#include "commands/commands.h"
#include "commands/json.h"
#include "commands/notes.h"
#include "driver/fit_report.h"
#include "driver/plan_view.h"
#include "sweep/misfits.h"
#include "workload/import/network_files.h"

namespace pimsweep::commands {

namespace {

/// Reads an experiment with the rows of its calibrations.
sweep::Plan load_checked(const std::string& experiment, const sweep::PlanOptions& options) {
  sweep::Plan plan = sweep::load_plan(experiment, options);
  for (const sweep::Study& study : plan.studies) {
    if (study.calibration() != nullptr) calibrate::read_rows(study);
  }
  return plan;
}

/// Number of combinations of a study that cannot run; empty if all can.
std::string fit_text(const sweep::StudyFit& fit) {
  if (fit.unfit == 0 && fit.complete) return {};
  if (fit.unfit == 0) {
    return fmt::format("study '{}': the first {} of {} can run; the others were not checked\n", fit.study,
                       count_of(fit.combinations, "combination"), fit.axes);
  }
  return fmt::format("study '{}': {} of {} of {} cannot run{}\n", fit.study, fit.unfit,
                     count_of(fit.combinations, "combination"), fit.axes,
                     fit.complete ? "" : "; there are more combinations, which were not tried");
}

Json json_of(const std::vector<Problem>& problems) {
  Json list = Json::array();
  for (const Problem& problem : problems) {
    list.push_back({{"file", problem.where.file},
                    {"line", problem.where.line},
                    {"column", problem.where.column},
                    {"message", problem.message}});
  }
  return list;
}

/// Everything that is found: errors keep the experiment from running, which then has no known studies and points.
struct Found {
  std::vector<Problem> errors;
  std::vector<Problem> warnings;
  std::vector<std::string> notes;
  Json studies;
  Json points;

  int status() const { return errors.empty() ? driver::exit_all_done : driver::exit_bad_input; }
};

Found find_everything(const std::string& experiment, const sweep::PlanOptions& options) {
  Found found;
  try {
    const sweep::Plan plan = load_checked(experiment, options);
    driver::check_names(plan);
    const sweep::FitProblems fit = sweep::problems_of(sweep::find_misfits(plan));
    found.errors = fit.errors;
    found.warnings = fit.warnings;
    found.studies = plan.studies.size();
    found.points = plan.size();
    found.notes = notes_of(plan);
    const std::vector<Problem> broken = find_broken_files(plan.configs);
    found.warnings.insert(found.warnings.end(), broken.begin(), broken.end());
  } catch (const InputError& error) {
    found.errors = error.problems();
  }
  return found;
}

std::string json_text(const std::string& experiment, const Found& found) {
  return text_of({{"experiment", experiment},
                  {"ok", found.errors.empty()},
                  {"studies", found.studies},
                  {"points", found.points},
                  {"problems", json_of(found.errors)},
                  {"warnings", json_of(found.warnings)},
                  {"notes", found.notes}});
}

std::string csv_text(const Found& found) {
  TextTable table({"kind", "file", "line", "column", "message"});
  const auto add = [&](const char* kind, const std::vector<Problem>& problems) {
    for (const Problem& p : problems) {
      table.add({kind, p.where.file, std::to_string(p.where.line), std::to_string(p.where.column), p.message});
    }
  };
  add("problem", found.errors);
  add("warning", found.warnings);
  return table.csv();
}

}  // namespace

std::vector<std::string> notes_of(const sweep::Plan& plan) {
  std::vector<std::string> notes;
  std::set<std::string> seen;
  for (const sweep::Study& study : plan.studies) {
    for (const auto& file : study.hardware()) {
      for (const std::string& note : file->notes) {
        if (seen.insert(note).second) notes.push_back(note);
      }
    }
  }
  for (const auto& network : workload::import::known_networks()) {
    for (const std::string& note : network->model.notes) notes.push_back(fmt::format("{}: {}", network->name, note));
  }
  return notes;
}

void print_notes(const sweep::Plan& plan) {
  for (const std::string& note : notes_of(plan)) fmt::print("note: {}\n", note);
}

int check(const std::string& experiment, const sweep::PlanOptions& options, const OutputForm& form) {
  if (form.json || !form.csv.empty()) {
    const Found found = find_everything(experiment, options);
    if (form.json) fmt::print("{}", json_text(experiment, found));
    if (!form.csv.empty()) write_output(form.csv, csv_text(found), form.force);
    if (!form.has_text()) return found.status();
  }
  const sweep::Plan plan = load_checked(experiment, options);
  driver::check_names(plan);
  print_notes(plan);
  const std::vector<sweep::StudyFit> fits = sweep::find_misfits(plan);
  driver::report_misfits(fits);
  print_warnings(find_broken_files(plan.configs));
  fmt::print("{}: ok, {}, {}\n", experiment, count_of(plan.studies.size(), "study", "studies"),
             count_of(plan.size(), "point"));
  for (const sweep::StudyFit& fit : fits) fmt::print("{}", fit_text(fit));
  return driver::exit_all_done;
}

}  // namespace pimsweep::commands
