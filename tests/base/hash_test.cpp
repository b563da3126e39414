#include "base/hash.h"

#include <catch2/catch.hpp>
#include <set>

using namespace pimsweep;

TEST_CASE("CRC-32C has the known answers") {
  // The check value of the CRC catalogue, and RFC 3720, Appendix B.4: 32 bytes of zeros, of ones, and rising.
  CHECK(crc32c("123456789") == 0xE3069283U);
  CHECK(crc32c("") == 0U);
  CHECK(crc32c(std::string(32, '\0')) == 0x8A9136AAU);
  CHECK(crc32c(std::string(32, '\xff')) == 0x62A8AB43U);
  std::string rising;
  for (char c = 0; c < 32; ++c) rising += c;
  CHECK(crc32c(rising) == 0x46DD794EU);
}

TEST_CASE("CRC-32C sees every flipped bit") {
  const std::string bytes = "a journal's frame";
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    CHECK(crc32c(flipped) != crc32c(bytes));
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
