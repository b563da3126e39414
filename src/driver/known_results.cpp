#include "driver/known_results.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "driver/journal_set.h"
#include "driver/result_stream.h"
#include "driver/reuse.h"
#include "results/results_reader.h"

namespace pimsweep::driver {

std::uint64_t KnownResults::done_of(const sweep::Plan& plan, std::size_t study) const {
  const std::uint64_t begin = plan.offset(study);
  const std::uint64_t end = begin + plan.studies[study].size();
  if (done.count() == 0) return 0;
  std::uint64_t missing = 0;
  for (std::uint64_t point = done.next_absent(begin); point < end; point = done.next_absent(point + 1)) ++missing;
  return end - begin - missing;
}

KnownResults find_known(const sweep::Plan& plan, Evaluator& evaluator, const ResultLocations& locations,
                        bool keep_crashed, const std::function<void(const results::JournalEntry&)>& adopt) {
  KnownResults known{PointSet(plan.size()), {}, std::vector<double>(plan.studies.size(), 0.0), {}};
  const auto settled = [&](systems::Status status) {
    return results::is_result(status) || (status == systems::Status::crashed && keep_crashed);
  };
  const auto count_cost = [&](const results::JournalEntry& entry) {
    known.seconds[plan.locate(entry.index).study] += entry.seconds;
  };

  JournalSet journals(plan.hash());
  for (const std::string& path : results::journal_files(locations.journals)) journals.add(path);
  known.warnings = journals.warnings();
  if (journals.extents().count() > 0) {
    ResultStream stream(journals);
    results::JournalEntry entry;
    for (std::uint64_t point = 0; point < plan.size(); ++point) {
      if (stream.read(point, evaluator.identity(point), evaluator.schema_at(point), entry) &&
          settled(entry.record.status)) {
        known.done.insert(point);
        count_cost(entry);
      }
    }
  }

  std::vector<ResultSource> sources;
  for (const std::string& path : journals.foreign()) sources.push_back(results_of_journal(path));
  if (std::filesystem::exists(locations.results)) {
    sources.push_back([&](const std::function<void(const results::JournalEntry&)>& use) {
      results::for_each_result(
          locations.results, [&](std::string_view system) { return evaluator.schema_of(system); }, use);
    });
  }
  if (locations.cache) {
    for (ResultSource& source : locations.cache->sources(plan)) sources.push_back(std::move(source));
  }
  find_reusable(sources, evaluator, known.done, settled, [&](const results::JournalEntry& entry) {
    count_cost(entry);
    adopt(entry);
  });

  for (const auto& [point, causes] : journals.deaths()) {
    if (point >= plan.size() || known.done.contains(point)) continue;
    known.suspects.push_back({point, point + 1});
    known.warnings.push_back(
        fmt::format("point {} killed its rank in an earlier run ({}): it will be evaluated in a child process", point,
                    causes.back()));
  }
  return known;
}

}  // namespace pimsweep::driver
