#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "commands/commands.h"
#include "results/seal.h"
#include "results/version.h"

namespace {

using namespace pimsweep;

constexpr int bad_input = 2;
constexpr int internal_error = 70;
constexpr int output_error = 74;

/// Where the program finds its files.
struct Folders {
  std::string configs;
  std::string published;
};

/// The command line. Each command stores here what it does; it is done after all arguments were read.
struct CommandLine {
  CLI::App app{
      "Batch experiments for processing-in-memory research.\n"
      "Run an experiment:    pimsweep experiments/allspark.toml\n"
      "on many ranks:        mpirun -n 64 pimsweep experiments/allspark.toml\n"
      "continue a stopped or changed one:  pimsweep experiments/allspark.toml --resume\n"
      "Exit status: 0 all points done; 1 some points failed; 2 bad input; 74 output cannot be written; 75 stopped "
      "early, "
      "resumable."};
  std::function<int(const Folders&)> action;

  /// Adds a subcommand, whose options are members of `options` (shared, so that they outlive the function that declares
  /// them), and which does `act`.
  template <typename Options>
  CLI::App& add(const std::string& name, const std::string& doc, std::shared_ptr<Options> options,
                int (*act)(Options& options, const Folders& folders)) {
    CLI::App* command = app.add_subcommand(name, doc);
    command->callback(
        [this, options, act] { action = [options, act](const Folders& folders) { return act(*options, folders); }; });
    return *command;
  }
};

/// Options of the commands that read an experiment file.
struct ExperimentOptions {
  std::string experiment;
  sweep::PlanOptions plan;
  driver::RunOptions run;
  commands::PlanQuestion question;
  std::uint64_t point = 0;

  sweep::PlanOptions& plan_in(const Folders& folders) {
    plan.config_dir = folders.configs;
    return plan;
  }
};

/// Options of the commands that read results files.
struct ResultsOptions {
  std::vector<std::string> files;
  std::vector<std::string> studies;
  std::vector<std::string> minimized;
  std::vector<std::string> maximized;
  results::FrontQuestion front;
  results::RankingQuestion ranking;
  std::size_t count = 10;
  std::uint64_t point = 0;
  std::string metric;
  std::string output;
  std::string csv;
  bool all = false;
  bool across = false;

