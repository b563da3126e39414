#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "commands/output.h"
#include "driver/driver.h"
#include "results/difference.h"
#include "results/ranking.h"
#include "sweep/plan.h"
#include "workload/input_size.h"

/// The subcommands of `pimsweep`. All print to stdout, throw InputError for bad input and return the exit status
/// (docs/driver.md).
namespace pimsweep::commands {

/// `pimsweep check FILE`: validates an experiment with all its files, warns of models that do not fit, and prints the
/// number of points. Throws InputError where a study has no point that can run. Without text, the form has all
/// problems, and 2 is returned if there is any.
int check(const std::string& experiment, const sweep::PlanOptions& options, const OutputForm& form);

/// Options of `pimsweep plan`.
struct PlanOptions {
  bool name_only = false;
  bool ids_only = false;
  /// Number of ranks to predict the time for; 0: that of this Slurm job, or the number of cores.
  int ranks = 0;
  /// Output and cache in which to look for existing results, as for a run.
  std::string output;
  std::string cache;
  OutputForm form;
};

/// `pimsweep plan FILE`: studies, points and varying axes; new and reusable points; predicted time, memory and disk
/// space of a run, and the command that submits it. Evaluates a few points, for at most two seconds.
int plan(const std::string& experiment, const sweep::PlanOptions& options, const PlanOptions& request);

/// `pimsweep status RESULTS [--study ID]... [--watch]`: how far a run is, or these studies of it, from its journals
/// alone while it has no results file; with `watch`, again every second until it ends. Returns 0 if it is complete, 1
/// if it is complete with failures, 75 if it is incomplete. Meant for launches whose own exit status is meaningless,
/// such as mpirun --enable-recovery.
int status(const std::string& output, const std::vector<std::string>& studies, bool watch, const OutputForm& form);

/// Writes what `status` writes in this form, without text, of a run that ends. Returns 0, or the exit status after an
/// error, which it prints.
int report_run(const std::string& output, const OutputForm& form);

/// Options of `pimsweep explain`.
struct ExplainOptions {
  /// An experiment file, or a results file.
  std::string file;
  /// Studies, overrides and folders.
  sweep::PlanOptions plan;
  std::int64_t point = 0;
  /// Numbers have all digits, in SI units.
  bool exact = false;
  /// Constants of the hardware are shown too.
  bool all = false;
  OutputForm form;
};

/// `pimsweep explain FILE --point N`: what decides one point, and every intermediate quantity. N counts from 0 over the
/// whole plan, or over the study if there is exactly one. Returns 0, or 1 if the point fails, after the reason.
int explain(const ExplainOptions& request);

/// Options of `pimsweep trace`.
struct TraceOptions {
  /// A results file, or an experiment file.
  std::string file;
  /// Studies and, for an experiment file, overrides.
  sweep::PlanOptions plan;
  std::int64_t point = 0;
  /// A file, or "-". Empty: none, where the form asks for CSV or JSON.
  std::string output;
  /// CSV and JSON have a row for each interval. `force`: files of other kinds are replaced, too.
  OutputForm form;
};

/// `pimsweep trace FILE --point N -o TRACE.json`: the timelines of a point in the Trace Event Format (results/trace.h),
/// or their intervals as CSV or JSON.
/// Uses the timeline that a results file holds; otherwise the point is evaluated again with its timeline recorded.
int trace(const TraceOptions& request, const ConfigFolders& configs);

/// `pimsweep list WHAT [NAME]`: systems, axes, metrics, models, hardware or policies; with `for_system`, the hardware
/// that this system takes.
int list(const std::string& what, const std::string& name, const std::string& for_system, const OutputForm& form,
         const ConfigFolders& configs);

/// `pimsweep schema [SYSTEM...]`: prints a JSON schema (draft-07) of experiment files with studies of these systems; of
/// all systems if there are none.
int experiment_schema(const std::vector<std::string>& systems, const ConfigFolders& configs);

/// Subjects that list() accepts.
std::vector<std::string> list_subjects();

/// Options of `pimsweep model`.
struct ModelOptions {
  /// Names of models and paths of network files.
  std::vector<std::string> models;
  workload::InputSize size;
  /// Treatment of nodes of an unknown type: a word of `unknown_operators` in an experiment.
  std::string unknown = "refuse";
  /// Meaning of the first dimension of a file's input: a word of `first_dimension` in an experiment.
  std::string first_dimension = "automatic";
  std::int64_t bytes_per_element = 2;
  OutputForm form;
  /// A graph for Graphviz takes the place of the text.
  bool dot = false;
  /// A file to write as ONNX.
  std::string onnx;
};

/// `pimsweep model NAME|FILE`: a network with all its operators (docs/models.md).
int model(const ModelOptions& request, const ConfigFolders& configs);

/// Options of `pimsweep training`.
struct TrainingOptions {
  /// A training step, or a model for its plain training step; empty: list all steps.
  std::string name;
  /// 0: the batch of the step.
  std::int64_t batch = 0;
  /// List every operation instead of sums by type.
  bool operations = false;
};

/// `pimsweep training [STEP]`: the operations of a training step (docs/training-graphs.md).
int training(const TrainingOptions& request, const OutputForm& form, const ConfigFolders& configs);

/// Languages of tables for papers.
enum class Markup : std::uint8_t { none, markdown, latex };

/// Options of `pimsweep show`.
struct ShowOptions {
  /// Empty: every study.
  std::vector<std::string> studies;
  /// Conditions over axes and metrics, as `where` in experiment files; all must hold.
  std::vector<std::string> where;
  /// A column with numbers, after "-" for the largest first; empty: the order of the points, or by the main metric
  /// where not all of them are shown.
  std::string sort;
  /// Lists of columns and expressions, separated by commas. Empty: the axes that vary and the main metrics.
  std::vector<std::string> columns;
  /// Headings of CSV and JSON have units: "time [s]".
  bool units = false;
  std::size_t count = 20;
  /// All digits, in SI units.
  bool exact = false;
  /// A table for a paper, with units in the headings, takes the place of the text.
  Markup markup = Markup::none;
  /// Digits of numbers in it.
  int digits = 4;
  /// CSV and JSON have all points.
  OutputForm form;
};

/// `pimsweep show RESULTS`: a table for each study, fitted to the terminal.
int show(const std::string& file, const ShowOptions& request);

/// `pimsweep show RESULTS --across`: the best point of each study by `request.sort`, or by the main metric that most
/// studies have.
int show_across(const std::string& file, const ShowOptions& request);

/// Options of `pimsweep export`.
struct ExportOptions {
  /// Empty: every study.
  std::vector<std::string> studies;
  /// A detail table, or "points"; empty: all.
  std::string table;
  /// csv, spreadsheet or jsonl.
  std::string format = "csv";
  /// names, row or none.
  std::string units = "names";
  /// A file, "-", or a folder where several tables are written. Empty: a folder beside the results file.
  std::string output;
  /// Files of other columns are replaced, too.
  bool force = false;
  /// All rows go to the standard output as one JSON list.
  bool json = false;
};

/// `pimsweep export RESULTS`: studies and their detail tables, each as a file with a line for each row.
int export_results(const std::string& file, const ExportOptions& request);

/// `pimsweep pareto RESULTS --min METRIC... [--max METRIC]... [--group-by AXIS]... [--study ID] [--csv FILE]
/// [--plot FILE]`: the Pareto-optimal designs (docs/explore.md). A plot of two metrics is drawn by the Python package.
int pareto(const std::string& results, const results::RankingOptions& request, const OutputForm& form,
           const std::string& plot);

/// `pimsweep top RESULTS --min METRIC [-n N] [--group-by AXIS]... [--across]`: the best points with their axes; with
/// `across`, the best point of each study in one ranking over all studies and systems.
int top(const std::string& results, const results::RankingOptions& request, std::size_t count, bool across,
        const OutputForm& form);

/// `pimsweep compare RESULTS [--study ID]...`: deviation of each metric X from the column reference_X.
int compare(const std::string& results, const std::vector<std::string>& studies, const OutputForm& form);

/// `pimsweep compare A B [--tolerance SHARE] [--study ID]...`: what changed between two results files. Returns 0 if
/// their results are equal, 1 if not.
int compare_files(const std::string& file_a, const std::string& file_b, const results::DifferenceOptions& options,
                  const OutputForm& form);

/// `pimsweep rerun RESULTS --point N [--study ID] [--all]`: evaluates a stored point again and compares the result with
/// the stored one bit for bit. `studies` names at most one; none is needed if the file has one. Returns 0 if identity
/// and result are equal, 1 if not.
int rerun(const std::string& file, const std::vector<std::string>& studies, std::int64_t number, bool all,
          const OutputForm& form, const ConfigFolders& configs);

}  // namespace pimsweep::commands
