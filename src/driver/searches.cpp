#include "driver/searches.h"

#include <algorithm>

#include "systems/record_check.h"

namespace pimsweep::driver {

Searches::Searches(const sweep::Plan& plan, Evaluator& evaluator) : plan_(plan), evaluator_(evaluator) {
  for (std::size_t study = 0; study < plan.studies.size(); ++study) {
    if (plan.studies[study].search() == nullptr) continue;
    OfStudy& added = studies_.emplace_back(OfStudy{study});
    added.run = std::make_unique<SearchRun>(plan, study, evaluator, added.known, added.log);
  }
}

void Searches::know(const journal::Entry& entry) {
  for (OfStudy& of : studies_) {
    const sweep::Study& study = plan_.studies[of.study];
    // A result of another system has another shape.
    if (!systems::record_fault(study.schema(), entry.record).empty()) continue;
    of.known.insert_or_assign(entry.identity, observation_of(*study.search(), entry.record));
  }
}

void Searches::run(const SearchRun::Evaluate& evaluate) {
  for (OfStudy& of : studies_) of.run->run(evaluate);
}

void Searches::observe(const Grant& grant, const Report& report) {
  ByteReader reader(report.observations);
  std::uint64_t left = report.done;
  for (const Range& range : grant.ranges) {
    for (std::uint64_t point = range.begin; point < range.end && left > 0; ++point, --left) {
      const auto [study, index] = plan_.locate(point);
      const auto of = std::ranges::find(studies_, study, &OfStudy::study);
      if (of != studies_.end()) of->run->observe(index, read_observation(*plan_.studies[study].search(), reader));
    }
  }
}

const SearchLog* Searches::log(std::size_t study) const {
  const auto of = std::ranges::find(studies_, study, &OfStudy::study);
  return of == studies_.end() ? nullptr : &of->log;
}

}  // namespace pimsweep::driver
