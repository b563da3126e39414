#include "results/measured.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/posix_file.h"
#include "base/quantity.h"

namespace pimsweep::results {

Measured::Measured(const std::string& path) : path_(path), table_(parse_csv(read_file(path), path)) {
  column("value");
  column("unit");
}

std::size_t Measured::column(const std::string& name) const {
  if (const int found = table_.column(name); found >= 0) return static_cast<std::size_t>(found);
  std::vector<std::string> names;
  for (const CsvCell& cell : table_.header) names.push_back(cell.text);
  throw InputError(fmt::format("{}: there is no column '{}'{}", path_, name, suggestion(name, names)));
}

double Measured::value(const std::map<std::string, std::string>& row) const {
  std::set<double> values;
  for (const std::vector<CsvCell>& cells : table_.rows) {
    const bool is_meant =
        std::ranges::all_of(row, [&](const auto& wanted) { return cells[column(wanted.first)].text == wanted.second; });
    if (is_meant)
      values.insert(
          parse_quantity(cells[column("value")].text + " " + cells[column("unit")].text, cells[column("unit")].text));
  }
  if (values.size() == 1) return *values.begin();
  std::vector<std::string> wanted;
  for (const auto& [name, text] : row) wanted.push_back(fmt::format("{} = \"{}\"", name, text));
  throw InputError(
      fmt::format("{}: {} different values with {}, one is needed", path_, values.size(), fmt::join(wanted, ", ")));
}

}  // namespace pimsweep::results
