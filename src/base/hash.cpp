#include "base/hash.h"

#include <fmt/format.h>
#include <xxhash.h>

namespace pimsweep {

std::string Hash128::text() const { return fmt::format("{:016x}{:016x}", high, low); }

Hash128 hash128(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

std::uint32_t checksum32(std::string_view bytes) {
  return static_cast<std::uint32_t>(XXH3_64bits(bytes.data(), bytes.size()));
}

}  // namespace pimsweep
