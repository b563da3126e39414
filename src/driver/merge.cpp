#include "driver/merge.h"

#include <fmt/chrono.h>
#include <fmt/ranges.h>

#include <chrono>
#include <memory>
#include <utility>

#include "journal/stream.h"
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
  for (const auto& network : workload::import::known_networks()) {
    info.networks.emplace(network->name, network->text());
    const std::vector<std::string>& notes = network->model.notes;
    if (!notes.empty()) info.readings.emplace(network->name, fmt::format("{}", fmt::join(notes, "\n")));
  }
  return info;
}

}  // namespace

MergeResult merge(const sweep::Plan& plan, Evaluator& evaluator, const journal::Index& journals,
                  const std::string& output, const results::Provenance& provenance, const Searches* searches,
                  Fault fault) {
  const auto start = std::chrono::steady_clock::now();
  journal::Stream stream(journals);
  MergeNotes notes;
  std::vector<std::unique_ptr<results::StudyView>> views;
  for (std::size_t study = 0; study < plan.studies.size(); ++study) {
    views.push_back(std::make_unique<PlanStudyView>(
        plan, study, evaluator, stream, searches == nullptr ? nullptr : searches->log(study), notes, fault));
  }
  MergeResult result;
  result.digest = write_results(output, info_of(plan), views, provenance);
  result.counts = notes.counts;
  result.failures = std::move(notes.failures);
  result.conflicts = stream.take_conflicts();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

std::string utc_text(std::int64_t seconds_since_1970) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(seconds_since_1970)));
}

}  // namespace pimsweep::driver
