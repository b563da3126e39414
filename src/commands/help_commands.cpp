#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/error.h"
#include "commands/command_line.h"
#include "commands/complete.h"
#include "commands/man_page.h"

namespace pimsweep::commands {

namespace {

struct HelpOptions {
  const CLI::App& app;
  std::string command;
};

int help(HelpOptions& options, const Folders&) {
  if (options.command.empty()) {
    // help() would explain the command that was given, which is this one.
    fmt::print("{}", options.app.get_formatter()->make_help(&options.app, "pimsweep", CLI::AppFormatMode::Normal));
    return driver::exit_all_done;
  }
  const std::vector<std::string> names = command_names(options.app);
  if (std::find(names.begin(), names.end(), options.command) == names.end()) {
    throw InputError(fmt::format("there is no command '{}'{}; commands: {}", options.command,
                                 suggestion(options.command, names), fmt::join(names, ", ")));
  }
  fmt::print("{}", options.app.get_subcommand(options.command)->help("pimsweep"));
  return driver::exit_all_done;
}

/// "--study", "-o".
std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

/// Error of an argument that no command takes.
std::string describe_extra(const CLI::App& app, const CLI::App& command, const std::string& argument) {
  if (argument.starts_with('-')) {
    return fmt::format("there is no option '{}'{}", argument, suggestion(argument, option_names(command)));
  }
  return &app == &command ? fmt::format("'{}' is one argument too many: an experiment is one file", argument)
                          : fmt::format("'{}' is one argument too many", argument);
}

/// Error of a command behind its file.
std::string describe_order(const CLI::App& command, const std::string& file) {
  return fmt::format("the command comes first: pimsweep {} {}", command.get_name(), file);
}

/// Group of a command in the list of all, and an example of its use.
struct CommandNote {
  std::string_view name;
  const char* group;
  std::string_view example;
};

constexpr const char* run_group = "Run";
constexpr const char* lookup_group = "Look up";
constexpr const char* analyze_group = "Analyze";
constexpr const char* publish_group = "Publish";

constexpr std::array command_notes{
    CommandNote{"run", run_group, "pimsweep run experiments/hypar.toml --ranks 2 --resume"},
    CommandNote{"check", run_group, "pimsweep check experiments/hypar.toml"},
    CommandNote{"plan", run_group, "pimsweep plan experiments/hypar.toml --ranks 64"},
    CommandNote{"status", run_group, "pimsweep status results/hypar.h5"},
    CommandNote{"rerun", run_group, "pimsweep rerun results/hypar.h5 --study fig5_to_8 --point 3"},
    CommandNote{"merge", run_group, "pimsweep merge results/hypar.h5.journal -o results/partial.h5"},
    CommandNote{"calibrate", run_group,
                "pimsweep calibrate experiments/examples/calibration.toml -o results/my-gpu.toml"},
    CommandNote{"list", lookup_group, "pimsweep list hardware --for gpu"},
    CommandNote{"model", lookup_group, "pimsweep model swin-t --image-px 640"},
    CommandNote{"training", lookup_group, "pimsweep training resnet-50 --batch 32"},
    CommandNote{"schema", lookup_group, "pimsweep schema > results/pimsweep.schema.json"},
    CommandNote{"help", lookup_group, "pimsweep help show"},
    CommandNote{"show", analyze_group, "pimsweep show results/hypar.h5 --study fig5_to_8 --sort time -n 5"},
    CommandNote{"top", analyze_group,
                "pimsweep top results/crossover.h5 --min time_per_sample --group-by model --across"},
    CommandNote{"pareto", analyze_group, "pimsweep pareto results/hypar.h5 --study fig5_to_8 --min time --min energy"},
    CommandNote{"explain", analyze_group, "pimsweep explain results/hypar.h5 --study fig5_to_8 --point 0"},
    CommandNote{"trace", analyze_group,
                "pimsweep trace results/hypar.h5 --study event --point 105 -o results/step.json"},
    CommandNote{"compare", analyze_group, "pimsweep compare results/hypar.h5 results/hypar.h5 --tolerance 1e-9"},
    CommandNote{"sensitivity", analyze_group, "pimsweep sensitivity results/hypar.h5 --study fig5_to_8 --metric time"},
    CommandNote{"fidelity", analyze_group, "pimsweep fidelity results/hypar.h5"},
    CommandNote{"plot", publish_group,
                "pimsweep plot results/crossover.h5 --study pimflow --x batch --y time_per_sample --lines policy "
                "--facets model "
                "-o results/batch.pdf"},
    CommandNote{"reproduce", publish_group, "pimsweep reproduce allspark fig12"},
    CommandNote{"page", publish_group, "pimsweep page results/hypar.h5 -o results/hypar.html"},
    CommandNote{"export", publish_group, "pimsweep export results/hypar.h5 --study fig5_to_8 --table points -o -"},
    CommandNote{"report", publish_group, "pimsweep report results/hypar.h5 --csv results/hypar-report.csv"}};

}  // namespace

void describe_commands(CLI::App& app) {
  for (const CommandNote& note : command_notes) {
    CLI::App* command = app.get_subcommand(std::string(note.name));
    command->group(note.group);
    command->footer(fmt::format("Example:\n  {}", note.example));
  }
}

std::string describe_mistake(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<CLI::App*> commands = app.get_subcommands();
  const CLI::App& command = commands.empty() ? app : *commands.front();
  const std::string prefix = commands.empty() ? "" : command.get_name() + ": ";
  if (!commands.empty() && app.get_option("experiment")->count() > 0)
    return describe_order(command, app.get_option("experiment")->results().front());
  std::vector<std::string> extras = command.remaining();
  // The value of a mistyped option may be one argument too many, which is the smaller mistake.
  const bool has_options = std::ranges::any_of(extras, [](const std::string& extra) { return extra.starts_with('-'); });
  if (has_options) std::erase_if(extras, [](const std::string& extra) { return !extra.starts_with('-'); });
  const bool has_extras = !extras.empty() && dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  if (!has_options && !has_extras) return prefix + error.what();
  // A mistyped command was parsed as an experiment.
  const CLI::Option* experiment = app.get_option("experiment");
  if (commands.empty() && experiment->count() > 0 && !std::filesystem::exists(experiment->results().front())) {
    const std::string& word = experiment->results().front();
    const std::string near = suggestion(word, command_names(app));
    if (!near.empty()) return fmt::format("there is no command and no experiment file '{}'{}", word, near);
  }
  std::string text;
  for (const std::string& argument : extras) {
    text += (text.empty() ? "" : "\n") + prefix + describe_extra(app, command, argument);
  }
  return text;
}

void add_help_commands(CommandLine& line) {
  auto options = std::make_shared<HelpOptions>(HelpOptions{line.app, {}});
  line.add("help", "Explain all commands, or one of them", options, help)
      .add_option("command", options->command, "Command to explain")
      ->type_name("COMMAND");

  // For the build, which installs both.
  auto script = std::make_shared<std::string>();
  CLI::App& completion = line.add(
      "completion", "Print the completion script of a shell", script, +[](std::string& shell, const Folders&) {
        fmt::print("{}", completion_script(shell));
        return static_cast<int>(driver::exit_all_done);
      });
  completion.group("")->add_option("shell", *script, "bash, zsh or fish")->required()->type_name("SHELL");
  line.add(
          "man", "Print the manual page", options,
          +[](HelpOptions& help_options, const Folders&) {
            fmt::print("{}", man_page(help_options.app));
            return static_cast<int>(driver::exit_all_done);
          })
      .group("");
}

}  // namespace pimsweep::commands
