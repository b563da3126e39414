#include "journal/codec.h"

#include <catch2/catch.hpp>

#include "../results/sample.h"

using namespace pimsweep::journal;
using namespace pimsweep::systems;
using namespace pimsweep;

TEST_CASE("a record comes back from its bytes") {
  const Schema schema = sample::schema();
  std::mt19937_64 random(11);
  Record read;
  for (int i = 0; i < 500; ++i) {
    const Record written = sample::record(schema, random);
    std::string bytes;
    encode(written, bytes);
    ByteReader reader(bytes);
    REQUIRE(decode(reader, read));
    REQUIRE(reader.at_end());
    REQUIRE(sample::same(read, written));
  }
}

TEST_CASE("bytes that are cut are refused, changed ones refused or read, never more") {
  const Schema schema = sample::schema();
  std::mt19937_64 random(12);
  Record read;
  for (int i = 0; i < 100; ++i) {
    std::string bytes;
    encode(sample::record(schema, random), bytes);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      ByteReader cut(std::string_view(bytes).substr(0, size));
      REQUIRE_FALSE(decode(cut, read));
    }
    const std::string longer = bytes + '\0';
    ByteReader rest(longer);
    REQUIRE(decode(rest, read));
    REQUIRE(rest.rest().size() == 1);
    for (int flip = 0; flip < 200; ++flip) {
      std::string changed = bytes;
      char& byte = changed[random() % changed.size()];
      byte = static_cast<char>(byte ^ (1 << random() % 8));
      ByteReader reader(changed);
      decode(reader, read);  // must return: the sanitizers watch
    }
  }
}
