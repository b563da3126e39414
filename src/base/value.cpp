#include "base/value.h"

#include <fmt/format.h>

#include <stdexcept>

namespace pimsweep {

std::string_view name_of(ValueType type) {
  switch (type) {
    case ValueType::integer:
      return "integer";
    case ValueType::real:
      return "real";
    case ValueType::boolean:
      return "boolean";
    case ValueType::text:
      return "text";
  }
  return "unknown";
}

std::string to_text(const Value& value) {
  return std::visit([](const auto& held) { return fmt::format("{}", held); }, value);
}

double to_real(const Value& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  throw std::logic_error(fmt::format("'{}' is not a number", to_text(value)));
}

}  // namespace pimsweep
