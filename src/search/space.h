#pragma once

#include <cstdint>
#include <vector>

#include "sweep/search_settings.h"

namespace pimsweep::search {

/// A design: one number for each dimension, the step of a factor.
using Design = std::vector<std::uint64_t>;

/// All designs, numbered like the points of a product, with the first dimension slowest.
class Space {
 public:
  /// The product of the sizes must be below 2^63.
  explicit Space(std::vector<sweep::SearchDimension> dimensions);

  const std::vector<sweep::SearchDimension>& dimensions() const { return dimensions_; }
  std::uint64_t size() const { return size_; }
  std::uint64_t index_of(const Design& design) const;
  Design design_at(std::uint64_t index) const;

 private:
  std::vector<sweep::SearchDimension> dimensions_;
  std::uint64_t size_ = 1;
};

}  // namespace pimsweep::search
