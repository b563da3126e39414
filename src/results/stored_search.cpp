#include "results/stored_search.h"

#include <memory>
#include <sstream>

#include "results/column_reader.h"
#include "results/hdf5_read.h"
#include "results/open_results.h"
#include "results/point_cells.h"

namespace pimsweep::results {

namespace {

std::vector<std::string> words_of(hid_t group, const char* attribute) {
  std::istringstream text(hdf5::read_text_attribute(group, attribute));
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

}  // namespace

std::vector<StoredSearch> stored_searches(const std::string& results_file, const std::vector<std::string>& studies) {
  std::vector<StoredSearch> searches;
  const Hdf5Handle file = open_results(results_file);
  for (const std::string& id : chosen_studies(results_file, studies)) {
    const Hdf5Handle group = hdf5::open_group(file.get(), results_file, id);
    StoredSearch search{id, {}, words_of(group.get(), search_recheck_attribute), false};
    for (const std::string& metric : words_of(group.get(), search_min_attribute)) search.objectives.push_back({metric});
    for (const std::string& metric : words_of(group.get(), search_max_attribute))
      search.objectives.push_back({metric, true});
    search.has_constraints = !hdf5::read_text_attribute(group.get(), search_constraints_attribute).empty();
    if (!search.objectives.empty()) searches.push_back(std::move(search));
  }
  return searches;
}

RowPredicate feasible_points(const std::string& results_file, const std::string& study) {
  const Hdf5Handle file = open_results(results_file);
  const Hdf5Handle group = hdf5::open_group(file.get(), results_file, study);
  const auto column = std::make_shared<ColumnReader>(group.get(), results_file, "feasible");
  return [column](std::uint64_t row) { return column->integer(row) != 0; };
}

}  // namespace pimsweep::results
