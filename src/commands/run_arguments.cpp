#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/error.h"
#include "commands/command_line.h"
#include "commands/commands.h"
#include "commands/complete.h"
#include "driver/launch.h"

namespace pimsweep::commands {

namespace {

/// Ranks beyond this need more than one machine.
constexpr int max_local_ranks = 4096;

void add_run_limits(CLI::App& app, driver::RunOptions& run) {
  app.add_option("--max-failures", run.max_failures,
                 "Stop when this many points have failed, or none (default: 5 % of all, at least 20)")
      ->type_name("N");
  app.add_option("--time-limit", run.time_limit,
                 "Stop early enough to finish within TIME: 90, \"45 min\", 1:30:00 (the rest of a Slurm allocation "
                 "always counts)")
      ->type_name("TIME");
  app.add_option("--grace", run.grace, "Time in-flight points may run after a signal")
      ->type_name("TIME")
      ->capture_default_str();
  app.add_option("--point-limit", run.point_limit,
                 "Time that a point may take (default: 20 times the longest so far, at least 10 min)")
      ->type_name("TIME");
  app.add_option("--progress", run.progress, "How to show progress; bar means plain if stderr is not a terminal")
      ->check(CLI::IsMember({"bar", "plain", "none"}))
      ->capture_default_str();
  // For tests of what happens when ranks die: hidden.
  app.add_option("--fault", run.fault)->group("");
  app.add_option("--silence", run.silence)->group("");
}

}  // namespace

void add_ranks(CLI::App& app, driver::RunOptions& run) {
  app.add_option("--ranks", run.ranks,
                 "Without mpirun or srun: processes that evaluate points (default: all cores; PIMSWEEP_RANKS)")
      ->type_name("N")
      ->check(whole_number(1, max_local_ranks));
  add_run_limits(app, run);
}

CLI::Validator whole_number(std::uint64_t min, std::uint64_t max) {
  const auto problem = [min, max](const std::string& text) -> std::string {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc::invalid_argument || end != text.data() + text.size())
      return fmt::format("expected a whole number, got '{}'", text);
    if (error == std::errc() && min <= number && number <= max) return {};
    return fmt::format("expected a whole number from {} to {}, got {}", min, max, text);
  };
  return {problem, ""};
}

void add_studies(CLI::App& command, std::vector<std::string>& studies) {
  command.add_option("--study", studies, "Only this study (may be given several times)")->type_name("ID");
}

void add_output_choice(CLI::App& command, OutputForm& form, const std::string& what) {
  CLI::Option* csv = command.add_option("--csv", form.csv,
                                        "Write " + what + " as CSV to this file too (- for the standard output alone)");
  csv->type_name("FILE");
  command.add_flag("--json", form.json, "Print " + what + " as JSON instead of the text")->excludes(csv);
}

void add_output_form(CLI::App& command, OutputForm& form, const std::string& what) {
  add_output_choice(command, form, what);
  add_force(command, form.force);
}

void add_force(CLI::App& command, bool& force) {
  command.add_flag("--force", force, "Replace a file that is not what this command writes there, too");
}

namespace {

/// Reads "2/8".
sweep::Shard parse_shard(const std::string& text) {
  constexpr std::uint64_t max_shards = 100'000;
  sweep::Shard shard;
  const char* const end = text.data() + text.size();
  const auto number = std::from_chars(text.data(), end, shard.number);
  const bool has_slash = number.ec == std::errc() && number.ptr != end && *number.ptr == '/';
  const auto count = std::from_chars(has_slash ? number.ptr + 1 : end, end, shard.count);
  if (!has_slash || count.ec != std::errc() || count.ptr != end || shard.number < 1 || shard.number > shard.count ||
      shard.count > max_shards) {
    throw CLI::ValidationError("--shard",
                               fmt::format("expected a part and the number of parts (at most {}), such as 2/8; "
                                           "got '{}'",
                                           max_shards, text));
  }
  return shard;
}

}  // namespace

