#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "search/candidates.h"
#include "search/design_problem.h"

namespace pimsweep::search {

/// NSGA-II (Deb, Pratap, Agarwal and Meyarivan, IEEE Trans. Evol. Comput. 6(2), 2002) on numbered values: tournaments
/// and survival by front and crowding distance under constraint domination. Children take each dimension from one of
/// two parents (uniform crossover); a mutated one takes a near value where the values are ordered, and any other value
/// where they are categories. No design is evaluated twice: what would be is mutated until it is new.
class Nsga2 {
 public:
  Nsga2(const Space& space, std::uint64_t population, std::uint64_t seed);

  /// The next generation, at most `count` designs; empty if no new design is found. The first one is a Sobol sample.
  std::vector<Design> propose(Candidates& candidates, std::uint64_t count);
  /// Takes the results of the designs proposed last, and keeps the best of old and new.
  void learn(const std::vector<Design>& designs, const std::vector<Fitness>& results);

 private:
  const Design& tournament();
  Design child();
  void mutate(Design& design);
  void survive();

  const Space& space_;
  std::uint64_t population_;
  SplitMix64 random_;
  std::unique_ptr<DesignSequence> first_;
  std::vector<Design> designs_;
  std::vector<Fitness> fitness_;
  std::vector<std::size_t> fronts_;
  std::vector<double> crowding_;
};

}  // namespace pimsweep::search
