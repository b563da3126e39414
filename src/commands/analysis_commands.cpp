#include <memory>
#include <string>
#include <vector>

#include "commands/command_line.h"
#include "commands/python_package.h"
#include "results/seal.h"

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

/// Collects the arguments of a module.
class Arguments {
 public:
  explicit Arguments(const std::string& command) : words_{command} {}
  void add(const std::string& option, const std::string& value) {
    if (!value.empty()) words_.push_back(option + "=" + value);
  }
  void add(const std::string& option, const std::vector<std::string>& values) {
    for (const std::string& value : values) words_.emplace_back(option).append("=").append(value);
  }
  void add(const std::string& option, bool is_set) {
    if (is_set) words_.push_back(option);
  }
  [[noreturn]] void run(const AnalysisOptions& options) {
    add("--csv", options.form.csv);
    add("--json", options.form.json);
    add("--force", options.form.force);
    add("--unsealed", results::unsealed_files_accepted());
    words_.emplace_back("--");
    words_.insert(words_.end(), options.files.begin(), options.files.end());
    run_python_module("pimsweep.analysis", words_);
  }

 private:
  std::vector<std::string> words_;
};

void add_files(CLI::App& command, AnalysisOptions& options, const std::string& doc) {
  add_unsealed(command);
  command.add_option("results", options.files, doc)->required()->type_name("RESULTS");
}

void add_report(CommandLine& line) {
  auto options = std::make_shared<AnalysisOptions>();
  CLI::App& command = line.add(
      "report", "Put published numbers beside the reproduced ones", options,
      +[](AnalysisOptions& o, const Folders& folders) -> int {
        Arguments arguments("report");
        arguments.add("--published", folders.published);
        arguments.add("--paper", o.papers);
        arguments.add("--bands", o.bands);
        arguments.add("--machines", o.machines);
        arguments.run(o);
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
  add_output_form(command, options->form, "the report");
}

void add_fidelity(CommandLine& line) {
  auto options = std::make_shared<AnalysisOptions>();
  CLI::App& command = line.add(
      "fidelity", "Compare fidelities of models: deviations, rank correlation, Pareto fronts", options,
      +[](AnalysisOptions& o, const Folders& /*folders*/) -> int {
        Arguments arguments("fidelity");
        arguments.add("--min", o.minimized);
        arguments.add("--group-by", o.group_by);
        arguments.add("--study", o.studies);
        arguments.run(o);
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
        Arguments arguments("sensitivity");
        arguments.add("--metric", o.metric);
        arguments.add("--study", o.studies);
        arguments.run(o);
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
