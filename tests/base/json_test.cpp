#include "base/json.h"

#include <catch2/catch.hpp>
#include <string>

#include "base/error.h"

using namespace pimsweep;
using Catch::Matchers::Contains;

namespace {

std::string error_of(const std::string& text) {
  try {
    parse_json(text, "x.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("Values of JSON have their places") {
  const JsonNode root = parse_json("{\"a\": 12,\n \"b\" :[1.5 , \"x\\\"y\", true,null],\"\xc3\xa4\":  {}}", "x.json");
  REQUIRE(root.keys.size() == 3);
  CHECK(root.keys[1].name == "b");
  CHECK((root.keys[1].line == 2 && root.keys[1].column == 2));
  const JsonNode& a = *root.find("a");
  CHECK((a.scalar == Value(std::int64_t{12}) && a.line == 1 && a.column == 7));
  const JsonNode& b = *root.find("b");
  REQUIRE((b.kind == JsonNode::Kind::list && b.items.size() == 4 && b.column == 7));
  CHECK((b.items[0].scalar == Value(1.5) && b.items[0].column == 8));
  CHECK((b.items[1].scalar == Value(std::string("x\"y")) && b.items[1].column == 14));
  CHECK((b.items[2].scalar == Value(true) && b.items[2].column == 22));
  CHECK((b.items[3].kind == JsonNode::Kind::null && b.items[3].column == 27));
  CHECK(root.find("\xc3\xa4")->column == 39);
  CHECK(root.find("c") == nullptr);
  CHECK(describe(b) == "a list");
  CHECK(describe(a) == "the integer 12");
}

TEST_CASE("Integers beyond 64 bits are reals") {
  const JsonNode root = parse_json("\xef\xbb\xbf[9223372036854775807, 9223372036854775808, -1]", "x.json");
  REQUIRE(root.items.size() == 3);
  CHECK(root.items[0].scalar == Value(std::int64_t{9223372036854775807}));
  CHECK(root.items[1].scalar == Value(9223372036854775808.0));
  CHECK((root.items[2].scalar == Value(std::int64_t{-1}) && root.items[2].column == 44));
}

TEST_CASE("Text that is no JSON is an error with its place") {
  CHECK_THAT(error_of(""), Contains("x.json:1:1: no JSON: ") && Contains("unexpected end of input"));
  CHECK_THAT(error_of("{\"a\": 1,\n  \"b\": x}"), Contains("x.json:2:8: no JSON: ") && Contains("invalid literal"));
  CHECK_THAT(error_of("[1, 1e999]"), Contains("x.json:1:5: no JSON: number overflow"));
  CHECK_THAT(error_of("[1,\n , 2]"), Contains("x.json:2:2: no JSON: ") && Contains("unexpected ','"));
  CHECK_THAT(error_of("[1, \"open"), Contains("x.json:1:5: no JSON: ") && Contains("missing closing quote"));
  CHECK_THAT(error_of("[1] [2]"), Contains("x.json:1:5: no JSON: "));
  CHECK_THAT(error_of("{\"a\": 1,\n\"b\": 2,\n \"a\": 3, \"b\": 4}"),
             Contains("x.json:3:2: the key 'a' stands twice: first in line 1") &&
                 Contains("x.json:3:10: the key 'b' stands twice: first in line 2"));
}

TEST_CASE("Hostile JSON is refused") {
  CHECK_THAT(error_of(std::string(1'000'000, '[')), Contains("nested more than 64 deep"));
  std::string items = "[0";
  for (int i = 0; i < 300'000; ++i) items += ",0";
  CHECK_THAT(error_of(items + "]"), Contains("more than 200000 values"));
  CHECK_THAT(error_of(std::string(5U << 20U, ' ')), Contains("has 5242880 bytes"));
}
