#pragma once

#include <compare>
#include <cstdint>

namespace pimsweep::workload {

/// Input size of a model: the side of a square image, or the number of tokens of a language model's sequence. 0 means
/// the model's default. A model rejects a size of the other kind.
struct InputSize {
  std::int64_t image_px = 0;
  std::int64_t tokens = 0;

  friend auto operator<=>(const InputSize&, const InputSize&) = default;
};

}  // namespace pimsweep::workload
