#include "base/quantity.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "base/error.h"

using namespace pimsweep;

namespace {

template <typename Read>
std::string message_of(Read read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.what();
  }
  return "(no error)";
}

std::string quantity_error(std::string_view text, std::string_view unit) {
  return message_of([&] { parse_quantity(text, unit); });
}

std::string unit_error(std::string_view text) {
  return message_of([&] { parse_unit(text); });
}

}  // namespace

TEST_CASE("Quantities are read into SI, information in bytes") {
  CHECK(parse_quantity("400 MHz", "Hz") == 4e8);
  CHECK(parse_quantity("400MHz", "Hz") == 4e8);
  CHECK(parse_quantity("  +400 MHz ", "Hz") == 4e8);
  CHECK(parse_quantity("8 MiB", "B") == 8388608.0);
  CHECK(parse_quantity("8 MB", "B") == 8e6);
  CHECK(parse_quantity("64 bit", "B") == 8.0);
  CHECK(parse_quantity("1 Kibit", "B") == 128.0);
  CHECK(parse_quantity("0.66 pJ/bit", "J/B") == 5.28e-12);
  CHECK(parse_quantity("1.1 pJ/bit", "J/B") == 8.8e-12);
  CHECK(parse_quantity("3.2 GB/s", "B/s") == 3.2e9);
  CHECK(parse_quantity("900 GB/s", "B/s") == 9e11);
  CHECK(parse_quantity("25.6 Gbit/s", "B/s") == 3.2e9);
  CHECK(parse_quantity("2.5 mm^2", "m^2") == 2.5e-6);
  CHECK(parse_quantity("1 cm", "m") == 0.01);
  CHECK(parse_quantity("3 um", "m") == 3e-6);
  CHECK(parse_quantity("3 \xC2\xB5m", "m") == 3e-6);
  CHECK(parse_quantity("3 \xCE\xBCm", "m") == 3e-6);
  CHECK(parse_quantity("2 min", "s") == 120.0);
  CHECK(parse_quantity("1 h", "s") == 3600.0);
  CHECK(parse_quantity("1e3 ns", "s") == 1e-6);
  CHECK(parse_quantity("1E-3 s", "s") == 1e-3);
  CHECK(parse_quantity("-40 mV", "V") == -0.04);
  CHECK(parse_quantity("15 W", "J/s") == 15.0);
  CHECK(parse_quantity("1 W", "V*A") == 1.0);
  CHECK(parse_quantity("2 GOPS", "1/s") == 2e9);
  CHECK(parse_quantity("1 1/s", "Hz") == 1.0);
  CHECK(parse_quantity("5 s^-1", "Hz") == 5.0);
  CHECK(parse_quantity("3 pJ/MAC", "J") == 3e-12);
  CHECK(parse_quantity("7 cycles", "1") == 7.0);
  CHECK(parse_quantity("0.5", "1") == 0.5);
  CHECK(parse_quantity("12 pJ/bit/mm", "J/B/m") == Approx(12e-12 * 8 / 1e-3));
}

TEST_CASE("A unit is its dimension and scale") {
  CHECK(parse_unit("1").dimension == Dimension{});
  CHECK(parse_unit("1").scale == 1.0);
  CHECK(parse_unit("Hz").dimension == parse_unit("1/s").dimension);
  CHECK(parse_unit("W").dimension == parse_unit("J/s").dimension);
  CHECK(parse_unit("F").dimension == parse_unit("A*s/V").dimension);
  CHECK(parse_unit("m").dimension != parse_unit("s").dimension);
  CHECK(parse_unit("pJ/bit").scale == Approx(8e-12).epsilon(1e-15));
  CHECK(parse_unit("mm^2").scale == Approx(1e-6).epsilon(1e-15));
  CHECK(parse_unit("GiB").scale == 1073741824.0);
  CHECK(parse_unit(" GB / s ").scale == 1e9);
}

TEST_CASE("A missing or wrong dimension says what is needed") {
  CHECK(quantity_error("400", "Hz") == "'400' has no unit; a quantity in Hz is needed, for example '400 MHz'");
  CHECK(quantity_error("8 MiB", "Hz") ==
        "'8 MiB' has the wrong dimension; a quantity in Hz is needed, for example '400 MHz'");
  CHECK(quantity_error("3 GB", "B/s") ==
        "'3 GB' has the wrong dimension; a quantity in B/s is needed, for example '3.2 GB/s'");
  CHECK(quantity_error("3 GB", "1") == "'3 GB' has the wrong dimension; a plain number is needed");
}

TEST_CASE("What is not a quantity is named") {
  CHECK(quantity_error("fast", "Hz") ==
        "'fast' does not begin with a number; a quantity in Hz is needed, for example '400 MHz'");
  CHECK(quantity_error("400 MHx", "Hz") ==
        "'400 MHx': 'MHx' is not a unit (did you mean 'MHz'?); a quantity in Hz is needed, for example '400 MHz'");
  CHECK(quantity_error("1e999 Hz", "Hz") ==
        "'1e999 Hz' is too large or too small a number; a quantity in Hz is needed, for example '400 MHz'");
  CHECK(quantity_error("1e305 GHz", "Hz").find("too large") != std::string::npos);
  for (const char* text :
       {"",      " ",      "MHz",    "--4 MHz", "+-4 MHz", "nan Hz", "inf Hz", "4 MHz MHz", "4 /s", "4 Hz/",
        "4 Hz^", "4 Hz^x", "4 Hz^0", "4 Hz^99", "0x10 Hz", "4e Hz",  "4 MiHz", "4 Mmin",    "4 M",  "1,5 GHz"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_quantity(text, "Hz"), InputError);
  }
}

