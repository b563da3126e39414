#pragma once

#include <bit>
#include <cstdint>

namespace pimsweep::hardware::dram {

/// A power-of-two divisor: divides nonnegative numbers by shift and mask.
class PowerOfTwo {
 public:
  explicit PowerOfTwo(std::int64_t count) : bits_(std::countr_zero(static_cast<std::uint64_t>(count))) {}

  std::int64_t count() const { return std::int64_t{1} << bits_; }
  int bits() const { return bits_; }
  friend std::int64_t operator/(std::int64_t number, PowerOfTwo by) { return number >> by.bits_; }
  friend std::int64_t operator%(std::int64_t number, PowerOfTwo by) { return number & (by.count() - 1); }
  friend PowerOfTwo operator*(PowerOfTwo a, PowerOfTwo b) { return PowerOfTwo(a.count() << b.bits_); }

 private:
  int bits_;
};

}  // namespace pimsweep::hardware::dram
