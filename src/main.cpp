#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string_view>
#include <thread>

#include "commands/commands.h"
#include "results/version.h"

namespace {

constexpr int bad_input = 2;

/// Everything the command line can say.
struct Arguments {
  pimsweep::sweep::PlanOptions plan;
  pimsweep::driver::RunOptions run;
  std::string experiment;
  pimsweep::commands::PlanQuestion question;
  std::uint64_t point = 0;
  std::string what;
  std::string name;
  bool csv = false;
  bool all = false;
  std::vector<std::string> files;
  std::string csv_file;
  pimsweep::results::FrontQuestion front;
  std::vector<std::string> minimised;
  std::vector<std::string> maximised;
  pimsweep::results::RankingQuestion ranking;
  std::size_t count = 10;
  std::string metric;
  pimsweep::commands::TrainingQuestion training;
  std::string output;
};

void add_plan_options(CLI::App& app, Arguments& arguments) {
  app.add_option("--study", arguments.plan.studies, "Only this study (may be given several times)")->type_name("ID");
  app.add_option("--set", arguments.plan.overrides, "Fix an axis in every study that has it, e.g. --set batch=4")
      ->type_name("KEY=VALUE");
}

void add_experiment(CLI::App& app, Arguments& arguments) {
  app.add_option("experiment", arguments.experiment, "Experiment file (docs/experiment-files.md)")
      ->required()
      ->type_name("FILE");
}

/// By the word of the launcher, before MPI is opened. A process that was not launched is the first.
bool is_first_rank() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    if (const char* rank = std::getenv(variable)) return std::string_view(rank) == "0";
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace pimsweep;
  Arguments arguments;
  CLI::App app{
      "Batch experiments for processing-in-memory research.\n"
      "Run an experiment:    pimsweep experiments/allspark.toml\n"
      "on many ranks:        mpirun -n 64 pimsweep experiments/allspark.toml\n"
      "continue a stopped or changed one:  pimsweep experiments/allspark.toml --resume\n"
      "Exit status: 0 all points done; 1 some points failed; 2 bad input; 75 stopped early, resumable."};
  app.set_version_flag("--version", results::version_text());
  app.require_subcommand(0, 1);
  app.get_formatter()->column_width(36);

  app.add_option("experiment", arguments.experiment, "Experiment file to run (docs/experiment-files.md)")
      ->type_name("FILE");
  add_plan_options(app, arguments);
  app.add_option("-o,--output", arguments.run.output, "Results file (default results/<experiment name>.h5)")
      ->type_name("FILE");
  app.add_flag("--resume", arguments.run.resume, "Keep every point that the results file or its journals hold already");
  app.add_flag("--force", arguments.run.force, "Discard existing results and journals of this output");
  app.add_flag("--keep-journals", arguments.run.keep_journals, "Keep the journals after the results file is complete");
  app.add_flag("--retry-crashed", arguments.run.retry_crashed,
               "Evaluate points again that killed their rank twice in an earlier run");
  app.add_option("--cache", arguments.run.cache, "Share results with other experiments in this folder")
      ->type_name("DIR");
  app.add_option("--max-failures", arguments.run.max_failures,
                 "Stop when this many points have failed, or none (default: 5 % of all, at least 20)")
      ->type_name("N");
  app.add_option(
         "--time-limit", arguments.run.time_limit,
         "Stop in time to end within this: 90, \"45 min\", 1:30:00 (the rest of a Slurm allocation always counts)")
      ->type_name("TIME");
  app.add_option("--grace", arguments.run.grace, "What points in flight get after a signal")
      ->type_name("TIME")
      ->capture_default_str();
  app.add_option("--point-limit", arguments.run.point_limit,
                 "What a point may take (default: 20 times the longest so far, at least 10 min)")
      ->type_name("TIME");
  app.add_option("--progress", arguments.run.progress,
                 "How to show progress; bar means plain where stderr is no terminal")
      ->check(CLI::IsMember({"bar", "plain", "none"}))
      ->capture_default_str();
  // For tests of what happens when ranks die: hidden.
  app.add_option("--fault", arguments.run.fault)->group("");
  app.add_option("--silence", arguments.run.silence)->group("");

