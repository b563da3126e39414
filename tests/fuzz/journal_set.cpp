#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <list>
#include <string>
#include <vector>

#include "base/hash.h"
#include "driver/merge.h"
#include "expect.h"
#include "journal/index.h"
#include "journal_edits.h"
#include "memory_file.h"
#include "readers.h"
#include "results/results_reader.h"
#include "sample_plan.h"

namespace pimsweep::fuzz {

namespace {

struct Outcome {
  std::vector<systems::Status> statuses;
  bool has_conflicts = false;
};

/// The status of each point of the plan, as it is written to the results file.
Outcome read_points(journal::Index& journals) {
  driver::Evaluator evaluator(sample_plan());
  journal::Stream stream(journals);
  Outcome outcome;
  results::StudyView::Row row;
  driver::MergeNotes notes;
  driver::Fault fault;
  for (std::size_t study = 0; study < sample_plan().studies.size(); ++study) {
    driver::PlanStudyView view(sample_plan(), study, evaluator, stream, nullptr, notes, fault);
    for (std::uint64_t point = 0; point < view.size(); ++point) {
      view.row(point, row);
      outcome.statuses.push_back(row.record.status);
    }
  }
  outcome.has_conflicts = !stream.take_conflicts().empty();
  return outcome;
}

journal::Index set_of(const std::vector<std::string>& paths) {
  journal::Index journals(sample_plan().hash());
  for (const std::string& path : paths) journals.add(path);
  return journals;
}

/// A file that is merged has what was counted.
void write_merged(const std::vector<std::string>& paths) {
  const MemoryFile output("");
  journal::Index journals = set_of(paths);
  driver::Evaluator evaluator(sample_plan());
  const driver::MergeResult merged = driver::merge(sample_plan(), evaluator, journals, output.path(), {});
  driver::StatusCounts stored;
  for (const sweep::Study& study : sample_plan().studies) {
    const std::array<std::uint64_t, 5> counts = results::stored_status_counts(output.path(), study.id());
    for (std::size_t status = 0; status < counts.size(); ++status) stored.count[status] += counts[status];
  }
  require(stored.count == merged.counts.count, "the file has the points that were counted");
}

}  // namespace

/// Edits of the journals before reading. A results file, which is slow, is written for few inputs only.
void read_journal_set(std::string_view input) {
  constexpr std::uint32_t inputs_per_file = 64;
  std::vector<std::string> bytes = sample_journals();
  ByteReader edits(input);
  edit_journals(bytes, edits);
  std::list<MemoryFile> files;
  std::vector<std::string> paths;
  paths.reserve(bytes.size());
  for (const std::string& journal : bytes) paths.push_back(files.emplace_back(journal).path());

  journal::Index journals = set_of(paths);
  const Outcome outcome = read_points(journals);
  require(outcome.statuses.size() == sample_plan().size(), "every point has a status");
  std::vector<std::string> reversed(paths.rbegin(), paths.rend());
  journal::Index other_way(set_of(reversed));
  require(outcome.has_conflicts || read_points(other_way).statuses == outcome.statuses,
          "the order of journals does not matter");
  if (checksum32(input) % inputs_per_file == 0) write_merged(paths);
}

}  // namespace pimsweep::fuzz
