#include "search/search.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "search/gaco.h"
#include "search/nsga2.h"

namespace pimsweep::search {

namespace {

/// Evaluates the designs of a sequence without learning.
class Unguided final : public Algorithm {
 public:
  explicit Unguided(std::unique_ptr<DesignSequence> designs) : designs_(std::move(designs)) {}

  std::vector<Design> propose(Candidates& candidates, std::uint64_t count) override {
    return take_next(*designs_, candidates, count);
  }
  void learn(const std::vector<Design>& /*designs*/, const std::vector<Fitness>& /*results*/) override {}

 private:
  std::unique_ptr<DesignSequence> designs_;
};

/// The algorithm that the settings name. `space` must outlive it.
std::unique_ptr<Algorithm> make_algorithm(const sweep::SearchSettings& settings, const Space& space) {
  const auto seed = static_cast<std::uint64_t>(settings.seed);
  switch (settings.algorithm) {
    case sweep::SearchAlgorithm::nsga2:
      return std::make_unique<Nsga2>(space, settings.population, seed);
    case sweep::SearchAlgorithm::gaco:
      return std::make_unique<Gaco>(space, settings.population, seed);
    case sweep::SearchAlgorithm::random:
      return std::make_unique<Unguided>(random_designs(space, seed));
    case sweep::SearchAlgorithm::sobol:
      break;
  }
  return std::make_unique<Unguided>(sobol_designs(space, seed));
}

}  // namespace

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
