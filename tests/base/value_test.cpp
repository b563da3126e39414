#include "base/value.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>

using namespace pimsweep;

TEST_CASE("A value knows its type") {
  CHECK(type_of(Value{std::int64_t{3}}) == ValueType::integer);
  CHECK(type_of(Value{3.0}) == ValueType::real);
  CHECK(type_of(Value{true}) == ValueType::boolean);
  CHECK(type_of(Value{std::string("x")}) == ValueType::text);
  CHECK(name_of(ValueType::integer) == "integer");
  CHECK(name_of(ValueType::real) == "real");
  CHECK(name_of(ValueType::boolean) == "boolean");
  CHECK(name_of(ValueType::text) == "text");
}

TEST_CASE("A value's text is the shortest that reads back") {
  CHECK(to_text(Value{std::int64_t{-17}}) == "-17");
  CHECK(to_text(Value{0.1}) == "0.1");
  CHECK(to_text(Value{true}) == "true");
  CHECK(to_text(Value{std::string("swin-b")}) == "swin-b");

  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    const std::uint64_t bits = random();
    double real = 0;
    static_assert(sizeof real == sizeof bits);
    std::memcpy(&real, &bits, sizeof real);
    if (!std::isfinite(real)) continue;
    CHECK(std::strtod(to_text(Value{real}).c_str(), nullptr) == real);
  }
}

TEST_CASE("Only numbers are reals") {
  CHECK(to_real(Value{std::int64_t{3}}) == 3.0);
  CHECK(to_real(Value{0.25}) == 0.25);
  CHECK_THROWS_AS(to_real(Value{true}), std::logic_error);
  CHECK_THROWS_AS(to_real(Value{std::string("3")}), std::logic_error);
}
