#include <memory>

#include "commands/command_line.h"
#include "commands/commands.h"

namespace pimsweep::commands {

void add_trace_command(CommandLine& line) {
  auto request = std::make_shared<TraceOptions>();
  CLI::App& trace = line.add(
      "trace", "Write the timeline of a point for Perfetto and chrome://tracing", request,
      +[](TraceOptions& q, const Folders& folders) { return commands::trace(q, folders.configs); });
  trace.add_option("file", request->file, "Results file, or experiment file")->required()->type_name("FILE");
  trace
      .add_option("--point", request->point,
                  "Number of the point, from 0: in its study, or over all studies of an experiment without --study")
      ->required()
      ->type_name("N");
  add_plan_options(trace, request->plan);
  trace
      .add_option("-o,--output", request->output,
                  "Trace to write, in the Trace Event Format (- for the standard output)")
      ->type_name("TRACE.json");
  add_output_form(trace, request->form, "every interval");
}

}  // namespace pimsweep::commands
