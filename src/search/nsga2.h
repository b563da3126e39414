#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "search/algorithm.h"
#include "search/archive.h"

namespace pimsweep::search {

/// NSGA-II (Deb, Pratap, Agarwal and Meyarivan, IEEE Trans. Evol. Comput. 6(2), 2002) on numbered values: tournaments
/// and survival by front and crowding distance under constraint domination. Children take each dimension from one of
/// two parents (uniform crossover). A mutation selects a nearby value in ordered dimensions, and any other value in
/// categorical ones. No design is evaluated twice: a known child is mutated until it is new.
class Nsga2 final : public Algorithm {
 public:
  Nsga2(const Space& space, std::uint64_t population, std::uint64_t seed);

  /// The first generation is a Sobol sample.
  std::vector<Design> propose(Candidates& candidates, std::uint64_t count) override;
  void learn(const std::vector<Design>& designs, const std::vector<Fitness>& results) override;

 private:
  const Design& tournament();
  Design child();
  void mutate(Design& design);

  const Space& space_;
  SplitMix64 random_;
  std::unique_ptr<DesignSequence> first_;
  Archive parents_;
};

}  // namespace pimsweep::search
