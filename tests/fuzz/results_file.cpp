#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/posix_file.h"
#include "expect.h"
#include "hdf5_edits.h"
#include "memory_file.h"
#include "readers.h"
#include "results/compare.h"
#include "results/point_cells.h"
#include "results/ranking.h"
#include "results/results_reader.h"
#include "results/seal.h"
#include "sample_results.h"

namespace pimsweep::fuzz {

namespace {

void read_points(const std::string& path) {
  for (const std::string& study : results::study_ids(path)) {
    results::StudyReader reader(path, study, results::stored_schema(path, study));
    journal::Entry entry;
    std::vector<Value> axes;
    for (std::uint64_t point = reader.size(); point > 0; --point) {
      reader.read(point - 1, entry);
      reader.read_axes(point - 1, axes);
    }
  }
}

void reuse(const std::string& path) {
  const systems::Schema schema = sample_schema();
  results::for_each_result(
      path, [&](std::string_view) { return &schema; }, [](const journal::Entry&) {});
}

void count(const std::string& path) {
  for (const std::string& study : results::study_ids(path)) results::stored_status_counts(path, study);
}

void read_cells(const std::string& path) {
  for (const std::string& study : results::study_ids(path)) {
    results::PointCells cells(path, study, results::varying_axes(path, study));
    cells.row(0, false);
    cells.row(1, true);
  }
}

void rank(const std::string& path) {
  std::vector<std::string> left_out;
  results::rank_studies(path, {{{"energy", true}}, {"model"}, {}}, left_out);
  results::find_best(path, {{{"latency", false}}, {}, {}}, 2);
  results::find_fronts(path, {{{"latency", false}, {"energy", false}}, {"n"}, {}});
}

void compare(const std::string& path) { results::compare_with_references(path); }

constexpr std::array readers{read_points, reuse, count, read_cells, rank, compare};

}  // namespace

/// The first byte chooses what is done with the results file, the others how it is edited before.
void read_results_file(std::string_view input) {
  if (input.empty()) return;
  const MemoryFile file(sample_results());
  ByteReader bytes(input.substr(1));
  edit_results(file.path(), bytes);
  results::seal_file(file.path());
  const auto reader = readers[static_cast<unsigned char>(input.front()) % readers.size()];
  expect_input_error([&] { reader(file.path()); });
}

}  // namespace pimsweep::fuzz
