#include <memory>
#include <string>
#include <vector>

#include "commands/command_line.h"
#include "commands/python_package.h"

/// The commands that draw, which the Python package answers (docs/plot.md).
namespace pimsweep::commands {

namespace {

struct PlotOptions {
  std::string results;
  std::vector<std::string> studies;
  std::vector<std::string> where;
  std::string x;
  std::string y;
  std::string lines;
  std::string facets;
  std::string heat;
  std::string kind;
  std::string width = "column";
  std::string font = "sans";
  std::string title;
  std::string output;
  bool log_x = false;
  bool log_y = false;
  OutputForm form;
};

int plot(PlotOptions& options, const Folders& /*folders*/) {
  ModuleArguments arguments;
  arguments.add("--study", options.studies);
  arguments.add("--where", options.where);
  arguments.add("--x", options.x);
  arguments.add("--y", options.y);
  arguments.add("--lines", options.lines);
  arguments.add("--facets", options.facets);
  arguments.add("--heat", options.heat);
  arguments.add("--kind", options.kind);
  arguments.add("--width", options.width);
  arguments.add("--font", options.font);
  arguments.add("--title", options.title);
  arguments.add("--output", options.output);
  arguments.add("--log-x", options.log_x);
  arguments.add("--log-y", options.log_y);
  arguments.add(options.form);
  arguments.run("pimsweep.plot.command", {options.results});
}

void add_plot(CommandLine& line) {
  auto options = std::make_shared<PlotOptions>();
  CLI::App& command =
      line.add("plot", "Draw a metric over an axis: lines, bars, heat map, Pareto front or boxes", options, plot);
  command.add_option("results", options->results, "Results file")->required()->type_name("RESULTS");
  add_unsealed(command);
  command.add_option("--x", options->x, "Axis or metric from left to right")->required()->type_name("COLUMN");
  command.add_option("--y", options->y, "Metric, or the second axis of a heat map")->required()->type_name("COLUMN");
  command
      .add_option("--lines", options->lines,
                  "A line, or a color of bars, for each value of this axis; study: for each study")
      ->type_name("AXIS");
  command.add_option("--facets", options->facets, "A panel for each value of this axis; study: for each study")
      ->type_name("AXIS");
  command.add_option("--heat", options->heat, "Color of the cells of a heat map over x and y")->type_name("METRIC");
  command
      .add_option("--kind", options->kind,
                  "What to draw (default: lines over numbers, bars over texts, a heat map with --heat)")
      ->check(CLI::IsMember({"lines", "bars", "heat", "pareto", "box"}));
  add_studies(command, options->studies);
  command.add_option("--where", options->where, "Only points that satisfy this condition")->type_name("CONDITION");
  command.add_option("--width", options->width, "One column of a paper (3.35 in), or the page (7 in)")
      ->check(CLI::IsMember({"column", "page"}))
      ->capture_default_str();
  command.add_option("--font", options->font, "Font of all texts")
      ->check(CLI::IsMember({"sans", "serif"}))
      ->capture_default_str();
  command.add_option("--title", options->title, "Title above the panels")->type_name("TEXT");
  command.add_flag("--log-x", options->log_x, "Logarithmic axis from left to right");
  command.add_flag("--log-y", options->log_y, "Logarithmic axis upward");
  command
      .add_option(
          "-o,--output", options->output,
          "Figure to write (PDF, PNG or SVG by its ending); its data go next to it as CSV, unless --csv names a file")
      ->required()
      ->type_name("FILE");
  add_output_form(command, options->form, "the points of the figure");
}

struct ReproduceOptions {
  std::string paper;
  std::string figure;
  OutputForm form;
};

void add_reproduce(CommandLine& line) {
  auto options = std::make_shared<ReproduceOptions>();
  CLI::App& command = line.add(
      "reproduce", "Compute a figure of a paper, print its values beside the published ones, and draw it", options,
      +[](ReproduceOptions& o, const Folders& folders) -> int {
        ModuleArguments arguments;
        arguments.add("--published", folders.published);
        arguments.add(o.form);
        std::vector<std::string> words{o.paper};
        if (!o.figure.empty()) words.push_back(o.figure);
        arguments.run("pimsweep.reproduce", words);
      });
  command.add_option("paper", options->paper, "Paper, such as allspark")->required()->type_name("PAPER");
  command.add_option("figure", options->figure, "Figure, such as fig12 (default: list all of the paper)")
      ->type_name("FIGURE");
  add_output_form(command, options->form, "the values");
}

}  // namespace

void add_plot_commands(CommandLine& line) {
  add_plot(line);
  add_reproduce(line);
}

}  // namespace pimsweep::commands
