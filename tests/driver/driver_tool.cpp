// The driver without the rest of the command line, for the tests that start whole runs.

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "driver/driver.h"

int main(int argc, char** argv) {
  CLI::App app{"runs or merges an experiment of the synthetic system"};
  std::string experiment;
  std::vector<std::string> journals;
  pimsweep::PlanOptions plan;
  pimsweep::RunOptions run;
  app.add_option("experiment", experiment)->required();
  app.add_option("--output", run.output);
  app.add_flag("--resume", run.resume);
  app.add_flag("--force", run.force);
  app.add_flag("--keep-journals", run.keep_journals);
  app.add_option("--max-failures", run.max_failures);
  app.add_option("--progress", run.progress);
  app.add_option("--merge", journals, "merge these journals instead of running");
  CLI11_PARSE(app, argc, argv);
  for (int i = 0; i < argc; ++i) run.command_line += fmt::format("{}{}", i == 0 ? "" : " ", argv[i]);
  try {
    if (journals.empty()) return pimsweep::run_sweep(experiment, plan, run);
    return pimsweep::merge_journals(journals, run.output, plan.config_dir);
  } catch (const pimsweep::InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return pimsweep::exit_bad_input;
  }
}