  CLI::App* check = app.add_subcommand("check", "Read an experiment file and report every mistake in it");
  CLI::App* plan =
      app.add_subcommand("plan", "Show studies and points: what is new, what is reused, what it will take");
  plan->add_flag("--name", arguments.question.name_only, "Print only the experiment's name");
  plan->add_flag("--ids", arguments.question.ids_only, "Print only the ids of the studies");
  plan->add_option("--ranks", arguments.question.ranks,
                   "Predict the time for so many ranks (default: of this Slurm job, else cores)")
      ->check(CLI::Range(1, 10'000'000))
      ->type_name("N");
  plan->add_option("-o,--output", arguments.question.output, "Results file (default results/<experiment name>.h5)")
      ->type_name("FILE");
  plan->add_option("--cache", arguments.question.cache, "Look for results in this folder too")->type_name("DIR");
  CLI::App* explain = app.add_subcommand("explain", "Show one point with every intermediate quantity");
  explain->add_option("--point", arguments.point, "Number of the point, from 0 (within the study if --study names one)")
      ->required()
      ->type_name("N");
  for (CLI::App* command : {check, plan, explain}) {
    add_experiment(*command, arguments);
    add_plan_options(*command, arguments);
  }
  CLI::App* list = app.add_subcommand("list", "List systems, axes, metrics, models, operators, hardware or policies");
  list->add_option("what", arguments.what, "systems | axes | metrics | models | operators | hardware | policies")
      ->required()
      ->type_name("WHAT");
  list->add_option("name", arguments.name, "Only this system, model or hardware")->type_name("NAME");
  list->add_flag("--csv", arguments.csv, "Print CSV");
  CLI::App* training = app.add_subcommand("training", "Show the operations of a training step, or list the steps");
  training->add_option("step", arguments.training.name, "Training step of configs/training, or a model")
      ->type_name("STEP");
  training->add_option("--batch", arguments.training.batch, "Images or sequences (default: those of the step)")
      ->check(CLI::Range(1, 65536))
      ->type_name("N");
  training->add_flag("--operations", arguments.training.operations, "Every operation instead of sums for each type");
  training->add_flag("--csv", arguments.csv, "Print CSV");
  CLI::App* merge = app.add_subcommand("merge", "Build a results file from journals, also while a run goes on");
  merge->add_option("journals", arguments.files, "Journal folders or files")->required()->type_name("JOURNALS");
  merge->add_option("-o,--output", arguments.output, "Results file to write")->required()->type_name("FILE");
  CLI::App* status =
      app.add_subcommand("status", "Say how far a run is: exit status 0 complete, 1 with failures, 75 not yet");
  status->add_option("results", arguments.output, "Results file")->required()->type_name("RESULTS");
  CLI::App* report = app.add_subcommand("report", "Put published numbers beside the reproduced ones");
  report->add_option("results", arguments.files, "Results files")->required()->type_name("RESULTS");
  report->add_option("--csv", arguments.csv_file, "Write the report to this file too")->type_name("FILE");
  CLI::App* compare = app.add_subcommand("compare", "Deviation of each metric X from the column reference_X");
  compare->add_option("results", arguments.files, "Results file")->required()->expected(1)->type_name("RESULTS");
  CLI::App* fidelity = app.add_subcommand("fidelity", "How far the axis fidelity moves results, ranks and fronts");
  fidelity->add_option("results", arguments.files, "Results file")->required()->expected(1)->type_name("RESULTS");
  fidelity->add_option("--min", arguments.front.objectives, "Minimised for the fronts (may be given several times)")
      ->type_name("METRIC");
  fidelity->add_option("--group-by", arguments.front.group_by, "Designs compete where this axis agrees")
      ->type_name("AXIS");
  CLI::App* pareto = app.add_subcommand("pareto", "The points that no other one betters in every chosen metric");
  CLI::App* top = app.add_subcommand("top", "The best points with their axes");
  for (CLI::App* command : {pareto, top}) {
    command->add_option("results", arguments.files, "Results file")->required()->expected(1)->type_name("RESULTS");
    command->add_option("--min", arguments.minimised, "To be small (may be given several times)")->type_name("METRIC");
    command->add_option("--max", arguments.maximised, "To be large (may be given several times)")->type_name("METRIC");
    command->add_option("--group-by", arguments.ranking.group_by, "Points compete where this axis agrees")
        ->type_name("AXIS");
    command->add_option("--study", arguments.ranking.study, "Only this study")->type_name("ID");
    command->add_option("--csv", arguments.csv_file, "Write the points to this file too")->type_name("FILE");
  }
  top->add_option("-n", arguments.count, "How many of each group")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  CLI::App* sensitivity = app.add_subcommand(
      "sensitivity", "What each axis and each pair of axes does to a metric: shares of its variance");
  sensitivity->add_option("results", arguments.files, "Results file")->required()->expected(1)->type_name("RESULTS");
  sensitivity->add_option("--metric", arguments.metric, "The metric")->required()->type_name("METRIC");
  sensitivity->add_option("--study", arguments.ranking.study, "Only this study")->type_name("ID");
  sensitivity->add_option("--csv", arguments.csv_file, "Write all shares to this file too")->type_name("FILE");
  CLI::App* rerun = app.add_subcommand("rerun", "Evaluate a stored point again and compare it bit for bit");
  rerun->add_option("results", arguments.files, "Results file")->required()->expected(1)->type_name("RESULTS");
  rerun->add_option("--point", arguments.point, "Number of the point in its study, from 0")->required()->type_name("N");
  rerun->add_option("--study", arguments.plan.studies, "Its study (not needed if the file has one)")->type_name("ID");
  rerun->add_flag("--all", arguments.all, "Show every value, not only those that differ");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // All ranks of a launch find the same mistake: the first tells it. The others give it time, as mpirun ends all
    // ranks when one leaves with a status.
    if (!is_first_rank()) {
      std::this_thread::sleep_for(std::chrono::seconds(1));
      return error.get_exit_code() == 0 ? 0 : bad_input;
    }
    return app.exit(error) == 0 ? 0 : bad_input;
  }

  try {
    const std::string config_dir = sweep::find_config_dir();
    arguments.plan.config_dir = config_dir;
    const std::string published_dir =
        (std::filesystem::path(config_dir).parent_path() / "results" / "published").string();
    if (*check) return pimsweep::commands::check(arguments.experiment, arguments.plan);
    if (*plan) return pimsweep::commands::plan(arguments.experiment, arguments.plan, arguments.question);
    if (*explain) return pimsweep::commands::explain(arguments.experiment, arguments.plan, arguments.point);
    if (*list) return pimsweep::commands::list(arguments.what, arguments.name, arguments.csv, config_dir);
    if (*training) return pimsweep::commands::training(arguments.training, arguments.csv, config_dir);
    if (*report) return pimsweep::commands::report(arguments.files, arguments.csv_file, published_dir);
    if (*compare) return pimsweep::commands::compare(arguments.files.front());
    if (*fidelity) return pimsweep::commands::fidelity(arguments.files.front(), arguments.front);
    for (const std::string& metric : arguments.minimised) arguments.ranking.objectives.push_back({metric, false});
    for (const std::string& metric : arguments.maximised) arguments.ranking.objectives.push_back({metric, true});
    if (*pareto) return pimsweep::commands::pareto(arguments.files.front(), arguments.ranking, arguments.csv_file);
    if (*top)
      return pimsweep::commands::top(arguments.files.front(), arguments.ranking, arguments.count, arguments.csv_file);
    if (*sensitivity) {
      return pimsweep::commands::sensitivity(arguments.files.front(), arguments.metric, arguments.ranking.study,
                                             arguments.csv_file);
    }
    if (*rerun)
      return pimsweep::commands::rerun(arguments.files.front(), arguments.plan.studies, arguments.point, arguments.all,
                                       config_dir);
    if (*status) return pimsweep::commands::status(arguments.output);
    if (*merge) return driver::merge_journals(arguments.files, arguments.output, config_dir);
    if (arguments.experiment.empty()) {
      fmt::print("{}", app.help());
      return bad_input;
    }
    for (int i = 0; i < argc; ++i) arguments.run.command_line += (i == 0 ? "" : " ") + std::string(argv[i]);
    return driver::run_sweep(arguments.experiment, arguments.plan, arguments.run);
  } catch (const InputError& error) {
    fmt::print(stderr, "pimsweep: {}\n", error.what());
    return bad_input;
  } catch (const std::exception& error) {
    fmt::print(stderr, "pimsweep: internal error: {}\n", error.what());
    return 70;
  }
}
