#include "driver/merge.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "results/study_view.h"

namespace pimsweep {

namespace {

ResultsInfo info_of(const Plan& plan) {
  ResultsInfo info{plan.name, plan.text, {}};
  for (const Study& study : plan.studies) {
    const HardwareFile* hardware = study.hardware();
    if (hardware == nullptr) continue;
    const auto [known, fresh] = info.hardware.emplace(hardware->name, hardware->text);
    // Two files of one name from different folders.
    if (!fresh && known->second != hardware->text) info.hardware.emplace(hardware->path, hardware->text);
  }
  return info;
}

}  // namespace

MergeResult merge(const Plan& plan, Evaluator& evaluator, const JournalIndex& journals, const std::string& output,
                  const Provenance& provenance) {
  std::vector<std::unique_ptr<StudyView>> views;
  std::vector<const PlanStudyView*> plan_views;
  for (std::size_t study = 0; study < plan.studies.size(); ++study) {
    auto view = std::make_unique<PlanStudyView>(plan, study, evaluator, journals);
    plan_views.push_back(view.get());
    views.push_back(std::move(view));
  }
  MergeResult result;
  result.digest = write_results(output, info_of(plan), views, provenance);
  for (const PlanStudyView* view : plan_views) {
    for (std::size_t i = 0; i < result.counts.count.size(); ++i) result.counts.count[i] += view->counts().count[i];
    result.failures.insert(result.failures.end(), view->failures().begin(), view->failures().end());
  }
  return result;
}

void print_summary(const Plan& plan, const MergeResult& result, const std::string& how, const std::string& output) {
  constexpr std::size_t failures_told = 5;
  const std::size_t told = std::min(failures_told, result.failures.size());
  for (std::size_t i = 0; i < told; ++i) fmt::print(stderr, "failed: {}\n", result.failures[i]);
  if (told > 0 && result.counts[Status::failed] > told) {
    fmt::print(stderr, "... and {} more: see `status` and `message` in {}\n", result.counts[Status::failed] - told,
               output);
  }
  std::string text =
      fmt::format("{}: {} points: {} ok, {} infeasible, {} failed", plan.name, result.counts.total(),
                  result.counts[Status::ok], result.counts[Status::infeasible], result.counts[Status::failed]);
  if (result.counts[Status::not_run] > 0) text += fmt::format(", {} not run", result.counts[Status::not_run]);
  fmt::print("{}; {}\n{}\n", text, how, output);
  std::fflush(stdout);
}

std::string utc_text(std::int64_t seconds_since_1970) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(seconds_since_1970)));
}

}  // namespace pimsweep
