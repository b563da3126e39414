#include "commands/command_line.h"

#include <algorithm>
#include <string>
#include <vector>

#include "driver/time_limit.h"
#include "expect.h"
#include "readers.h"

namespace pimsweep::fuzz {

namespace {

/// A line for each argument.
std::vector<std::string> arguments_of(std::string_view input) {
  std::vector<std::string> arguments;
  for (std::string_view rest = input; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    arguments.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  // CLI11 takes them from the last on.
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

/// The times among the options.
void read_times(const driver::RunOptions& run) {
  for (const std::string& text : {run.time_limit, run.grace, run.point_limit, run.silence})
    expect_input_error([&] { driver::parse_duration(text, "--time-limit"); });
}

}  // namespace

/// Arguments are read, and nothing that they ask for is done.
void read_command_line(std::string_view input) {
  static commands::CommandLine line;
  static const std::shared_ptr<commands::RunArguments> arguments = commands::add_commands(line);
  try {
    line.app.parse(arguments_of(input));
    read_times(arguments->run);
  } catch (const CLI::ParseError&) {
  }
}

}  // namespace pimsweep::fuzz
