#pragma once

#include <span>
#include <string_view>
#include <variant>

#include "base/value.h"
#include "hardware/newton/dram.h"

namespace pimsweep::hardware::newton {

/// A hardware constant: its key in configs/hardware, what it may be, and where it goes.
struct Constant {
  using Member = std::variant<std::int64_t Dram::*, double Dram::*, bool Dram::*, double Energy::*>;
  std::string_view key;
  Member member;
  std::string_view unit;
  double min;
  double max;
  std::string_view doc;

  ValueType type() const;
  void set(Dram& dram, const Value& value) const;
};

/// All constants of a Newton channel.
std::span<const Constant> constants();

}  // namespace pimsweep::hardware::newton
