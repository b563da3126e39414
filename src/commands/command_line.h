#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "commands/output.h"
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
      "Batch experiments for processing-in-memory research.\n\n"
      "Run an experiment:   pimsweep experiments/allspark.toml\n"
      "  on several hosts:  mpirun -n 64 pimsweep experiments/allspark.toml\n"
      "  resume it:         pimsweep experiments/allspark.toml --resume\n"
      "See the results:     pimsweep show results/allspark.h5\n\n"
      "Exit status: 0 all points done; 1 some points failed; 2 bad input; 74 output cannot be written; 75 stopped "
      "early, resumable.",
      "pimsweep"};
  std::function<int(const Folders&)> action;
  /// Commands that all ranks of a launch do together. All others are done by the first one.
  std::set<std::string> on_all_ranks;

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
  /// Form of the summary.
  OutputForm form;
};

/// Adds `run`, and the same options to the program itself, which runs an experiment without the word too.
std::shared_ptr<RunArguments> add_run(CommandLine& line);

/// Accepts a whole number from `min` to `max`.
CLI::Validator whole_number(std::uint64_t min, std::uint64_t max = std::uint64_t{1} << 62U);

/// Adds `--study ID...` to a command that reads results.
void add_studies(CLI::App& command, std::vector<std::string>& studies);

/// Adds `--csv FILE` and `--json`, which mean the same in every command. `what` is what is written: "all points".
void add_output_choice(CLI::App& command, OutputForm& form, const std::string& what);

/// Adds these and `--force`.
void add_output_form(CLI::App& command, OutputForm& form, const std::string& what);

/// Adds `--force`, which lets a command that writes a file replace one of another kind (base/output_file.h).
void add_force(CLI::App& command, bool& force);

/// Adds `--unsealed`, which lets a command read a results file without a checksum.
void add_unsealed(CLI::App& command);

/// Adds `--ranks` and the limits of a run.
void add_ranks(CLI::App& command, driver::RunOptions& run);

/// The exit status of a launch that cannot evaluate points here, or nothing. Throws InputError on its first rank.
std::optional<int> refuse_launch(const driver::RunOptions& run);

/// Adds `--study` and `--set`.
void add_plan_options(CLI::App& command, sweep::PlanOptions& plan);

/// Each adds the subcommands of one kind of file.
void add_experiment_commands(CommandLine& line);
void add_calibrate_command(CommandLine& line);
void add_list_commands(CommandLine& line);
void add_results_commands(CommandLine& line);
void add_analysis_commands(CommandLine& line);
void add_trace_command(CommandLine& line);
void add_page_command(CommandLine& line);
void add_plot_commands(CommandLine& line);
void add_help_commands(CommandLine& line);

/// Adds all of them; returns the options of a run.
std::shared_ptr<RunArguments> add_commands(CommandLine& line);

/// Puts all commands into groups and gives each the example that its help shows.
void describe_commands(CLI::App& app);

/// Problems of arguments that could not be read, with the nearest valid name.
std::string describe_mistake(const CLI::App& app, const CLI::ParseError& error);

/// Runs an experiment. Throws InputError for a word that is neither a file nor a command.
int run_experiment(const CLI::App& app, RunArguments& arguments, const Folders& folders);

/// Does what the arguments ask for and returns the exit status (docs/driver.md).
int run_command_line(int argc, char** argv);

/// Writes the rest of what was printed, and returns the exit status: that of an output error where it cannot be
/// written. A reader that has closed its pipe, as `head` does, has seen enough.
int finish_output(int status);

}  // namespace pimsweep::commands
