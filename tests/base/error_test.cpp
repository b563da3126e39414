#include "base/error.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

using namespace pimsweep;

TEST_CASE("A source position shows what is known") {
  CHECK(SourcePosition{"a.toml", 3, 7}.text() == "a.toml:3:7");
  CHECK(SourcePosition{"a.toml", 3, 0}.text() == "a.toml:3");
  CHECK(SourcePosition{"a.toml", 0, 0}.text() == "a.toml");
  CHECK(SourcePosition{}.text().empty());
}

TEST_CASE("A problem list throws all its problems in file order") {
  ProblemList problems;
  CHECK_NOTHROW(problems.throw_if_any());
  problems.add({"b.toml", 2, 1}, "third");
  problems.add({"a.toml", 10, 1}, "second");
  problems.add(InputError(std::vector<Problem>{{{"a.toml", 9, 20}, "first"}}));
  problems.add({"a.toml", 10, 1}, "second");  // found again
  problems.add_at({"b.toml", 3, 1}, InputError("fourth"));
  CHECK_FALSE(problems.empty());
  try {
    problems.throw_if_any();
    FAIL("nothing was thrown");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()) ==
          "a.toml:9:20: first\na.toml:10:1: second\nb.toml:2:1: third\nb.toml:3:1: fourth");
    CHECK(error.problems().size() == 4);
  }
}

TEST_CASE("Of very many problems of a kind, the first hundred are listed") {
  ProblemList problems;
  for (std::uint32_t line = 1; line <= 1000; ++line)
    problems.add({"a.toml", line, 1}, fmt::format("'x{}' twice", line));
  problems.add({"a.toml", 2000, 1}, "something else");
  try {
    problems.throw_if_any();
    FAIL("nothing was thrown");
  } catch (const InputError& error) {
    REQUIRE(error.problems().size() == 102);
    CHECK(error.problems()[99].where.line == 100);
    CHECK(error.problems()[100].message == "something else");
    CHECK(error.problems()[101].message == "900 more problems of the kinds above");
  }
}

TEST_CASE("An error without a position shows its message alone") {
  CHECK(std::string(InputError("no such file").what()) == "no such file");
}

TEST_CASE("The nearest name is the one with the fewest edits") {
  const std::vector<std::string> names{"branch", "patch", "head", "allspark"};
  CHECK(nearest_name("brnch", names) == "branch");
  CHECK(nearest_name("patsh", names) == "patch");
  CHECK(nearest_name("allsprak", names) == "allspark");
  CHECK(nearest_name("head", names) == "head");
  CHECK(nearest_name("roundrobin", names).empty());
  CHECK(nearest_name("x", {}).empty());
  CHECK(nearest_name("spark", names) == "allspark");
  const std::vector<std::string> files{"dram-Allspark_400MHz_4banks", "dram-HBM2_2000", "dram-HBM2_2000_wide"};
  CHECK(nearest_name("HBM2_2000", files) == "dram-HBM2_2000");
  CHECK(nearest_name("400", files).empty());
  CHECK(suggestion("brnch", names) == " (did you mean 'branch'?)");
  CHECK(suggestion("roundrobin", names).empty());
  // Without a look at the lengths this takes minutes.
  std::string very_long;
  very_long.resize(10'000'000, 'a');
  CHECK(nearest_name(very_long, std::vector<std::string>(50, std::string(1000, 'a'))).empty());
}
