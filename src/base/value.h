#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace pimsweep {

/// Value of an axis or a metric. Quantities are reals in SI units (information in bytes).
using Value = std::variant<std::int64_t, double, bool, std::string>;

enum class ValueType : std::uint8_t { integer, real, boolean, text };

inline ValueType type_of(const Value& value) { return static_cast<ValueType>(value.index()); }
std::string_view name_of(ValueType type);

/// The shortest text that reads back as the same value: 17, 0.1, true, swin-b.
std::string to_text(const Value& value);

/// An integer or a real as double; throws std::logic_error for other types.
double to_real(const Value& value);

}  // namespace pimsweep
