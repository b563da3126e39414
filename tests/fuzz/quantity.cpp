#include "base/quantity.h"

#include <array>
#include <cmath>
#include <string>

#include "expect.h"
#include "readers.h"

namespace pimsweep::fuzz {

namespace {

/// A written quantity reads back as nearly the same value.
void check_round_trip(double si, const std::string& unit) {
  const double scale = parse_unit(unit).scale;
  if (!std::isnormal(scale) || !std::isfinite(si / scale)) return;
  const std::string text = format_quantity(si, unit);
  const double again = parse_quantity(text, unit);
  // Six digits are written; what is subnormal in the unit has fewer.
  require(std::fabs(again - si) <= 1e-5 * std::fabs(si) || !std::isnormal(si / scale), text);
}

}  // namespace

/// A unit, then a line "---" and a quantity; or a quantity alone, in one of the usual units, chosen by its length.
void read_quantity(std::string_view input) {
  const auto parts = split(input);
  const std::string_view first = parts.first;
  const std::string_view second = parts.second;
  if (second.empty()) {
    constexpr std::array units{"1", "Hz", "B/s", "J/B", "m^2", "s"};
    const std::string unit = units[first.size() % units.size()];
    expect_input_error([&] { check_round_trip(parse_quantity(first, unit), unit); });
    expect_input_error([&] { parse_unit(first); });
    return;
  }
  const std::string unit(first.substr(0, first.size() - 1));
  expect_input_error([&] { check_round_trip(parse_quantity(second, unit), unit); });
}

}  // namespace pimsweep::fuzz
