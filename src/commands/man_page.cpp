#include "commands/man_page.h"

#include <fmt/format.h>

#include "commands/complete.h"
#include "results/version.h"

namespace pimsweep::commands {

namespace {

/// Text of a page: dashes stay dashes, and a line does not become a request.
std::string escaped(const std::string& text) {
  std::string page;
  for (const char character : text) {
    if (character == '\\')
      page += "\\e";
    else if (character == '-')
      page += "\\-";
    else
      page += character;
  }
  return page.starts_with('.') || page.starts_with('\'') ? "\\&" + page : page;
}

/// "\fB\-o\fR, \fB\-\-output\fR \fIFILE\fR".
std::string term_of(const CLI::Option& option) {
  std::string term;
  for (const std::string& name : option.get_snames()) term += (term.empty() ? "" : ", ") + ("\\fB\\-" + name + "\\fR");
  for (const std::string& name : option.get_lnames()) {
    term += (term.empty() ? "" : ", ") + ("\\fB\\-\\-" + escaped(name) + "\\fR");
  }
  if (option.get_items_expected_max() > 0) term += " \\fI" + escaped(option.get_type_name()) + "\\fR";
  return term;
}

std::string meaning_of(const CLI::Option& option) {
  const std::string by_default = option.get_default_str();
  return escaped(option.get_description()) + (by_default.empty() ? "" : " (default: " + escaped(by_default) + ")");
}

/// "\fIRESULTS\fR..." in brackets where it may be left out.
std::string positional_of(const CLI::Option& option) {
  std::string text =
      "\\fI" + escaped(option.get_type_name()) + "\\fR" + (option.get_items_expected_max() > 1 ? "..." : "");
  return option.get_required() ? text : "[" + text + "]";
}

std::string synopsis_of(const CLI::App& command, const std::string& name) {
  std::string line = "\\fBpimsweep" + (name.empty() ? "" : " " + name) + "\\fR [\\fIOPTIONS\\fR]";
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional()) line += " " + positional_of(*option);
  }
  return line + "\n";
}

/// Arguments and options, each as a tagged paragraph.
std::string arguments_of(const CLI::App& command) {
  std::string page;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional())
      page += fmt::format(".TP\n\\fI{}\\fR\n{}\n", escaped(option->get_type_name()), meaning_of(*option));
  }
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional() || option->get_group().empty()) continue;
    page += fmt::format(".TP\n{}\n{}\n", term_of(*option), meaning_of(*option));
  }
  return page;
}

constexpr std::string_view last_sections = R"(.SH EXIT STATUS
.TP
.B 0
All points are done; two files are equal.
.TP
.B 1
Some points failed; two files are different.
.TP
.B 2
Bad input. Nothing was run or written.
.TP
.B 70
An error in pimsweep itself.
.TP
.B 74
Output cannot be written, as on a full disk. A run keeps its points: \-\-resume continues it.
.TP
.B 75
Stopped early: \-\-resume continues the run.
.SH ENVIRONMENT
.TP
.B PIMSWEEP_CONFIGS
Folders with models, hardware and training files, separated by colons.
.TP
.B COLUMNS
Width to which tables are fitted if the output is not a terminal.
.SH EXAMPLES
.nf
pimsweep experiments/allspark.toml
mpirun \-n 64 pimsweep experiments/allspark.toml \-\-resume
pimsweep show results/allspark.h5
.fi
)";

}  // namespace

std::string man_page(const CLI::App& app) {
  std::string page = fmt::format(".TH PIMSWEEP 1 \"\" \"pimsweep {}\" \"User Commands\"\n",
                                 results::versions().at("pimsweep_version"));
  page += ".SH NAME\npimsweep \\- batch experiments for processing\\-in\\-memory research\n.SH SYNOPSIS\n";
  page += synopsis_of(app, "") + ".br\n\\fBpimsweep\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n";
  page +=
      ".SH DESCRIPTION\nAn experiment file describes studies: points of a design space and the system that evaluates "
      "them. pimsweep evaluates the points on all MPI ranks of the launch and writes one HDF5 file. Further commands "
      "check experiments and answer questions about results.\n";
  page += ".SH OPTIONS\nOf a run, also of \\fBpimsweep run\\fR:\n" + arguments_of(app) + ".SH COMMANDS\n";
  for (const std::string& name : command_names(app)) {
    const CLI::App& command = *app.get_subcommand(name);
    page +=
        fmt::format(".SS {}\n{}{}\n", name, synopsis_of(command, name) + ".PP\n", escaped(command.get_description()));
    if (name != "run") page += arguments_of(command);
  }
  return page + std::string(last_sections);
}

}  // namespace pimsweep::commands