  const std::string& file() const { return files.front(); }
  const results::RankingQuestion& ranking_question() {
    for (const std::string& name : minimized) ranking.objectives.push_back({name, false});
    for (const std::string& name : maximized) ranking.objectives.push_back({name, true});
    return ranking;
  }
};

struct ListOptions {
  std::string what;
  std::string name;
  bool csv = false;
};

struct TrainingOptions {
  commands::TrainingQuestion question;
  bool csv = false;
};

void add_plan_options(CLI::App& command, ExperimentOptions& options) {
  command.add_option("--study", options.plan.studies, "Only this study (may be given several times)")->type_name("ID");
  command.add_option("--set", options.plan.overrides, "Fix an axis in every study that has it, e.g. --set batch=4")
      ->type_name("KEY=VALUE");
}

void add_experiment(CLI::App& command, ExperimentOptions& options) {
  command.add_option("experiment", options.experiment, "Experiment file (docs/experiment-files.md)")
      ->required()
      ->type_name("FILE");
  add_plan_options(command, options);
}

void add_unsealed(CLI::App& command) {
  command.add_flag_callback(
      "--unsealed", [] { results::accept_unsealed_files(true); },
      "Also read a results file that another program has written to and that has no checksum: a "
      "damaged one may crash HDF5 or give wrong numbers");
}

void add_results_file(CLI::App& command, ResultsOptions& options) {
  add_unsealed(command);
  command.add_option("results", options.files, "Results file")->required()->expected(1)->type_name("RESULTS");
}

void add_run_limits(CLI::App& app, driver::RunOptions& run) {
  app.add_option("--max-failures", run.max_failures,
                 "Stop when this many points have failed, or none (default: 5 % of all, at least 20)")
      ->type_name("N");
  app.add_option("--time-limit", run.time_limit,
                 "Stop early enough to finish within TIME: 90, \"45 min\", 1:30:00 (the rest of a Slurm allocation "
                 "always counts)")
      ->type_name("TIME");
  app.add_option("--grace", run.grace, "Time in-flight points may run after a signal")
      ->type_name("TIME")
      ->capture_default_str();
  app.add_option("--point-limit", run.point_limit,
                 "Time that a point may take (default: 20 times the longest so far, at least 10 min)")
      ->type_name("TIME");
  app.add_option("--progress", run.progress, "How to show progress; bar means plain where stderr is no terminal")
      ->check(CLI::IsMember({"bar", "plain", "none"}))
      ->capture_default_str();
  // For tests of what happens when ranks die: hidden.
  app.add_option("--fault", run.fault)->group("");
  app.add_option("--silence", run.silence)->group("");
}

/// What the program does without a subcommand: it runs the experiment.
std::shared_ptr<ExperimentOptions> add_run(CLI::App& app) {
  auto options = std::make_shared<ExperimentOptions>();
  driver::RunOptions& run = options->run;
  app.add_option("experiment", options->experiment, "Experiment file to run (docs/experiment-files.md)")
      ->type_name("FILE");
  add_plan_options(app, *options);
  app.add_option("-o,--output", run.output, "Results file (default results/<experiment name>.h5)")->type_name("FILE");
  app.add_flag("--resume", run.resume, "Keep every point that the results file or its journals hold already");
  app.add_flag("--force", run.force, "Discard existing results and journals of this output");
  app.add_flag("--keep-journals", run.keep_journals, "Keep the journals after the results file is complete");
  app.add_flag("--retry-crashed", run.retry_crashed,
               "Evaluate points again that killed their rank twice in an earlier run");
  app.add_option("--cache", run.cache, "Share results with other experiments in this folder")->type_name("DIR");
  add_run_limits(app, run);
  return options;
}

void add_experiment_commands(CommandLine& line) {
  auto options = std::make_shared<ExperimentOptions>();
  add_experiment(line.add(
                     "check", "Report every mistake in an experiment file, and every model that cannot run", options,
                     +[](ExperimentOptions& o, const Folders& folders) {
                       return commands::check(o.experiment, o.plan_in(folders));
                     }),
                 *options);
  CLI::App& plan = line.add(
      "plan", "Show studies and points: what is new, what is reused, what it will take", options,
      +[](ExperimentOptions& o, const Folders& folders) {
        return commands::plan(o.experiment, o.plan_in(folders), o.question);
      });
  plan.add_flag("--name", options->question.name_only, "Print only the experiment's name");
  plan.add_flag("--ids", options->question.ids_only, "Print only the ids of the studies");
  plan.add_option("--ranks", options->question.ranks,
                  "Predict the time for so many ranks (default: of this Slurm job, else cores)")
      ->check(CLI::Range(1, 10'000'000))
      ->type_name("N");
  plan.add_option("-o,--output", options->question.output, "Results file (default results/<experiment name>.h5)")
      ->type_name("FILE");
  plan.add_option("--cache", options->question.cache, "Look for results in this folder too")->type_name("DIR");
  add_experiment(plan, *options);
  CLI::App& explain = line.add(
      "explain", "Show one point with every intermediate quantity", options,
      +[](ExperimentOptions& o, const Folders& folders) {
        return commands::explain(o.experiment, o.plan_in(folders), o.point);
      });
  explain.add_option("--point", options->point, "Number of the point, from 0 (within the study if --study names one)")
      ->required()
      ->type_name("N");
  add_experiment(explain, *options);
}

void add_list_commands(CommandLine& line) {
  auto list = std::make_shared<ListOptions>();
  const std::string subjects = fmt::format("{}", fmt::join(commands::list_subjects(), " | "));
  CLI::App& lists = line.add(
      "list", "List what can be named in files: " + subjects, list,
      +[](ListOptions& o, const Folders& folders) { return commands::list(o.what, o.name, o.csv, folders.configs); });
  lists.add_option("what", list->what, subjects)->required()->type_name("WHAT");
  lists.add_option("name", list->name, "Only this system, model or hardware")->type_name("NAME");
  lists.add_flag("--csv", list->csv, "Print CSV");

  auto training = std::make_shared<TrainingOptions>();
  CLI::App& steps = line.add(
      "training", "Show the operations of a training step, or list the steps", training,
      +[](TrainingOptions& o, const Folders& folders) {
        return commands::training(o.question, o.csv, folders.configs);
      });
  steps.add_option("step", training->question.name, "Training step of configs/training, or a model")->type_name("STEP");
  steps.add_option("--batch", training->question.batch, "Images or sequences (default: those of the step)")
      ->check(CLI::Range(1, 65536))
      ->type_name("N");
  steps.add_flag("--operations", training->question.operations, "Every operation instead of sums for each type");
  steps.add_flag("--csv", training->csv, "Print CSV");
}

void add_report_commands(CommandLine& line) {
  auto options = std::make_shared<ResultsOptions>();
  CLI::App& report = line.add(
      "report", "Put published numbers beside the reproduced ones", options,
      +[](ResultsOptions& o, const Folders& folders) { return commands::report(o.files, o.csv, folders.published); });
  add_unsealed(report);
  report.add_option("results", options->files, "Results files")->required()->type_name("RESULTS");
  report.add_option("--csv", options->csv, "Write the report to this file too")->type_name("FILE");
  add_results_file(line.add(
                       "compare", "Deviation of each metric X from the column reference_X", options,
                       +[](ResultsOptions& o, const Folders&) { return commands::compare(o.file()); }),
                   *options);
  CLI::App& fidelity = line.add(
      "fidelity", "How far the axis fidelity moves results, ranks and fronts", options,
      +[](ResultsOptions& o, const Folders&) { return commands::fidelity(o.file(), o.front); });
  add_results_file(fidelity, *options);
  fidelity.add_option("--min", options->front.objectives, "Minimized for the fronts (may be given several times)")
      ->type_name("METRIC");
  fidelity.add_option("--group-by", options->front.group_by, "Designs compete where this axis agrees")
      ->type_name("AXIS");
}

void add_ranking_options(CLI::App& command, ResultsOptions& options) {
  add_results_file(command, options);
  command.add_option("--min", options.minimized, "Metric to minimize (may be given several times)")
      ->type_name("METRIC");
  command.add_option("--max", options.maximized, "Metric to maximize (may be given several times)")
      ->type_name("METRIC");
  command.add_option("--group-by", options.ranking.group_by, "Points compete where this axis agrees")
      ->type_name("AXIS");
  command.add_option("--study", options.ranking.study, "Only this study")->type_name("ID");
  command.add_option("--csv", options.csv, "Write the points to this file too")->type_name("FILE");
}

void add_ranking_commands(CommandLine& line) {
  auto options = std::make_shared<ResultsOptions>();
  add_ranking_options(
      line.add(
          "pareto", "Pareto-optimal (non-dominated) points", options,
          +[](ResultsOptions& o, const Folders&) { return commands::pareto(o.file(), o.ranking_question(), o.csv); }),
      *options);
  CLI::App& top = line.add(
      "top", "The best points with their axes", options, +[](ResultsOptions& o, const Folders&) {
        return commands::top(o.file(), o.ranking_question(), o.count, o.across, o.csv);
      });
  add_ranking_options(top, *options);
  top.add_flag("--across", options->across, "One ranking over all studies and systems, by the best point of each");
  top.add_option("-n", options->count, "How many of each group")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  CLI::App& sensitivity = line.add(
      "sensitivity", "What each axis and each pair of axes does to a metric: shares of its variance", options,
      +[](ResultsOptions& o, const Folders&) {
        return commands::sensitivity(o.file(), o.metric, o.ranking.study, o.csv);
      });
  add_results_file(sensitivity, *options);
  sensitivity.add_option("--metric", options->metric, "The metric")->required()->type_name("METRIC");
  sensitivity.add_option("--study", options->ranking.study, "Only this study")->type_name("ID");
  sensitivity.add_option("--csv", options->csv, "Write all shares to this file too")->type_name("FILE");
}

void add_file_commands(CommandLine& line) {
  auto options = std::make_shared<ResultsOptions>();
  CLI::App& merge = line.add(
      "merge", "Build a results file from journals, also while a run goes on", options,
      +[](ResultsOptions& o, const Folders& folders) {
        return driver::merge_journals(o.files, o.output, folders.configs);
      });
  merge.add_option("journals", options->files, "Journal folders or files")->required()->type_name("JOURNALS");
  merge.add_option("-o,--output", options->output, "Results file to write")->required()->type_name("FILE");
  add_results_file(line.add(
                       "status", "Say how far a run is: exit status 0 complete, 1 with failures, 75 not yet", options,
                       +[](ResultsOptions& o, const Folders&) { return commands::status(o.file()); }),
                   *options);
  CLI::App& rerun = line.add(
      "rerun", "Evaluate a stored point again and compare it bit for bit", options,
      +[](ResultsOptions& o, const Folders& folders) {
        return commands::rerun(o.file(), o.studies, o.point, o.all, folders.configs);
      });
  add_results_file(rerun, *options);
  rerun.add_option("--point", options->point, "Number of the point in its study, from 0")->required()->type_name("N");
  rerun.add_option("--study", options->studies, "Study of the point (not needed if the file has one)")->type_name("ID");
  rerun.add_flag("--all", options->all, "Show every value, not only those that differ");
}

/// By the word of the launcher, before MPI is opened. A process that was not launched is the first.
bool is_first_rank() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    if (const char* rank = std::getenv(variable)) return std::string_view(rank) == "0";
  }
  return true;
}

