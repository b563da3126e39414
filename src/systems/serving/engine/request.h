#pragma once

#include <cstddef>
#include <cstdint>

namespace pimsweep::systems::serving::engine {

/// A request of a user.
struct Request {
  /// Seconds since the start.
  double arrival = 0;
  /// Tokens of the prompt, and tokens to generate.
  std::int64_t input = 1;
  std::int64_t output = 1;
  /// Leading tokens that the prompt shares with that of an earlier request, and the number of that request.
  std::int64_t shared_prefix = 0;
  std::size_t shared_with = 0;

  std::int64_t tokens() const { return input + output; }
};

}  // namespace pimsweep::systems::serving::engine
