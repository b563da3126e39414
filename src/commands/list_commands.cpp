#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>

#include "commands/command_line.h"
#include "commands/commands.h"

namespace pimsweep::commands {

namespace {

struct ListOptions {
  std::string what;
  std::string name;
  bool csv = false;
};

struct TrainingOptions {
  TrainingQuestion question;
  bool csv = false;
};

}  // namespace

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

}  // namespace pimsweep::commands
