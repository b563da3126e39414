#pragma once

#include <cstdint>
#include <vector>

#include "sweep/plan.h"

namespace pimsweep::sweep {

/// Which point of the product each point of a search is, as far as it has been chosen.
class ChosenPoints {
 public:
  void choose(std::uint64_t index, std::uint64_t product_index) {
    if (index >= products_.size()) products_.resize(index + 1, Study::not_chosen);
    products_[index] = product_index;
  }
  std::uint64_t product_index(std::uint64_t index) const {
    return index < products_.size() ? products_[index] : Study::not_chosen;
  }

 private:
  std::vector<std::uint64_t> products_;
};

}  // namespace pimsweep::sweep