TEST_CASE("A mistyped unit gets the likeliest suggestion") {
  CHECK(unit_error("KB") == "'KB' is not a unit (did you mean 'kB'?)");
  CHECK(unit_error("mhz") == "'mhz' is not a unit (did you mean 'MHz'?)");
  CHECK(unit_error("GB/sec").find("'sec' in 'GB/sec' is not a unit") == 0);
  CHECK(unit_error("Gb/s") == "'Gb' in 'Gb/s' is not a unit (write 'Gbit' for bits or 'GB' for bytes)");
  CHECK(unit_error("") == "a unit is missing; write for example MHz, MiB or pJ/bit");
  CHECK(unit_error(std::string(1000, 'm')).find("is not a unit") != std::string::npos);
  std::string powers = "s^9";
  for (int i = 0; i < 13; ++i) powers += "*s^9";
  CHECK_THROWS_AS(parse_unit(powers), InputError);
}

TEST_CASE("The same quantity in another unit gives the same bits") {
  std::mt19937_64 random(3);
  std::uniform_int_distribution<int> mantissa(1, 999999);
  for (int i = 0; i < 2000; ++i) {
    const int digits = mantissa(random);
    const double in_ns = parse_quantity(fmt::format("{}.{:03} ns", digits / 1000, digits % 1000), "s");
    const double in_ps = parse_quantity(fmt::format("{} ps", digits), "s");
    const double in_us = parse_quantity(fmt::format("{}e-6 us", digits), "s");
    CHECK(in_ns == in_ps);
    CHECK(in_us == in_ps);
  }
}

TEST_CASE("Products of units multiply and quotients divide") {
  const std::vector<std::string> units{"s", "B", "pJ", "mm", "K", "mV", "MHz", "GiB", "bit", "W"};
  for (const std::string& left : units) {
    for (const std::string& right : units) {
      const Unit product = parse_unit(fmt::format("{}*{}", left, right));
      const Unit quotient = parse_unit(fmt::format("{}/{}", left, right));
      CHECK(product.scale == Approx(parse_unit(left).scale * parse_unit(right).scale).epsilon(1e-14));
      CHECK(quotient.scale == Approx(parse_unit(left).scale / parse_unit(right).scale).epsilon(1e-14));
      for (std::size_t i = 0; i < product.dimension.exponent.size(); ++i) {
        const int a = parse_unit(left).dimension.exponent[i];
        const int b = parse_unit(right).dimension.exponent[i];
        CHECK(product.dimension.exponent[i] == a + b);
        CHECK(quotient.dimension.exponent[i] == a - b);
      }
    }
  }
}

TEST_CASE("A quantity is shown with a readable prefix") {
  CHECK(format_quantity(8388608, "B") == "8 MiB");
  CHECK(format_quantity(8e6, "B") == "8 MB");
  CHECK(format_quantity(8e9, "B") == "8 GB");
  CHECK(format_quantity(1536, "B") == "1.536 kB");
  CHECK(format_quantity(12, "B") == "12 B");
  CHECK(format_quantity(1e-320, "Hz") == "9.99989e-321 Hz");
  CHECK(format_quantity(1e300, "Hz") == "1e+285 PHz");
  CHECK(format_quantity(4e8, "Hz") == "400 MHz");
  CHECK(format_quantity(3.2e9, "B/s") == "3.2 GB/s");
  CHECK(format_quantity(5.28e-12, "J/B") == "5.28 pJ/B");
  CHECK(format_quantity(2e-6, "m ^ 2") == "2 mm ^ 2");
  CHECK(format_quantity(2e9, "m^ -3") == "2e+09 m^ -3");
  CHECK(format_quantity(2.5e-6, "m^2") == "2.5 mm^2");
  CHECK(format_quantity(7200, "s") == "7200 s");
  CHECK(format_quantity(-0.04, "V") == "-40 mV");
  CHECK(format_quantity(999999999.9, "Hz") == "1 GHz");
  CHECK(format_quantity(0, "Hz") == "0 Hz");
  CHECK(format_quantity(42, "1") == "42");
  CHECK(format_quantity(1e-30, "J") == "1e-30 J");
  CHECK(format_quantity(300, "K") == "300 K");
}

TEST_CASE("A shown quantity reads back to six digits") {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> exponent(-17, 17);
  for (const char* unit : {"Hz", "B", "B/s", "J/B", "s", "m^2", "V", "W", "1", "1/s", "K"}) {
    for (int i = 0; i < 300; ++i) {
      const double value = std::pow(10.0, exponent(random));
      const std::string shown = format_quantity(value, unit);
      CAPTURE(shown);
      CHECK(parse_quantity(shown, unit) == Approx(value).epsilon(1e-5));
    }
  }
}

TEST_CASE("Quantities are written at every magnitude that a double has") {
  CHECK(format_quantity(1e-320, "Hz") == fmt::format("{:.6g} Hz", 1e-320));
  CHECK(format_quantity(1e-320, "B") == fmt::format("{:.6g} B", 1e-320));
  CHECK(format_quantity(1.7e308, "Hz") == "1.7e+293 PHz");
}
