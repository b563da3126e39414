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
  std::string system;
  OutputForm form;
};

struct TrainingCommand {
  TrainingOptions request;
  OutputForm form;
};

void add_model(CommandLine& line) {
  auto options = std::make_shared<ModelOptions>();
  CLI::App& model = line.add(
      "model", "Show a network: its operators with shapes, MACs and bytes, or write it as ONNX", options,
      +[](ModelOptions& request, const Folders& folders) { return commands::model(request, folders.configs); });
  ModelOptions& request = *options;
  model.add_option("model", request.models, "Model, or file with a network (--csv: several, or none for all models)")
      ->type_name("NAME|FILE");
  model.add_option("--image-px", request.size.image_px, "Side of the image (default: that of the model)")
      ->check(whole_number(1))
      ->type_name("N");
  model.add_option("--tokens", request.size.tokens, "Tokens of the sequence (default: those of the model)")
      ->check(whole_number(1))
      ->type_name("N");
  model.add_option("--unknown-operators", request.unknown, "How to take operators of a file that are not known")
      ->type_name("WORD")
      ->capture_default_str();
  model.add_option("--first-dimension", request.first_dimension, "What the first dimension of a file's input counts")
      ->type_name("automatic|batch|data")
      ->check(CLI::IsMember({"automatic", "batch", "data"}))
      ->capture_default_str();
  model.add_option("--element-bytes", request.bytes_per_element, "Bytes of an element")
      ->check(whole_number(1, 8))
      ->type_name("N")
      ->capture_default_str();
  add_output_form(model, request.form, "every operator with exact numbers");
  CLI::Option* csv = model.get_option("--csv");
  CLI::Option* json = model.get_option("--json");
  CLI::Option* dot = model.add_flag("--dot", request.dot, "Print a graph for Graphviz")->excludes(csv)->excludes(json);
  model.add_option("--onnx", request.onnx, "Write the network to this file as ONNX, without values of weights")
      ->type_name("FILE")
      ->excludes(csv)
      ->excludes(json)
      ->excludes(dot);
}

}  // namespace

void add_list_commands(CommandLine& line) {
  add_model(line);
  auto list = std::make_shared<ListOptions>();
  const std::string subjects = fmt::format("{}", fmt::join(commands::list_subjects(), " | "));
  CLI::App& lists = line.add(
      "list", "List what can be named in files: " + subjects, list, +[](ListOptions& o, const Folders& folders) {
        return commands::list(o.what, o.name, o.system, o.form, folders.configs);
      });
  lists.add_option("what", list->what, subjects)->required()->type_name("WHAT");
  lists.add_option("name", list->name, "Only this system, model or hardware")->type_name("NAME");
  lists.add_option("--for", list->system, "Of hardware: only what this system takes")->type_name("SYSTEM");
  add_output_form(lists, list->form, "the list");

  auto systems = std::make_shared<std::vector<std::string>>();
  line.add(
          "schema", "Print a JSON schema (draft-07) of experiment files, with which editors check and complete them",
          systems,
          +[](std::vector<std::string>& names, const Folders& folders) {
            return commands::experiment_schema(names, folders.configs);
          })
      .add_option("systems", *systems, "Only studies of these systems (default: all)")
      ->type_name("SYSTEM");

  auto training = std::make_shared<TrainingCommand>();
  CLI::App& steps = line.add(
      "training", "Show the operations of a training step, or list the steps", training,
      +[](TrainingCommand& o, const Folders& folders) {
        return commands::training(o.request, o.form, folders.configs);
      });
  steps.add_option("step", training->request.name, "Training step of configs/training, or a model")->type_name("STEP");
  steps.add_option("--batch", training->request.batch, "Images or sequences (default: those of the step)")
      ->check(whole_number(1, 65536))
      ->type_name("N");
  steps.add_flag("--operations", training->request.operations, "Every operation instead of sums for each type");
  add_output_form(steps, training->form, "the list");
}

}  // namespace pimsweep::commands
