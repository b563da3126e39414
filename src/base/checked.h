#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstdint>

#include "base/error.h"

namespace pimsweep {

/// A count (cycles, bytes, elements) exceeds 64 bits. The point fails instead of continuing with a wrapped number.
class OverflowError : public PointError {
  using PointError::PointError;
};

/// Throws OverflowError: `a operation b` is out of range.
[[noreturn]] void refuse_count(std::int64_t a, char operation, std::int64_t b);
/// Throws OverflowError: `value` does not fit a 64-bit integer.
[[noreturn]] void refuse_count(double value);

/// A signed 64-bit integer with sums, differences and products that throw OverflowError where they would wrap. One
/// operand makes a whole product checked: `Count{rows} * columns * batch`. It converts to std::int64_t, which
/// interfaces may keep using; `integer += count` is unchecked, so that a sum has to be a Count itself.
class Count {
 public:
  constexpr Count() = default;
  template <std::integral Integer>
  constexpr Count(Integer value) : value_(static_cast<std::int64_t>(value)) {  // NOLINT(google-explicit-constructor)
    if constexpr (std::unsigned_integral<Integer> && sizeof(Integer) == sizeof(std::int64_t)) {
      if (value_ < 0) refuse_count(static_cast<double>(value));
    }
  }
  /// Converts a whole number. Throws OverflowError if it exceeds 64 bits or is NaN.
  static Count of(double value) {
    constexpr double limit = 0x1p63;
    if (!(value >= -limit && value < limit)) refuse_count(value);
    return static_cast<std::int64_t>(value);
  }

  constexpr operator std::int64_t() const { return value_; }  // NOLINT(google-explicit-constructor)

  constexpr Count& operator+=(Count other) {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(value_, other.value_, &sum)) refuse_count(value_, '+', other.value_);
    value_ = sum;
    return *this;
  }
  constexpr Count& operator-=(Count other) {
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(value_, other.value_, &difference)) refuse_count(value_, '-', other.value_);
    value_ = difference;
    return *this;
  }
  constexpr Count& operator*=(Count other) {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(value_, other.value_, &product)) refuse_count(value_, '*', other.value_);
    value_ = product;
    return *this;
  }

  constexpr Count& operator++() { return *this += 1; }

  friend constexpr Count operator+(Count a, Count b) { return a += b; }
  friend constexpr Count operator-(Count a, Count b) { return a -= b; }
  friend constexpr Count operator*(Count a, Count b) { return a *= b; }
  // Overloads for plain integers: otherwise conversions of either operand would be ambiguous.
  friend constexpr Count operator+(Count a, std::integral auto b) { return a += b; }
  friend constexpr Count operator+(std::integral auto a, Count b) { return b += a; }
  friend constexpr Count operator-(Count a, std::integral auto b) { return a -= b; }
  friend constexpr Count operator-(std::integral auto a, Count b) { return Count(a) -= b; }
  friend constexpr Count operator*(Count a, std::integral auto b) { return a *= b; }
  friend constexpr Count operator*(std::integral auto a, Count b) { return b *= a; }

 private:
  std::int64_t value_ = 0;
};

}  // namespace pimsweep

template <>
struct fmt::formatter<pimsweep::Count> : fmt::formatter<std::int64_t> {
  template <typename Context>
  auto format(pimsweep::Count count, Context& context) const {
    return fmt::formatter<std::int64_t>::format(std::int64_t{count}, context);
  }
};
