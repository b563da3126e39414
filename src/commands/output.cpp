#include "commands/output.h"

#include <fmt/ranges.h>

#include <fstream>

#include "base/error.h"
#include "base/print.h"

namespace pimsweep::commands {

void TableWriter::add(const TextTable& table, const std::vector<std::string>& numbers) {
  if (!form_.csv.empty()) csv_ += table.csv();
  if (!form_.json) return;
  for (std::string& row : table.json(numbers)) rows_.push_back(std::move(row));
}

void TableWriter::write() const {
  if (!form_.csv.empty()) write_output(form_.csv, csv_);
  if (form_.json)
    print_to(stdout, "[{}{}{}]\n", rows_.empty() ? "" : "\n ", fmt::join(rows_, ",\n "), rows_.empty() ? "" : "\n");
}

void write_table(const TextTable& table, const OutputForm& form, const std::vector<std::string>& numbers) {
  TableWriter writer(form);
  writer.add(table, numbers);
  writer.write();
}

void write_output(const std::string& path, const std::string& text) {
  if (path == standard_output) {
    print_to(stdout, "{}", text);
    return;
  }
  std::ofstream stream(path);
  stream << text << std::flush;
  if (!stream) throw InputError(fmt::format("cannot write '{}'", path));
}

}  // namespace pimsweep::commands
