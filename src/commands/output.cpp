#include "commands/output.h"

#include <fmt/ranges.h>

#include "base/print.h"

namespace pimsweep::commands {

void TableWriter::add(const TextTable& table, const std::vector<std::string>& numbers) {
  if (!form_.csv.empty()) csv_ += table.csv();
  if (!form_.json) return;
  for (std::string& row : table.json(numbers)) rows_.push_back(std::move(row));
}

void TableWriter::write() const {
  if (!form_.csv.empty()) write_output(form_.csv, csv_, form_.force);
  if (form_.json)
    print_to(stdout, "[{}{}{}]\n", rows_.empty() ? "" : "\n ", fmt::join(rows_, ",\n "), rows_.empty() ? "" : "\n");
}

void write_table(const TextTable& table, const OutputForm& form, const std::vector<std::string>& numbers) {
  TableWriter writer(form);
  writer.add(table, numbers);
  writer.write();
}

namespace {

void write_marked(const std::string& path, const std::string& text, std::size_t mark_bytes, bool force) {
  if (path == standard_output) {
    print_to(stdout, "{}", text);
    return;
  }
  OutputFile file(path, std::string_view(text).substr(0, mark_bytes), force);
  file.write(text);
  file.close();
}

}  // namespace

void write_output(const std::string& path, const std::string& text, bool force) {
  write_marked(path, text, text.find('\n') + 1, force);
}

void write_named_output(const std::string& path, const std::string& text, bool force) {
  constexpr std::string_view program = "pimsweep";
  write_marked(path, text, text.find(program) + program.size(), force);
}

}  // namespace pimsweep::commands