/// Prints what is wrong with the arguments. All ranks of a launch find the same mistake: the first tells it. The others
/// give it time, as mpirun ends all ranks when one leaves with a status.
int report_arguments(const CLI::App& app, const CLI::ParseError& error) {
  if (!is_first_rank()) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    return error.get_exit_code() == 0 ? 0 : bad_input;
  }
  return app.exit(error) == 0 ? 0 : bad_input;
}

Folders find_folders() {
  const std::string configs = sweep::find_config_dir();
  return {configs, (std::filesystem::path(configs).parent_path() / "results" / "published").string()};
}

/// Adds all commands; returns the options of what is done without one.
std::shared_ptr<ExperimentOptions> add_commands(CommandLine& line) {
  line.app.set_version_flag("--version", results::version_text());
  line.app.require_subcommand(0, 1);
  line.app.get_formatter()->column_width(36);
  std::shared_ptr<ExperimentOptions> experiment = add_run(line.app);
  add_experiment_commands(line);
  add_list_commands(line);
  add_report_commands(line);
  add_ranking_commands(line);
  add_file_commands(line);
  return experiment;
}

int run(ExperimentOptions& options, const Folders& folders, int argc, char** argv) {
  for (int i = 0; i < argc; ++i) options.run.command_line += (i == 0 ? "" : " ") + std::string(argv[i]);
  return driver::run_sweep(options.experiment, options.plan_in(folders), options.run);
}

int run_command_line(int argc, char** argv) {
  CommandLine line;
  const std::shared_ptr<ExperimentOptions> experiment = add_commands(line);
  try {
    line.app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return report_arguments(line.app, error);
  }

  try {
    if (line.action) return line.action(find_folders());
    if (!experiment->experiment.empty()) return run(*experiment, find_folders(), argc, argv);
    fmt::print("{}", line.app.help());
    return bad_input;
  } catch (const InputError& error) {
    fmt::print(stderr, "pimsweep: {}\n", error.what());
    return bad_input;
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return output_error;
    fmt::print(stderr, "pimsweep: internal error: {}\n", error.what());
    return internal_error;
  }
}

/// The rest of what was printed is written here. A reader that has closed its pipe, as `head` does, has seen enough.
int finish_output(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  pollfd output{STDOUT_FILENO, 0, 0};
  const bool is_closed = ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
  if (is_closed) return status;
  fmt::print(stderr, "pimsweep: cannot write to standard output: is the disk full?\n");
  return status == 0 ? output_error : status;
}

}  // namespace

int main(int argc, char** argv) { return finish_output(run_command_line(argc, argv)); }
