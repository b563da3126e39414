#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "search/algorithm.h"
#include "search/archive.h"

namespace pimsweep::search {

/// Extended ant colony optimization (Schlueter, Egea and Banga, Comput. Oper. Res. 36(7), 2009) on numbered values. An
/// archive keeps the best designs, and each ant samples a design near one of them, preferring better ones: in ordered
/// dimensions from a Gaussian kernel, with the standard deviation that the paper uses for integers; in categorical
/// dimensions by pheromone, which the archived designs deposit on their values (Guntsch and Middendorf, A population
/// based approach for ACO, EvoWorkshops 2002). Several objectives are ranked by fronts under constraint domination (as
/// in Acciarini, Izzo and Mooij, MHACO, IEEE CEC 2020) and crowding distance, as in NSGA-II. No design is evaluated
/// twice: an ant that does not find a new design samples again from wider kernels.
class Gaco final : public Algorithm {
 public:
  Gaco(const Space& space, std::uint64_t population, std::uint64_t seed);

  /// The first generation is a Sobol sample.
  std::vector<Design> propose(Candidates& candidates, std::uint64_t count) override;
  void learn(const std::vector<Design>& designs, const std::vector<Fitness>& results) override;

 private:
  const Design& draw_from_archive();
  /// A value near `mean` in an ordered dimension of `size` values.
  std::uint64_t draw_near(std::uint64_t mean, double deviation, std::uint64_t size);
  /// A design near one of the archive, sampled from kernels that are `widening` times as wide.
  Design ant(double widening);

  const Space& space_;
  SplitMix64 random_;
  std::unique_ptr<DesignSequence> first_;
  Archive archive_;
  std::uint64_t generation_ = 0;
  /// Standard deviation of the kernel of each dimension, in steps.
  std::vector<double> deviations_;
};

}  // namespace pimsweep::search
