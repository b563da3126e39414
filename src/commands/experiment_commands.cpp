#include <cstdint>
#include <memory>
#include <string>

#include "commands/command_line.h"
#include "commands/commands.h"

namespace pimsweep::commands {

namespace {

/// Options of the commands that read an experiment file.
struct ExperimentOptions {
  std::string experiment;
  sweep::PlanOptions plan;
  PlanOptions request;

  sweep::PlanOptions& plan_in(const Folders& folders) {
    plan.configs = folders.configs;
    return plan;
  }
};

void add_experiment(CLI::App& command, ExperimentOptions& options) {
  command.add_option("experiment", options.experiment, "Experiment file (docs/experiment-files.md)")
      ->required()
      ->type_name("FILE");
  add_plan_options(command, options.plan);
}

void add_explain(CommandLine& line) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App& explain = line.add(
      "explain", "Show what decides one point, with every intermediate quantity", options,
      +[](ExplainOptions& o, const Folders& folders) {
        o.plan.configs = folders.configs;
        return commands::explain(o);
      });
  explain.add_option("file", options->file, "Experiment file, or results file")->required()->type_name("FILE");
  add_unsealed(explain);
  add_plan_options(explain, options->plan);
  explain.add_option("--point", options->point, "Number of the point, from 0 (within the study if --study names one)")
      ->required()
      ->type_name("N");
  CLI::Option* exact = explain.add_flag("--exact", options->exact, "All digits, in SI units");
  explain.add_flag("--all", options->all, "Show the constants of the hardware too");
  add_output_form(explain, options->form, "the metrics");
  explain.get_option("--json")->excludes(exact);
}

}  // namespace

void add_experiment_commands(CommandLine& line) {
  auto options = std::make_shared<ExperimentOptions>();
  CLI::App& check = line.add(
      "check", "Report every mistake in an experiment file, and every model that cannot run", options,
      +[](ExperimentOptions& o, const Folders& folders) {
        return commands::check(o.experiment, o.plan_in(folders), o.request.form);
      });
  add_output_form(check, options->request.form, "all mistakes and warnings");
  add_experiment(check, *options);
  CLI::App& plan = line.add(
      "plan", "Show studies and points: what is new, what is reused, what it will take", options,
      +[](ExperimentOptions& o, const Folders& folders) {
        return commands::plan(o.experiment, o.plan_in(folders), o.request);
      });
  plan.add_flag("--name", options->request.name_only, "Print only the experiment's name");
  plan.add_flag("--ids", options->request.ids_only, "Print only the ids of the studies");
  plan.add_option("--ranks", options->request.ranks,
                  "Predict the time for so many ranks (default: of this Slurm job, else cores)")
      ->check(whole_number(1, 10'000'000))
      ->type_name("N");
  plan.add_option("-o,--output", options->request.output, "Results file (default results/<experiment name>.h5)")
      ->type_name("FILE");
  plan.add_option("--cache", options->request.cache, "Look for results in this folder too")->type_name("DIR");
  add_output_form(plan, options->request.form, "the studies");
  add_experiment(plan, *options);
  add_explain(line);
}

}  // namespace pimsweep::commands
