#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "commands/command_line.h"
#include "commands/commands.h"
#include "commands/row_filter.h"
#include "results/columns.h"
#include "results/seal.h"

namespace pimsweep::commands {

namespace {

/// Options of the commands that read results files.
struct ResultsOptions {
  std::vector<std::string> files;
  std::vector<std::string> studies;
  std::vector<std::string> minimized;
  std::vector<std::string> maximized;
  results::RankingOptions ranking;
  std::size_t count = 10;
  std::int64_t point = 0;
  ShowOptions show;
  ExportOptions export_;
  std::string output;
  OutputForm form;
  results::DifferenceOptions difference;
  std::vector<std::string> where;
  std::string plot;
  bool all = false;
  bool across = false;
  bool watch = false;

  const std::string& file() const { return files.front(); }
  const results::RankingOptions& ranking_request() {
    for (const std::string& name : minimized) ranking.objectives.push_back({name, false});
    for (const std::string& name : maximized) ranking.objectives.push_back({name, true});
    ranking.filter = points_where(file(), where);
    const auto names_machines = [](const std::string& text) { return text.find(results::draw_column) != text.npos; };
    ranking.drawn_machines =
        std::ranges::any_of(where, names_machines) || std::ranges::any_of(ranking.group_by, names_machines);
    return ranking;
  }
};

void add_where(CLI::App& command, std::vector<std::string>& conditions) {
  command
      .add_option("--where", conditions,
                  "Only points that fulfill this condition over axes and metrics (may be given several times)")
      ->type_name("CONDITION");
}

void add_results_file(CLI::App& command, ResultsOptions& options) {
  add_unsealed(command);
  command.add_option("results", options.files, "Results file")->required()->expected(1)->type_name("RESULTS");
}

void add_show(CommandLine& line) {
  auto options = std::make_shared<ResultsOptions>();
  ShowOptions& request = options->show;
  CLI::App& show = line.add(
      "show", "Tabulate varying axes and main metrics", options, +[](ResultsOptions& o, const Folders&) {
        return o.across ? commands::show_across(o.file(), o.show) : commands::show(o.file(), o.show);
      });
  add_results_file(show, *options);
  add_studies(show, request.studies);
  add_where(show, request.where);
  show.add_option("--sort", request.sort,
                  "Sort by this column or expression (time * energy); -COLUMN puts the largest first")
      ->type_name("COLUMN");
  show.add_option("--columns", request.columns,
                  "Only these columns and expressions: COLUMN,COLUMN,... (such as model,time,\"time * energy\")")
      ->type_name("COLUMNS");
  show.add_flag("--units", request.units, "Units in the headings of CSV and JSON: time [s]");
  show.add_option("-n", request.count, "How many points of each study")
      ->check(whole_number(1, 1'000'000))
      ->type_name("N")
      ->capture_default_str();
  show.add_flag("--across", options->across, "One table over all studies and systems, with the best point of each");
  CLI::Option* exact = show.add_flag("--exact", request.exact, "All digits, in SI units");
  const auto add_markup = [&](const char* name, Markup markup, const char* doc) {
    return show.add_flag_callback(
        name, [&request, markup] { request.markup = markup; }, doc);
  };
  CLI::Option* latex =
      add_markup("--latex", Markup::latex, "Print a LaTeX table (booktabs) with units in its headings");
  CLI::Option* markdown =
      add_markup("--markdown", Markup::markdown, "Print a Markdown table with units in its headings");
  latex->excludes(markdown)->excludes(exact);
  markdown->excludes(exact);
  show.add_option("--digits", request.digits, "Digits of the numbers in these tables")
      ->check(whole_number(1, 17))
      ->type_name("N")
      ->capture_default_str();
  add_output_form(show, request.form, "all points");
}

void add_export(CommandLine& line) {
  auto options = std::make_shared<ResultsOptions>();
  ExportOptions& request = options->export_;
  CLI::App& command = line.add(
      "export", "Write studies and their tables as CSV or JSON lines", options,
      +[](ResultsOptions& o, const Folders&) { return commands::export_results(o.file(), o.export_); });
  add_results_file(command, *options);
  add_studies(command, request.studies);
  command.add_option("--table", request.table, "Only this table of details, or \"points\"")->type_name("TABLE");
  CLI::Option* format = command.add_option(
      "--format", request.format, "csv; spreadsheet: CSV whose texts no spreadsheet executes; or jsonl: JSON lines");
  format->check(CLI::IsMember({"csv", "spreadsheet", "jsonl"}))->capture_default_str();
  command.add_option("--units", request.units, "Units in the names (time [s]), in a row below them, or left out")
      ->check(CLI::IsMember({"names", "row", "none"}))
      ->capture_default_str();
  CLI::Option* output =
      command.add_option("-o,--output", request.output,
                         "File for one table (- for the standard output), or folder for several (default: a folder "
                         "beside the results file, named as it is)");
  output->type_name("PATH");
  CLI::Option* csv = command.add_option("--csv", request.output, "The same for CSV, as with other commands");
  csv->type_name("PATH")->excludes(output)->excludes(format);
  command
      .add_flag("--json", request.json,
                "Print the rows of all chosen tables as JSON instead, each with study and table")
      ->excludes(csv)
      ->excludes(output)
      ->excludes(format);
  add_force(command, request.force);
}

void add_compare(CommandLine& line) {
  auto options = std::make_shared<ResultsOptions>();
  CLI::App& command = line.add(
      "compare", "What changed between two results files; of one file, how far each metric X is from reference_X",
      options, +[](ResultsOptions& o, const Folders&) {
        if (o.files.size() == 1) return commands::compare(o.file(), o.difference.studies, o.form);
        return commands::compare_files(o.files[0], o.files[1], o.difference, o.form);
      });
  add_unsealed(command);
  command.add_option("results", options->files, "Results file, or two of them (exit status 0 equal, 1 different)")
      ->required()
      ->expected(1, 2)
      ->type_name("RESULTS");
  command
      .add_option("--tolerance", options->difference.tolerance,
                  "Of two files: numbers are equal that differ by at most this share, such as 1e-9")
      ->check(CLI::Range(0.0, 1.0).description(""))
      ->type_name("SHARE");
  add_studies(command, options->difference.studies);
  add_output_form(command, options->form, "every difference");
}

void add_ranking_options(CLI::App& command, ResultsOptions& options) {
  add_results_file(command, options);
  command
      .add_option("--min", options.minimized,
                  "Metric or expression (time * energy) to minimize (may be given several times)")
      ->type_name("METRIC");
  command.add_option("--max", options.maximized, "Metric or expression to maximize (may be given several times)")
      ->type_name("METRIC");
  command.add_option("--group-by", options.ranking.group_by, "Points compete where this axis agrees")
      ->type_name("AXIS");
  add_studies(command, options.ranking.studies);
  add_where(command, options.where);
  add_output_form(command, options.form, "the points");
}

void add_ranking_commands(CommandLine& line) {
  auto options = std::make_shared<ResultsOptions>();
  CLI::App& pareto = line.add(
      "pareto", "Pareto-optimal (non-dominated) points", options, +[](ResultsOptions& o, const Folders&) {
        return commands::pareto(o.file(), o.ranking_request(), o.form, o.plot);
      });
  add_ranking_options(pareto, *options);
  pareto.add_option("--plot", options->plot, "Draw the points by two metrics, and the front (PNG, PDF or SVG)")
      ->type_name("FILE");
  CLI::App& top = line.add(
      "top", "The best points with their axes", options, +[](ResultsOptions& o, const Folders&) {
        return commands::top(o.file(), o.ranking_request(), o.count, o.across, o.form);
      });
  add_ranking_options(top, *options);
  top.add_flag("--across", options->across, "One ranking over all studies and systems, by the best point of each");
  top.add_option("-n", options->count, "How many of each group")
      ->check(whole_number(1, 1'000'000))
      ->type_name("N")
      ->capture_default_str();
}

void add_file_commands(CommandLine& line) {
  auto options = std::make_shared<ResultsOptions>();
  CLI::App& merge = line.add(
      "merge", "Build a results file from journals, also while a run goes on", options,
      +[](ResultsOptions& o, const Folders& folders) {
        const int status = driver::merge_journals(o.files, o.output, o.form.force, !o.form.has_text(), folders.configs);
        const int reported = report_run(o.output, o.form);
        return status == driver::exit_all_done ? reported : status;
      });
  merge.add_option("journals", options->files, "Journal folders or files")->required()->type_name("JOURNALS");
  merge.add_option("-o,--output", options->output, "Results file to write")->required()->type_name("FILE");
  add_output_choice(merge, options->form, "the points of each study by status");
  merge.add_flag("--force", options->form.force, "Replace an existing results file");
  CLI::App& status = line.add(
      "status", "Show the progress of a run: exit status 0 complete, 1 with failures, 75 not yet", options,
      +[](ResultsOptions& o, const Folders&) { return commands::status(o.file(), o.studies, o.watch, o.form); });
  add_results_file(status, *options);
  add_studies(status, options->studies);
  add_output_form(status, options->form, "the points of each study by status");
  status.add_flag("--watch", options->watch, "Refresh every second until the run ends")
      ->excludes(status.get_option("--json"))
      ->excludes(status.get_option("--csv"));
  CLI::App& rerun = line.add(
      "rerun", "Evaluate a stored point again and compare it bit for bit", options,
      +[](ResultsOptions& o, const Folders& folders) {
        return commands::rerun(o.file(), o.studies, o.point, o.all, o.form, folders.configs);
      });
  add_results_file(rerun, *options);
  rerun.add_option("--point", options->point, "Number of the point in its study, from 0")->required()->type_name("N");
  rerun.add_option("--study", options->studies, "Study of the point (not needed if the file has one)")->type_name("ID");
  rerun.add_flag("--all", options->all, "Show every value, not only those that differ");
  add_output_form(rerun, options->form, "the values");
}

}  // namespace

void add_unsealed(CLI::App& command) {
  command.add_flag_callback(
      "--unsealed", [] { results::accept_unsealed_files(true); },
      "Also read a results file that another program has written to and that has no checksum: a "
      "damaged one may crash HDF5 or give wrong numbers");
}

void add_results_commands(CommandLine& line) {
  add_show(line);
  add_export(line);
  add_analysis_commands(line);
  add_compare(line);
  add_ranking_commands(line);
  add_file_commands(line);
}

}  // namespace pimsweep::commands
