#include "search/search.h"

#include <algorithm>

#include "search/algorithm.h"

namespace pimsweep::search {

void run_search(const sweep::SearchSettings& settings, DesignProblem& problem) {
  Candidates candidates(problem);
  const std::unique_ptr<Algorithm> algorithm = make_algorithm(settings, problem.space());
  for (std::uint64_t left = settings.points; left > 0;) {
    const std::vector<Design> generation = algorithm->propose(candidates, std::min(left, settings.population));
    if (generation.empty()) return;
    algorithm->learn(generation, problem.evaluate(generation));
    left -= generation.size();
  }
}

}  // namespace pimsweep::search
