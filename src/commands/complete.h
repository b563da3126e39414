#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

/// Completion in shells. A shell script (completion_script()) asks the program, which knows its own parser: the hidden
/// command `__complete` takes the words of the line.
namespace pimsweep::commands {

/// The hidden command's name.
inline constexpr const char* complete_command = "__complete";

/// The names of all commands that are not hidden.
std::vector<std::string> command_names(const CLI::App& app);

/// Candidates for the last word: lines of a word, a tab and its meaning, or ":file PATTERN", which asks
/// the shell for names of files. `words` begin with the program; the last one may be empty.
std::vector<std::string> complete(const CLI::App& app, const std::vector<std::string>& words);

/// The script of bash, zsh or fish. Throws InputError for another shell.
std::string completion_script(const std::string& shell);

/// Names that are not known before a line is read: kinds are those of `value_kinds`, such as "studies" of the file on
/// the line. Empty where they cannot be found.
std::vector<std::string> values_of(std::string_view kind, const std::vector<std::string>& words);

}  // namespace pimsweep::commands
