#include "commands/command_line.h"

#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <exception>

#include "base/error.h"
#include "base/message.h"
#include "base/output_file.h"
#include "commands/complete.h"
#include "commands/version_report.h"
#include "driver/launch.h"
#include "driver/process.h"
#include "sweep/find_configs.h"

namespace pimsweep::commands {

namespace {

/// Help without the parser's own notation for types and numbers of arguments.
class HelpFormatter final : public CLI::Formatter {
 public:
  HelpFormatter() {
    label("Needs", "with");
    label("Excludes", "not with");
    column_width(36);
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    return replaced(CLI::Formatter::make_option_opts(option), "TEXT:{", "{");
  }
  std::string make_option_usage(const CLI::Option* option) const override {
    return replaced(CLI::Formatter::make_option_usage(option), "(1x)", " ...");
  }

 private:
  static std::string replaced(std::string text, std::string_view from, std::string_view to) {
    if (const std::size_t found = text.find(from); found != std::string::npos) text.replace(found, from.size(), to);
    return text;
  }
};

/// Help and version are errors to the parser.
int report_arguments(const CLI::App& app, const CLI::ParseError& error) {
  if (error.get_exit_code() == 0) return app.exit(error);
  print_error("{}", describe_mistake(app, error));
  const std::vector<CLI::App*> commands = app.get_subcommands();
  print_note("`pimsweep help{}{}` explains all arguments", commands.empty() ? "" : " ",
             commands.empty() ? "" : commands.front()->get_name());
  return driver::exit_bad_input;
}

Folders find_folders() {
  const std::vector<ConfigFolder> configs = sweep::find_configs();
  return {sweep::all_folders(configs), sweep::find_published(configs)};
}

/// Prints help, as git and cargo do without arguments. The status is an error: a script with an empty variable has run
/// nothing.
int print_short_help() {
  fmt::print(
      "pimsweep runs batch experiments for processing-in-memory research.\n\n"
      "  pimsweep experiments/allspark.toml             run an experiment on all cores\n"
      "  pimsweep experiments/allspark.toml --resume    resume it\n"
      "  pimsweep show results/allspark.h5              see the results\n\n"
      "`pimsweep help` lists all commands and options, `pimsweep help COMMAND` those of a command.\n");
  return driver::exit_bad_input;
}

int act(CommandLine& line, RunArguments& arguments) {
  if (line.action) return line.action(find_folders());
  if (!arguments.experiment.empty()) return run_experiment(line.app, arguments, find_folders());
  return print_short_help();
}

}  // namespace

std::shared_ptr<RunArguments> add_commands(CommandLine& line) {
  // Before the commands, which take it over.
  line.app.formatter(std::make_shared<HelpFormatter>());
  const std::string verbose_doc = "With --version: libraries, formats and folders, too";
  CLI::Option* verbose = line.app.add_flag("--verbose", verbose_doc);
  // --json is an option of runs, too.
  verbose->needs(line.app.set_version_flag("--version", [&app = line.app, verbose] {
    return version_report(verbose->count() > 0, app.count("--json") > 0);
  }));
  line.app.require_subcommand(0, 1);
  std::shared_ptr<RunArguments> arguments = add_run(line);
  add_experiment_commands(line);
  add_calibrate_command(line);
  add_list_commands(line);
  add_results_commands(line);
  add_trace_command(line);
  add_plot_commands(line);
  add_page_command(line);
  add_help_commands(line);
  describe_commands(line.app);
  return arguments;
}

int run_command_line(int argc, char** argv) {
  CommandLine line;
  const std::shared_ptr<RunArguments> arguments = add_commands(line);
  for (int i = 0; i < argc; ++i) arguments->run.command_line += (i == 0 ? "" : " ") + std::string(argv[i]);
  if (argc > 1 && std::string_view(argv[1]) == complete_command) {
    for (const std::string& found : complete(line.app, {argv + 2, argv + argc})) fmt::print("{}\n", found);
    return driver::exit_all_done;
  }
  try {
    line.app.parse(argc, argv);
    if (line.action && !arguments->experiment.empty()) throw CLI::ExtrasError({arguments->experiment});
  } catch (const CLI::ParseError& error) {
    return driver::is_further_rank() ? driver::exit_all_done : report_arguments(line.app, error);
  }

  // All ranks know the same: the first one says it, and its exit status is that of the launch.
  const bool is_run = !line.action && !arguments->experiment.empty();
  const std::vector<CLI::App*> commands = line.app.get_subcommands();
  const bool is_together = !commands.empty() && line.on_all_ranks.contains(commands.front()->get_name());
  if (!is_run && !is_together && driver::is_further_rank()) return driver::exit_all_done;
  try {
    return act(line, *arguments);
  } catch (const InputError& error) {
    print_error("{}", error.what());
    return driver::exit_bad_input;
  } catch (const OutputError& error) {
    print_error("{}", error.what());
    return driver::exit_output_error;
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return driver::exit_output_error;
    if (driver::is_shortage(error)) {
      print_error("the system gives no more threads, processes or memory: {}", error.what());
      return driver::exit_output_error;
    }
    print_error("internal: {}", error.what());
    return driver::exit_internal_error;
  }
}

int finish_output(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  pollfd output{STDOUT_FILENO, 0, 0};
  const bool is_closed = ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
  if (is_closed) return status;
  print_error("cannot write to standard output: is the disk full?");
  return status == 0 ? driver::exit_output_error : status;
}

}  // namespace pimsweep::commands
