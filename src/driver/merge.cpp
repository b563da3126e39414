#include "driver/merge.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>

#include "driver/extent_index.h"
#include "driver/own_files.h"
#include "results/study_view.h"
#include "workload/import/network_files.h"

namespace pimsweep::driver {

namespace {

results::ResultsInfo info_of(const sweep::Plan& plan) {
  results::ResultsInfo info{plan.name, plan.text, {}};
  for (const sweep::Study& study : plan.studies) {
    for (const auto& hardware : study.hardware()) {
      const auto [known, fresh] = info.hardware.emplace(hardware->short_name, hardware->text);
      // Files of equal names in different folders.
      if (!fresh && known->second != hardware->text) info.hardware.emplace(hardware->path, hardware->text);
    }
    const sweep::DefinitionTexts& definitions = study.definitions();
    info.models.insert(definitions.models.begin(), definitions.models.end());
    info.training.insert(definitions.training.begin(), definitions.training.end());
  }
  for (const auto& network : workload::import::known_networks()) info.networks.emplace(network->name, network->text());
  return info;
}

}  // namespace

void MergeNotes::add(const results::BlockTask& task, EncodingNotes notes) {
  for (std::size_t i = 0; i < counts_.count.size(); ++i) counts_.count[i] += notes.counts.count[i];
  conflicts_.insert(conflicts_.end(), notes.conflicts.begin(), notes.conflicts.end());
  if (notes.failures.empty()) return;
  failures_.emplace(std::pair{task.study, task.first_block}, std::move(notes.failures));
  // Those of the first few blocks fill what the user is told.
  if (failures_.size() > max_printed_failures) failures_.erase(std::prev(failures_.end()));
}

void MergeNotes::move_to(MergeResult& result) {
  result.counts = counts_;
  for (const auto& [place, failures] : failures_)
    result.failures.insert(result.failures.end(), failures.begin(), failures.end());
  std::ranges::sort(conflicts_);
  result.conflicts = std::move(conflicts_);
}

void merge_here(const MergeWork& work) {
  while (const auto task = work.queue.next(false)) {
    TaskEncoder::Done done = work.encoder.encode(*task, work.index.position(work.encoder.first_point_of(*task)));
    work.notes.add(*task, std::move(done.notes));
    work.queue.put(*task, done.task.head, [&done] { return std::move(done.task.body); });
  }
}

MergeResult merge(const sweep::Plan& plan, Evaluator& evaluator, journal::Index& journals, const std::string& output,
                  const results::Provenance& provenance, const Searches* searches, const EncodeMerge& encode) {
  const auto start = std::chrono::steady_clock::now();
  const ExtentIndex index(journals, temporary_path(output + index_extension), plan.size());
  TaskEncoder encoder(plan, evaluator, index.path(), searches);
  std::vector<std::unique_ptr<results::StudyView>> views;
  for (std::size_t study = 0; study < plan.studies.size(); ++study) views.push_back(encoder.view(study));
  MergeResult result;
  MergeNotes notes;
  result.digest = write_results(output, info_of(plan), views, provenance, [&](results::BlockQueue& queue) {
    encode({queue, index, encoder, notes});
  });
  notes.move_to(result);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

std::string utc_text(std::int64_t seconds_since_1970) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(seconds_since_1970)));
}

}  // namespace pimsweep::driver
