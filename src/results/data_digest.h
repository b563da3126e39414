#pragma once

#include <xxhash.h>

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/hash.h"

namespace pimsweep::results {

/// A content hash (128-bit XXH3) of bytes that arrive in pieces of any size.
class DataDigest {
 public:
  DataDigest() : state_(XXH3_createState(), XXH3_freeState) { XXH3_128bits_reset(state_.get()); }

  void add(const void* bytes, std::size_t size) { XXH3_128bits_update(state_.get(), bytes, size); }
  /// The length is hashed too, so that "ab", "c" differs from "a", "bc".
  void add_text(std::string_view text) {
    const std::uint64_t size = text.size();
    add(&size, sizeof size);
    add(text.data(), text.size());
  }

  Hash128 value() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
    return {hash.high64, hash.low64};
  }

 private:
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state_;
};

}  // namespace pimsweep::results
