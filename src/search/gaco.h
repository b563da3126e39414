#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "search/algorithm.h"
#include "search/archive.h"

namespace pimsweep::search {

/// Extended ant colony optimization (Schlueter, Egea and Banga, Comput. Oper. Res. 36(7), 2009) on numbered values. The
/// best designs so far are an archive, and each ant draws a design near one of them, the better ones more often: along
/// ordered dimensions from a Gaussian kernel, whose deviation is that of the paper for integers; along categories by
/// pheromone, which the designs of the archive lay on their values (Guntsch and Middendorf, A population based approach
/// for ACO, EvoWorkshops 2002). The archive of several objectives is ranked as that of NSGA-II, by fronts under
/// constraint domination (as Acciarini, Izzo and Mooij, MHACO, IEEE CEC 2020, do) and crowding distance. No design is
/// evaluated twice: an ant that finds nothing new draws again from wider kernels.
class Gaco final : public Algorithm {
 public:
  Gaco(const Space& space, std::uint64_t population, std::uint64_t seed);

  /// The first generation is a Sobol sample.
  std::vector<Design> propose(Candidates& candidates, std::uint64_t count) override;
  void learn(const std::vector<Design>& designs, const std::vector<Fitness>& results) override;

 private:
  const Design& draw_from_archive();
  /// A value of an ordered dimension of `size` values, near `mean`.
  std::uint64_t draw_near(std::uint64_t mean, double deviation, std::uint64_t size);
  /// A design near one of the archive, with kernels `widening` times as wide as they are.
  Design ant(double widening);

  const Space& space_;
  SplitMix64 random_;
  std::unique_ptr<DesignSequence> first_;
  Archive archive_;
  std::uint64_t generation_ = 0;
  /// Of the kernels, in steps; for each dimension.
  std::vector<double> deviations_;
};

}  // namespace pimsweep::search
