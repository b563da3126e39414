#include "commands/command_line.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <thread>

#include "base/error.h"
#include "results/version.h"
#include "sweep/find_configs.h"

namespace pimsweep::commands {

namespace {

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
    return error.get_exit_code() == 0 ? 0 : driver::exit_bad_input;
  }
  return app.exit(error) == 0 ? 0 : driver::exit_bad_input;
}

Folders find_folders() {
  const std::vector<ConfigFolder> configs = sweep::find_configs();
  return {sweep::all_folders(configs), sweep::find_published(configs)};
}

int run(RunArguments& arguments, const Folders& folders, int argc, char** argv) {
  for (int i = 0; i < argc; ++i) arguments.run.command_line += (i == 0 ? "" : " ") + std::string(argv[i]);
  arguments.plan.configs = folders.configs;
  return driver::run_sweep(arguments.experiment, arguments.plan, arguments.run);
}

}  // namespace

std::shared_ptr<RunArguments> add_commands(CommandLine& line) {
  line.app.set_version_flag("--version", results::version_text());
  line.app.require_subcommand(0, 1);
  line.app.get_formatter()->column_width(36);
  std::shared_ptr<RunArguments> arguments = add_run(line.app);
  add_experiment_commands(line);
  add_list_commands(line);
  add_results_commands(line);
  add_page_command(line);
  return arguments;
}

int run_command_line(int argc, char** argv) {
  CommandLine line;
  const std::shared_ptr<RunArguments> arguments = add_commands(line);
  try {
    line.app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return report_arguments(line.app, error);
  }

  try {
    if (line.action) return line.action(find_folders());
    if (!arguments->experiment.empty()) return run(*arguments, find_folders(), argc, argv);
    fmt::print("{}", line.app.help());
    return driver::exit_bad_input;
  } catch (const InputError& error) {
    fmt::print(stderr, "pimsweep: {}\n", error.what());
    return driver::exit_bad_input;
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return driver::exit_output_error;
    fmt::print(stderr, "pimsweep: internal error: {}\n", error.what());
    return driver::exit_internal_error;
  }
}

}  // namespace pimsweep::commands
