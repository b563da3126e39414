#include "search/search.h"

#include <algorithm>

#include "search/candidates.h"
#include "search/nsga2.h"

namespace pimsweep::search {

namespace {

/// Asks for generations until the budget is used up; `propose(count)` gives the next one, `learn` takes its results.
template <typename Propose, typename Learn>
void use_budget(const sweep::SearchSettings& settings, DesignProblem& problem, const Propose& propose,
                const Learn& learn) {
  for (std::uint64_t left = settings.points; left > 0;) {
    const std::vector<Design> generation = propose(std::min(left, settings.population));
    if (generation.empty()) return;
    learn(generation, problem.evaluate(generation));
    left -= generation.size();
  }
}

}  // namespace

void run_search(const sweep::SearchSettings& settings, DesignProblem& problem) {
  using sweep::SearchAlgorithm;
  Candidates candidates(problem);
  const auto seed = static_cast<std::uint64_t>(settings.seed);
  if (settings.algorithm == SearchAlgorithm::nsga2) {
    Nsga2 algorithm(problem.space(), settings.population, seed);
    use_budget(
        settings, problem, [&](std::uint64_t count) { return algorithm.propose(candidates, count); },
        [&](const auto& designs, const auto& results) { algorithm.learn(designs, results); });
    return;
  }
  const auto designs = settings.algorithm == SearchAlgorithm::sobol ? sobol_designs(problem.space(), seed)
                                                                    : random_designs(problem.space(), seed);
  use_budget(
      settings, problem, [&](std::uint64_t count) { return take_next(*designs, candidates, count); },
      [](const auto&, const auto&) {});
}

}  // namespace pimsweep::search
