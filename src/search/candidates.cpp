#include "search/candidates.h"

#include <fmt/format.h>

#include "sweep/sample_sequence.h"

namespace pimsweep::search {

namespace {

class RandomDesigns final : public DesignSequence {
 public:
  RandomDesigns(const Space& space, std::uint64_t seed) : space_(space), random_(seed) {}

  Design next() override {
    Design design;
    for (const sweep::SearchDimension& dimension : space_.dimensions())
      design.push_back(below(random_, dimension.size));
    return design;
  }

 private:
  const Space& space_;
  SplitMix64 random_;
};

class SobolDesigns final : public DesignSequence {
 public:
  SobolDesigns(const Space& space, std::uint64_t seed) : space_(space) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < space.dimensions().size(); ++i) names.push_back(std::to_string(i));
    sequences_ = sweep::sample_sequences(sweep::SampleMethod::sobol, sweep::max_sample_points,
                                         fmt::format("search {}", seed), names);
  }

  Design next() override {
    Design design;
    for (std::size_t i = 0; i < sequences_.size(); ++i)
      design.push_back(sweep::scaled(sweep::fraction_at(sequences_[i], next_), space_.dimensions()[i].size));
    ++next_;
    return design;
  }

 private:
  const Space& space_;
  std::vector<sweep::SampleSequence> sequences_;
  std::uint64_t next_ = 0;
};

}  // namespace

std::uint64_t below(SplitMix64& random, std::uint64_t bound) { return sweep::scaled(random(), bound); }

double unit_number(SplitMix64& random) { return static_cast<double>(random() >> 11U) * 0x1p-53; }

bool Candidates::claim(const Design& design) {
  const std::uint64_t index = space().index_of(design);
  return !taken_.contains(index) && problem_.is_allowed(design) && taken_.insert(index).second;
}

std::unique_ptr<DesignSequence> random_designs(const Space& space, std::uint64_t seed) {
  return std::make_unique<RandomDesigns>(space, SplitMix64::mix(seed));
}

std::unique_ptr<DesignSequence> sobol_designs(const Space& space, std::uint64_t seed) {
  return std::make_unique<SobolDesigns>(space, seed);
}

std::vector<Design> take_next(DesignSequence& sequence, Candidates& candidates, std::uint64_t count) {
  std::vector<Design> taken;
  std::uint64_t failed_draws = 0;
  while (taken.size() < count && !candidates.is_exhausted() && failed_draws < max_failed_draws) {
    Design design = sequence.next();
    if (candidates.claim(design)) {
      taken.push_back(std::move(design));
      failed_draws = 0;
    } else {
      ++failed_draws;
    }
  }
  return taken;
}

}  // namespace pimsweep::search
