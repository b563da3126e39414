#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>

#include "driver/driver.h"
#include "sweep/plan.h"

/// The arguments of `pimsweep`: the only part of this folder that knows CLI11.
namespace pimsweep::commands {

/// Where the program finds its files.
struct Folders {
  ConfigFolders configs;
  std::string published;
};

/// The command line. The command that was named stores its action here, which is done after all arguments were read.
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

/// Options of a run.
struct RunArguments {
  std::string experiment;
  sweep::PlanOptions plan;
  driver::RunOptions run;
};

/// Adds what the program does without a subcommand: it runs the experiment.
std::shared_ptr<RunArguments> add_run(CLI::App& app);

/// Adds `--study` and `--set`.
void add_plan_options(CLI::App& command, sweep::PlanOptions& plan);

/// Each adds the subcommands of one kind of file.
void add_experiment_commands(CommandLine& line);
void add_list_commands(CommandLine& line);
void add_results_commands(CommandLine& line);
void add_page_command(CommandLine& line);

/// Adds all of them; returns the options of a run.
std::shared_ptr<RunArguments> add_commands(CommandLine& line);

/// Does what the arguments ask for and returns the exit status (docs/driver.md).
int run_command_line(int argc, char** argv);

}  // namespace pimsweep::commands
