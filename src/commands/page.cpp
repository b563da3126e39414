#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "commands/command_line.h"
#include "commands/python_package.h"

namespace pimsweep::commands {

namespace {

struct PageOptions {
  std::vector<std::string> files;
  std::vector<std::string> studies;
  std::string output;
  std::uint64_t points = 100'000;
  OutputForm form;
};

/// `pimsweep page RESULTS... [-o PAGE.html]`: the package writes it (docs/page.md).
int page(PageOptions& options, const Folders& /*folders*/) {
  ModuleArguments arguments;
  arguments.add("--points", std::to_string(options.points));
  arguments.add("--output", options.output);
  arguments.add("--study", options.studies);
  arguments.add(options.form);
  arguments.run("pimsweep.webpage", options.files);
}

}  // namespace

void add_page_command(CommandLine& line) {
  auto options = std::make_shared<PageOptions>();
  CLI::App& command =
      line.add("page", "One HTML file that shows results in a browser, without a network", options, page);
  command.add_option("results", options->files, "Results files")->required()->type_name("RESULTS");
  command
      .add_option("-o,--output", options->output,
                  "The page (default: beside the first results file, with the ending .html)")
      ->type_name("PAGE.html");
  command.add_option("--points", options->points, "Points of a study that the page has; of a longer study, a sample")
      ->check(whole_number(1, 1'000'000))
      ->type_name("N")
      ->capture_default_str();
  add_studies(command, options->studies);
  add_output_form(command, options->form, "path and size of the page");
  add_unsealed(command);
}

}  // namespace pimsweep::commands
