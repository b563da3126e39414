#include "base/bounded_cache.h"

#include <array>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <string>
#include <tuple>

using namespace pimsweep;

namespace {

/// Squares, with a count of those that had to be computed.
struct Squares {
  BoundedCache<int, int> cache{4};
  int made = 0;

  int& get(int number) {
    return cache.get(number, [&] {
      ++made;
      return number * number;
    });
  }
};

}  // namespace

TEST_CASE("A value is made once") {
  Squares squares;
  for (int pass = 0; pass < 3; ++pass) {
    for (int number = 0; number < 4; ++number) CHECK(squares.get(number) == number * number);
  }
  CHECK(squares.made == 4);
  squares.cache.clear();
  CHECK(squares.get(3) == 9);
  CHECK(squares.made == 5);
}

TEST_CASE("The values used last are kept, whatever was used before") {
  for (int before = 0; before < 20; ++before) {
    Squares squares;
    for (int number = 0; number < before; ++number) squares.get(100 + number);
    for (int number = 0; number < 4; ++number) squares.get(number);
    squares.made = 0;
    for (const int number : {2, 0, 3, 1}) CHECK(squares.get(number) == number * number);
    CHECK(squares.made == 0);
  }
}

TEST_CASE("A reference holds until as many others as the capacity were asked for") {
  for (int before = 0; before < 20; ++before) {
    Squares squares;
    const int* const first = &squares.get(7);
    for (int number = 0; number < before; ++number) {
      squares.get(100 + number);
      CHECK(&squares.get(7) == first);
    }
    for (int number = 0; number < 3; ++number) squares.get(200 + number);
    CHECK(&squares.get(7) == first);
  }
}

TEST_CASE("Values are dropped: no more than twice the capacity are kept") {
  Squares squares;
  for (int number = 0; number < 1000; ++number) squares.get(number);
  squares.made = 0;
  for (int number = 0; number < 992; ++number) squares.get(number);
  CHECK(squares.made == 992);
}

TEST_CASE("Where making a value fails, nothing is kept") {
  BoundedCache<std::tuple<std::string, int>, int> cache(2);
  const std::tuple key(std::string("a"), 1);
  CHECK_THROWS_AS(cache.get(key, []() -> int { throw std::runtime_error("no"); }), std::runtime_error);
  CHECK(cache.get(key, [] { return 5; }) == 5);
}

TEST_CASE("Hashes of keys depend on every value and their order") {
  const KeyHash hash;
  CHECK(hash(std::tuple(std::string("a"), 1)) == hash(std::tuple(std::string("a"), 1)));
  CHECK(hash(std::array{1, 2}) != hash(std::array{2, 1}));
  CHECK(hash(std::array{1, 2}) != hash(std::array{1, 3}));
}
