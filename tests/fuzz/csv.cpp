#include "base/csv.h"

#include <string>
#include <vector>

#include "expect.h"
#include "readers.h"

namespace pimsweep::fuzz {

namespace {

std::string line_of(const std::vector<CsvCell>& cells) {
  std::vector<std::string> texts;
  texts.reserve(cells.size());
  for (const CsvCell& cell : cells) texts.push_back(cell.text);
  return csv_line(texts);
}

std::string text_of(const CsvTable& table) {
  std::string text = "\xef\xbb\xbf" + line_of(table.header);
  for (const auto& row : table.rows) text += line_of(row);
  return text;
}

}  // namespace

/// Reading, writing and reading again gives the same table.
void read_csv(std::string_view input) {
  expect_input_error([&] {
    const std::string text = text_of(parse_csv(input, "table.csv"));
    require(text_of(parse_csv(text, "again.csv")) == text, "a table reads as it was written");
  });
}

}  // namespace pimsweep::fuzz
