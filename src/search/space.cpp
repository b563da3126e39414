#include "search/space.h"

#include <utility>

#include "base/downward.h"

namespace pimsweep::search {

Space::Space(std::vector<sweep::SearchDimension> dimensions) : dimensions_(std::move(dimensions)) {
  for (const sweep::SearchDimension& dimension : dimensions_) size_ *= dimension.size;
}

std::uint64_t Space::index_of(const Design& design) const {
  std::uint64_t index = 0;
  for (std::size_t i = 0; i < dimensions_.size(); ++i) index = index * dimensions_[i].size + design[i];
  return index;
}

Design Space::design_at(std::uint64_t index) const {
  Design design(dimensions_.size());
  for (const std::size_t i : downward(dimensions_.size())) {
    design[i] = index % dimensions_[i].size;
    index /= dimensions_[i].size;
  }
  return design;
}

}  // namespace pimsweep::search
