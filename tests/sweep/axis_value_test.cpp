#include "sweep/axis_value.h"

#include <catch2/catch.hpp>
#include <random>

#include "fixture.h"

using namespace pimsweep::sweep;
using namespace pimsweep::systems;
using namespace pimsweep::test;
using namespace pimsweep;

namespace {

const Axis& axis(const char* name) {
  static const Schema schema = schema_of("machine");
  return schema.axes.at(static_cast<std::size_t>(schema.axis_index(name)));
}

}  // namespace

TEST_CASE("Text without types is read as the axis' type says") {
  CHECK(convert_text(axis("batch"), " 12 ") == Value{std::int64_t{12}});
  CHECK(convert_text(axis("share"), "1") == Value{1.0});
  CHECK(convert_text(axis("share"), "1e-3") == Value{1e-3});
  CHECK(convert_text(axis("reuse"), "false") == Value{false});
  CHECK(convert_text(axis("schedule"), "12") == Value{std::string("12")});
  CHECK(convert_text(axis("schedule"), " a ") == Value{std::string(" a ")});
  CHECK(convert_text(axis("hardware.clock"), "0.4", "GHz") == Value{4e8});
  CHECK(convert_text(axis("buffer"), "2", "KiB") == Value{std::int64_t{2048}});
  CHECK_THROWS_AS(convert_text(axis("batch"), "99999999999999999999"), InputError);
  CHECK_THROWS_AS(convert_text(axis("batch"), "1 2"), InputError);
  CHECK_THROWS_AS(convert_text(axis("reuse"), "yes"), InputError);
  CHECK_THROWS_AS(convert_text(axis("share"), "0.5 s"), InputError);
}

TEST_CASE("A whole quantity in any unit is a whole number") {
  CHECK(convert_value(axis("buffer"), Value{std::string("0.3 kB")}) == Value{std::int64_t{300}});
  CHECK(convert_value(axis("buffer"), Value{std::string("24 bit")}) == Value{std::int64_t{3}});
  CHECK_THROWS_AS(convert_value(axis("buffer"), Value{std::string("0.3 B")}), InputError);
}

TEST_CASE("Cycles may say their unit") {
  const Axis cycles{"hardware.timing.nCL", ValueType::integer, "cycle", {}, 0, 100, {}, "cycles to the data"};
  CHECK(convert_value(cycles, Value{std::string("14 cycle")}) == Value{std::int64_t{14}});
  CHECK(convert_value(cycles, Value{std::int64_t{14}}) == Value{std::int64_t{14}});
  CHECK(convert_text(cycles, "14 cycles") == Value{std::int64_t{14}});
  for (const char* wrong : {"14 ns", "1.5 cycle", "101 cycle", "fast"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(convert_value(cycles, Value{std::string(wrong)}), InputError);
  }
  CHECK_THROWS_AS(convert_value(axis("batch"), Value{std::string("14 cycle")}), InputError);
}

TEST_CASE("Numbers are read from text as they were written") {
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> real(0, 1);
  for (int i = 0; i < 1000; ++i) {
    const Value share{real(random)};
    CHECK(convert_text(axis("share"), to_text(share)) == share);
    const Value batch{static_cast<std::int64_t>(1 + random() % 1024)};
    CHECK(convert_text(axis("batch"), to_text(batch)) == batch);
  }
}
