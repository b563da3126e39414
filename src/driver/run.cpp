#include "driver/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <numeric>

#include "base/error.h"
#include "driver/journal_index.h"
#include "driver/plan_view.h"
#include "results/results_reader.h"

namespace pimsweep {

namespace {

Existing existing_of(const RunOptions& options) {
  if (options.resume && options.force)
    throw InputError("--resume keeps what is there, --force discards it: give one of the two");
  if (options.resume) return Existing::keep;
  return options.force ? Existing::discard : Existing::refuse;
}

/// Visits every point of the plan with its study, its index in the study and its index in the plan.
template <typename Visit>
void for_each_point(const Plan& plan, const Visit& visit) {
  std::uint64_t global = 0;
  for (std::size_t study = 0; study < plan.studies.size(); ++study) {
    for (std::uint64_t index = 0; index < plan.studies[study].size(); ++index) visit(study, index, global++);
  }
}

/// Copies those results of an earlier results file that the journals lack into a journal of their own, so that there
/// is one place to look for results. Returns false if there were none.
bool import_results(const std::string& results, const std::string& journal, const JournalHeader& header,
                    const Plan& plan, Evaluator& evaluator, const JournalIndex& known) {
  std::vector<Hash128> wanted;
  for_each_point(plan, [&](std::size_t study, std::uint64_t index, std::uint64_t) {
    const Hash128 identity = evaluator.identity(study, index);
    if (!is_result(known.status(identity))) wanted.push_back(identity);
  });
  if (wanted.empty()) return false;
  std::sort(wanted.begin(), wanted.end());
  std::unique_ptr<JournalWriter> writer;
  for_each_result(
      results, [&](std::string_view system) { return evaluator.schema_of(system); },
      [&](const JournalEntry& entry) {
        if (!is_result(entry.record.status) || !std::binary_search(wanted.begin(), wanted.end(), entry.identity))
          return;
        if (!writer) writer = std::make_unique<JournalWriter>(journal, header);
        writer->append(entry.identity, entry.seconds, entry.record);
      });
  if (!writer) return false;
  writer->close();
  return true;
}

}  // namespace

JournalHeader journal_header(const Plan& plan, const std::string& host, int rank) {
  return {plan.name,
          std::filesystem::absolute(plan.path).string(),
          plan.options.studies,
          plan.options.overrides,
          plan.hash(),
          host,
          rank,
          ::getpid(),
          std::time(nullptr)};
}

Run::Run(const std::string& experiment, const PlanOptions& plan_options, const RunOptions& options)
    : started_(std::time(nullptr)),
      plan_(load_plan(experiment, plan_options)),
      name_(fmt::format("{}-{}", started_, ::getpid())),
      evaluator_(std::make_unique<Evaluator>(plan_)),
      reused_(plan_.studies.size(), 0) {
  const Existing existing = existing_of(options);
  check_names(plan_);
  // Its mode is checked before anything is touched.
  progress_ = std::make_unique<Progress>(options.progress, plan_.size());
  output_ = std::make_unique<OutputFiles>(
      options.output.empty() ? fmt::format("results/{}.h5", plan_.name) : options.output, existing);
  if (existing == Existing::keep) {
    try {
      find_pending();
    } catch (...) {
      output_->abandon();
      throw;
    }
  } else {
    pending_.add({0, plan_.size()});
  }
  progress_ = std::make_unique<Progress>(options.progress, pending_.points());
}

void Run::find_pending() {
  JournalIndex journals;
  for (const std::string& path : journal_files(output_->journals())) journals.add(path);
  journals.build();
  if (std::filesystem::exists(output_->results())) {
    const std::string imported = (std::filesystem::path(output_->journals()) / (name_ + "-reused.journal")).string();
    if (import_results(output_->results(), imported, journal_header(plan_, "", 0), plan_, *evaluator_, journals)) {
      journals.add(imported);
      journals.build();
    }
  }
  for (const std::string& warning : journals.warnings()) fmt::print(stderr, "pimsweep: warning: {}\n", warning);
  JournalEntry entry;
  for_each_point(plan_, [&](std::size_t study, std::uint64_t index, std::uint64_t global) {
    const Hash128 identity = evaluator_->identity(study, index);
    // A result whose shape is not the schema's any more is no result.
    if (is_result(journals.status(identity)) && journals.read(identity, entry) &&
        shape_problem(plan_.studies[study].schema(), entry.record).empty()) {
      ++reused_[study];
    } else {
      pending_.add({global, global + 1});
    }
  });
}

std::uint64_t Run::reused_points() const { return std::accumulate(reused_.begin(), reused_.end(), std::uint64_t{0}); }

}  // namespace pimsweep
