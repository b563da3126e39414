#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/output_file.h"
#include "commands/text_table.h"

namespace pimsweep::commands {

/// The path that stands for the standard output. What a command otherwise prints there is left out then.
inline constexpr std::string_view standard_output = "-";

/// Output of a command: text for people, unless a script asks for another form.
struct OutputForm {
  /// A file for CSV, written beside the text; with standard_output, CSV takes the text's place. Empty: none.
  std::string csv;
  /// JSON takes the text's place.
  bool json = false;
  /// Files of other columns are replaced, too.
  bool force = false;

  bool has_text() const { return !json && csv != standard_output; }
};

/// Writes tables as CSV or JSON if the form asks for it: CSV one after another, JSON as one list of rows.
class TableWriter {
 public:
  explicit TableWriter(const OutputForm& form) : form_(form) {}
  /// Numbers stand in the columns `numbers`.
  void add(const TextTable& table, const std::vector<std::string>& numbers);
  /// Writes all tables, with the errors of write_output().
  void write() const;

 private:
  const OutputForm& form_;
  std::string csv_;
  std::vector<std::string> rows_;
};

/// Writes one table.
void write_table(const TextTable& table, const OutputForm& form, const std::vector<std::string>& numbers);

/// Writes a text to a file, or to the standard output. A file that exists must be of the same kind unless `force` is
/// set (base/output_file.h): it must begin with the same line, as a CSV of the same columns does. Throws InputError if
/// it is of another kind, OutputError if it cannot be written.
void write_output(const std::string& path, const std::string& text, bool force);

/// The same for texts that have the name of the program near their beginning: up to there, both must be equal.
void write_named_output(const std::string& path, const std::string& text, bool force);

}  // namespace pimsweep::commands
