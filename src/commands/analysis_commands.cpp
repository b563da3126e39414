#include <memory>
#include <string>
#include <vector>

#include "commands/command_line.h"
#include "commands/python_package.h"

/// The commands that the Python package answers (python/pimsweep/analysis): statistics and verdicts on results.
namespace pimsweep::commands {

namespace {

struct AnalysisOptions {
  std::vector<std::string> files;
  std::vector<std::string> papers;
  std::vector<std::string> minimized;
  std::vector<std::string> group_by;
  std::string metric;
  std::vector<std::string> studies;
  std::string machines;
  bool bands = false;
  OutputForm form;
};

[[noreturn]] void run_analysis(ModuleArguments& arguments, const AnalysisOptions& options) {
  arguments.add("--study", options.studies);
  arguments.add(options.form);
  arguments.run("pimsweep.analysis", options.files);
}

void add_files(CLI::App& command, AnalysisOptions& options, const std::string& doc) {
  add_unsealed(command);
  command.add_option("results", options.files, doc)->required()->type_name("RESULTS");
}

void add_report(CommandLine& line) {
  auto options = std::make_shared<AnalysisOptions>();
  CLI::App& command = line.add(
      "report", "Put published numbers beside the reproduced ones", options,
      +[](AnalysisOptions& o, const Folders& folders) -> int {
        ModuleArguments arguments;
        arguments.add_word("report");
        arguments.add("--published", folders.published);
        arguments.add("--paper", o.papers);
        arguments.add("--bands", o.bands);
        arguments.add("--machines", o.machines);
        run_analysis(arguments, o);
      });
  CLI::Option* bands = command.add_flag(
      "--bands", options->bands,
      "Instead, show where each published value falls among the sampled machines (docs/uncertainty.md)");
  command
      .add_option(
          "--paper", options->papers,
          "Report this paper, whether or not its studies are in the files (may be given several times; default: "
          "all papers with a study there)")
      ->allow_extra_args(false)
      ->type_name("PAPER")
      ->excludes(bands);
  command
      .add_option("--machines", options->machines, "Also write the values on each sampled machine as CSV to this file")
      ->type_name("FILE")
      ->needs(bands);
  add_files(command, *options, "Results files");
  add_studies(command, options->studies);
  add_output_form(command, options->form, "the report");
}

void add_fidelity(CommandLine& line) {
  auto options = std::make_shared<AnalysisOptions>();
  CLI::App& command = line.add(
      "fidelity", "Compare fidelities of models: deviations, rank correlation, Pareto fronts", options,
      +[](AnalysisOptions& o, const Folders& /*folders*/) -> int {
        ModuleArguments arguments;
        arguments.add_word("fidelity");
        arguments.add("--min", o.minimized);
        arguments.add("--group-by", o.group_by);
        run_analysis(arguments, o);
      });
  add_files(command, *options, "Results file");
  command.get_option("results")->expected(1);
  command.add_option("--min", options->minimized, "Minimized for the fronts (may be given several times)")
      ->type_name("METRIC");
  command.add_option("--group-by", options->group_by, "Designs compete where this axis agrees")->type_name("AXIS");
  add_studies(command, options->studies);
  add_output_form(command, options->form, "all deviations and fronts");
}

void add_sensitivity(CommandLine& line) {
  auto options = std::make_shared<AnalysisOptions>();
  CLI::App& command = line.add(
      "sensitivity", "Variance-based sensitivity (Sobol indices) of a metric: each axis and each pair of axes", options,
      +[](AnalysisOptions& o, const Folders& /*folders*/) -> int {
        ModuleArguments arguments;
        arguments.add_word("sensitivity");
        arguments.add("--metric", o.metric);
        run_analysis(arguments, o);
      });
  add_files(command, *options, "Results file");
  command.get_option("results")->expected(1);
  command.add_option("--metric", options->metric, "The metric, or an expression such as time * energy")
      ->type_name("METRIC");
  add_studies(command, options->studies);
  add_output_form(command, options->form, "all shares");
}

}  // namespace

void add_analysis_commands(CommandLine& line) {
  add_report(line);
  add_fidelity(line);
  add_sensitivity(line);
}

}  // namespace pimsweep::commands
