#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/value.h"
#include "hardware/dram/dram.h"

namespace pimsweep::dram {

/// A hardware constant: its key in configs/hardware, what it may be, and where it goes. Of a text the choices are
/// the standards.
struct Constant {
  std::string_view key;
  ValueType type;
  std::string_view unit;
  double min;
  double max;
  std::string_view doc;
  void (*set)(hardware::dram::Dram& dram, const Value& value);
};

/// All constants of a DRAM channel.
std::span<const Constant> constants();

/// Why constants that are fine one by one do not make a channel; empty if they do.
std::string problem_of(const hardware::dram::Dram& dram);

}  // namespace pimsweep::dram
