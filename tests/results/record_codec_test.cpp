#include "results/record_codec.h"

#include <catch2/catch.hpp>

#include "sample.h"

using namespace pimsweep;

TEST_CASE("a record comes back from its bytes") {
  const Schema schema = sample::schema();
  std::mt19937_64 random(11);
  Record read;
  for (int i = 0; i < 500; ++i) {
    const Record written = sample::record(schema, random);
    std::string bytes;
    encode(written, bytes);
    REQUIRE(decode(bytes, read));
    REQUIRE(sample::same(read, written));
  }
}

TEST_CASE("bytes that are cut, too long or changed are refused or read, never more") {
  const Schema schema = sample::schema();
  std::mt19937_64 random(12);
  Record read;
  for (int i = 0; i < 100; ++i) {
    std::string bytes;
    encode(sample::record(schema, random), bytes);
    for (std::size_t size = 0; size < bytes.size(); ++size)
      REQUIRE_FALSE(decode(std::string_view(bytes).substr(0, size), read));
    REQUIRE_FALSE(decode(bytes + '\0', read));
    for (int flip = 0; flip < 200; ++flip) {
      std::string changed = bytes;
      changed[random() % changed.size()] ^= static_cast<char>(1 << random() % 8);
      decode(changed, read);  // must return: the sanitizers watch
    }
  }
}
