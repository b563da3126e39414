#include "base/hash.h"

#include <catch2/catch.hpp>
#include <set>

using namespace pimsweep;

TEST_CASE("The checksum is XXH3's and sees every flipped bit") {
  // XXH3_64bits of nothing with seed 0 is 2d06800538d394c2, as in xxHash's own sanity tests.
  CHECK(checksum32("") == 0x38d394c2U);
  const std::string bytes = "a journal's frame";
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    CHECK(checksum32(flipped) != checksum32(bytes));
  }
}

TEST_CASE("The content hash is XXH3's 128-bit hash") {
  // XXH3_128bits of nothing with seed 0, as in xxHash's own sanity tests.
  CHECK(hash128("").text() == "99aa06d3014798d86001c324468d497f");
  CHECK(hash128("point") == hash128("point"));
  CHECK(hash128("point").text().size() == 32);
  std::set<Hash128> hashes;
  for (int i = 0; i < 1000; ++i) hashes.insert(hash128(std::to_string(i)));
  CHECK(hashes.size() == 1000);
}
