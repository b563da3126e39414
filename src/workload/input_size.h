#pragma once

#include <compare>
#include <cstdint>

namespace pimsweep::workload {

/// The size of a model's input: the side of a square image, or the tokens of a language model's sequence. 0: the
/// model's own. A model refuses the size of the other kind.
struct InputSize {
  std::int64_t image_px = 0;
  std::int64_t tokens = 0;

  friend auto operator<=>(const InputSize&, const InputSize&) = default;
};

}  // namespace pimsweep::workload