void add_plan_options(CLI::App& command, sweep::PlanOptions& plan) {
  add_studies(command, plan.studies);
  command.add_option("--set", plan.overrides, "Fix an axis in every study that has it, e.g. --set batch=4")
      ->type_name("KEY=VALUE");
  const auto set_condition = [&plan](std::string condition) {
    std::ranges::replace(condition, '\n', ' ');
    plan.where = std::move(condition);
  };
  command
      .add_option_function<std::string>("--where", set_condition,
                                        "Only points that satisfy this condition too, in every selected study")
      ->type_name("CONDITION");
  const auto set_shard = [&plan](const std::string& text) { plan.shard = parse_shard(text); };
  command
      .add_option_function<std::string>("--shard", set_shard,
                                        "Only part I of N of the points of each study, for separate runs whose "
                                        "journals `pimsweep merge` joins, e.g. --shard 2/8")
      ->type_name("I/N");
  command
      .add_option("--draws", plan.draws,
                  "Evaluate every study on this many machines more, whose uncertain constants are drawn from their "
                  "ranges (docs/uncertainty.md)")
      ->type_name("N")
      ->check(whole_number(1, sweep::max_draws));
  const auto set_method = [&plan](const std::string& name) {
    plan.draw_method = *value_of(sweep::draw_method_words, name);
  };
  command
      .add_option_function<std::string>(
          "--draw-method", set_method,
          "How --draws draws (default sobol); one-at-a-time: N values of each constant; saltelli: N "
          "blocks of machines for indices of sensitivity")
      ->check(CLI::IsMember(names_of(sweep::draw_method_words)))
      ->needs("--draws");
  command
      .add_option("--draw-constants", plan.draw_constants,
                  "Draw these constants and choices alone, as a list with commas")
      ->type_name("AXIS")
      ->delimiter(',')
      ->needs("--draws");
}

namespace {

CLI::Option* add_run_options(CLI::App& app, RunArguments& options) {
  driver::RunOptions& run = options.run;
  CLI::Option* experiment =
      app.add_option("experiment", options.experiment, "Experiment file to run (docs/experiment-files.md)");
  experiment->type_name("FILE");
  add_plan_options(app, options.plan);
  app.add_option("-o,--output", run.output, "Results file (default results/<experiment name>.h5)")->type_name("FILE");
  app.add_flag("--resume", run.resume, "Keep every point that the results file or its journals hold already");
  app.add_flag("--force", run.force, "Discard existing results and journals of this output");
  app.add_flag("--keep-journals", run.keep_journals, "Keep the journals after the results file is complete");
  app.add_flag("--retry-crashed", run.retry_crashed,
               "Evaluate points again that killed their rank twice in an earlier run");
  app.add_option("--cache", run.cache, "Share results with other experiments in this folder")->type_name("DIR");
  add_ranks(app, run);
  add_output_choice(app, options.form, "the points of each study by status");
  return experiment;
}

}  // namespace

std::optional<int> refuse_launch(const driver::RunOptions& run) {
  if (run.ranks > 0 && driver::is_mpi_launch()) {
    if (driver::is_further_rank()) return driver::exit_all_done;
    throw InputError(
        "--ranks is for runs without an MPI launcher: mpirun or srun has started this one, and sets the number of "
        "ranks");
  }
  if (driver::is_srun_without_mpi()) {
    if (!driver::is_first_rank()) return driver::exit_bad_input;
    throw InputError(
        fmt::format("srun has started {} processes that cannot find each other: srun --mpi=pmix is for Open MPI, "
                    "--mpi=pmi2 for MPICH; "
                    "one process (srun --ntasks=1) starts its ranks itself",
                    driver::launched_processes()));
  }
  return std::nullopt;
}

int run_experiment(const CLI::App& app, RunArguments& arguments, const Folders& folders) {
  const std::string& name = arguments.experiment;
  // All ranks see the same arguments, but perhaps not the same files: the driver compares what they read.
  const bool is_word = name.find_first_of("./") == std::string::npos;
  if (is_word && driver::is_first_rank() && !std::filesystem::exists(name)) {
    throw InputError(
        fmt::format("there is no command and no experiment file '{}'{}; `pimsweep help` lists the commands", name,
                    suggestion(name, command_names(app))));
  }
  if (const std::optional<int> refused = refuse_launch(arguments.run)) return *refused;
  arguments.plan.configs = folders.configs;
  arguments.form.force = arguments.run.force;
  arguments.run.is_quiet = !arguments.form.has_text();
  arguments.run.report = [&](const std::string& results) { return report_run(results, arguments.form); };
  return driver::run_sweep(name, arguments.plan, arguments.run);
}

std::shared_ptr<RunArguments> add_run(CommandLine& line) {
  auto options = std::make_shared<RunArguments>();
  add_run_options(line.app, *options);
  CLI::App& run = *line.app.add_subcommand("run", "Run an experiment; the word may be left out");
  add_run_options(run, *options)->required();
  return options;
}

}  // namespace pimsweep::commands
