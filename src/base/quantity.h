#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace pimsweep {

/// Exponents of the base units second, byte, joule, meter, kelvin, volt and US dollar. Hz is 1/s, W is J/s, bit is
/// byte/8. Counts (cycles, flits, operations) have no dimension.
struct Dimension {
  std::array<std::int8_t, 7> exponent{};
  friend bool operator==(const Dimension&, const Dimension&) = default;
};

/// A parsed unit: 1 unit equals `scale` SI units.
struct Unit {
  Dimension dimension;
  double scale = 1.0;
};

/// Reads "GB/s", "pJ/bit", "MiB", "1", "1/s", "mm^2". Decimal prefixes p n u m k M G T P (and f, a), binary Ki Mi Gi
/// Ti. Throws InputError (no position) naming the part that is not a unit and the nearest one.
Unit parse_unit(std::string_view text);

/// Reads "400 MHz" (blank between number and unit optional) and returns SI. Only the dimension of the expected
/// `unit` matters; a plain number is accepted only if that dimension is none. Throws InputError (no position) with the
/// text, the expected dimension and an example.
double parse_quantity(std::string_view text, std::string_view unit);

/// A readable quantity with `digits` significant digits: format_quantity(8388608, "B") is "8 MiB",
/// format_quantity(4e8, "Hz") is "400 MHz".
std::string format_quantity(double si, std::string_view unit, int digits = 6);

}  // namespace pimsweep
