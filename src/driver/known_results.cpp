#include "driver/known_results.h"

#include <fmt/format.h>

#include <utility>

#include "driver/reuse.h"
#include "journal/index.h"
#include "journal/stream.h"
#include "results/results_reader.h"

namespace pimsweep::driver {

std::uint64_t KnownResults::done_of(const sweep::Plan& plan, std::size_t study) const {
  const std::uint64_t begin = plan.offset(study);
  const std::uint64_t end = begin + plan.studies[study].size();
  if (done.count() == 0 || plan.studies[study].search() != nullptr) return 0;
  std::uint64_t missing = 0;
  for (std::uint64_t point = done.next_absent(begin); point < end; point = done.next_absent(point + 1)) ++missing;
  return end - begin - missing;
}

namespace {

std::vector<ResultSource> sources_of(const sweep::Plan& plan, Evaluator& evaluator,
                                     const std::vector<std::string>& journals, const ResultLocations& locations) {
  std::vector<ResultSource> sources;
  for (const std::string& path : journals) sources.push_back(results_of_journal(path));
  if (!locations.results.empty()) {
    sources.push_back([&evaluator, file = locations.results](const std::function<void(const journal::Entry&)>& use) {
      results::for_each_result(
          file, [&](std::string_view system) { return evaluator.schema_of(system); }, use);
    });
  }
  if (locations.cache) {
    for (ResultSource& source : locations.cache->sources(plan)) sources.push_back(std::move(source));
  }
  return sources;
}

}  // namespace

std::vector<ResultSource> all_results(const sweep::Plan& plan, Evaluator& evaluator, const ResultLocations& locations) {
  return sources_of(plan, evaluator, readable_journals(journal::files_in(locations.journals)), locations);
}

KnownResults find_known(const sweep::Plan& plan, Evaluator& evaluator, const ResultLocations& locations,
                        bool keep_crashed, const std::function<void(const journal::Entry&)>& adopt) {
  KnownResults known{PointSet(plan.size()), {}, std::vector<double>(plan.studies.size(), 0.0), {}};
  const auto settled = [&](systems::Status status) {
    return journal::is_result(status) || (status == systems::Status::crashed && keep_crashed);
  };
  const auto count_cost = [&](const journal::Entry& entry) {
    known.seconds[plan.locate(entry.index).study] += entry.seconds;
  };

  journal::Index journals(plan.hash());
  for (const std::string& path : journal::files_in(locations.journals)) journals.add(path);
  known.warnings = journals.warnings();
  for (std::size_t study = 0; study < plan.studies.size(); ++study) {
    if (plan.studies[study].search() == nullptr) continue;
    for (std::uint64_t i = 0; i < plan.studies[study].size(); ++i) known.done.insert(plan.offset(study) + i);
  }
  if (!journals.is_empty()) {
    journal::Stream stream(journals);
    journal::Entry entry;
    const auto next = [&](std::uint64_t point) { return known.done.next_absent(stream.next(point, plan.size())); };
    for (std::uint64_t point = next(0); point < plan.size(); point = next(point + 1)) {
      if (stream.read(point, evaluator.identity(point), evaluator.schema_at(point), entry) &&
          settled(entry.record.status)) {
        known.done.insert(point);
        count_cost(entry);
      }
    }
  }

  find_reusable(sources_of(plan, evaluator, journals.foreign(), locations), evaluator, known.done, settled,
                [&](const journal::Entry& entry) {
                  count_cost(entry);
                  adopt(entry);
                });

  for (const auto& [point, causes] : journals.deaths()) {
    if (point >= plan.size()) continue;
    const bool is_of_search = plan.studies[plan.locate(point).study].search() != nullptr;
    if (known.done.contains(point) && !is_of_search) continue;
    known.suspects.push_back({point, point + 1});
    known.warnings.push_back(
        fmt::format("point {} killed its rank in an earlier run ({}): it will be evaluated in a child process", point,
                    causes.back()));
  }
  return known;
}

}  // namespace pimsweep::driver
