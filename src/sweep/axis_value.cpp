#include "sweep/axis_value.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "base/quantity.h"
#include "base/trim.h"
#include "workload/import/network_files.h"

namespace pimsweep::sweep {

namespace {

std::string shown(const Value& value) {
  return type_of(value) == ValueType::text ? fmt::format("'{}'", std::get<std::string>(value)) : to_text(value);
}

[[noreturn]] void refuse(const systems::Axis& axis, std::string_view needed, const Value& read) {
  throw InputError(
      fmt::format("axis '{}': expected {}, got {} ({})", axis.name, needed, shown(read), name_of(type_of(read))));
}

bool has_unit(const systems::Axis& axis) { return parse_unit(axis.unit).dimension != Dimension{}; }

/// Counts accept plain numbers: "14 cycle" and 14 are equal.
bool may_have_unit(const systems::Axis& axis) { return axis.unit != "1"; }

double read_quantity(const systems::Axis& axis, std::string_view text) {
  try {
    return parse_quantity(text, axis.unit);
  } catch (const InputError& error) {
    throw InputError(fmt::format("axis '{}': {}", axis.name, error.what()));
  }
}

std::int64_t whole_number(const systems::Axis& axis, double quantity, std::string_view text) {
  const double rounded = std::round(quantity);
  // "0.3 kB" may miss 300 by the last bit; "0.3 B" misses by far more.
  constexpr double tolerance = 1e-12;
  if (std::fabs(quantity - rounded) > tolerance * std::fabs(rounded)) {
    throw InputError(fmt::format("axis '{}': expected a whole number of {}, got '{}'", axis.name, axis.unit, text));
  }
  if (std::fabs(rounded) >= 0x1p63) {
    throw InputError(fmt::format("axis '{}': '{}' is too large", axis.name, text));
  }
  return static_cast<std::int64_t>(rounded);
}

Value convert_integer(const systems::Axis& axis, const Value& read) {
  if (const auto* text = std::get_if<std::string>(&read); text != nullptr && may_have_unit(axis)) {
    return whole_number(axis, read_quantity(axis, *text), *text);
  }
  if (type_of(read) != ValueType::integer) refuse(axis, has_unit(axis) ? "a quantity with a unit" : "an integer", read);
  if (has_unit(axis)) read_quantity(axis, to_text(read));  // throws: the unit is missing
  return read;
}

Value convert_real(const systems::Axis& axis, const Value& read) {
  if (const auto* text = std::get_if<std::string>(&read); text != nullptr && may_have_unit(axis)) {
    return read_quantity(axis, *text);
  }
  if (type_of(read) != ValueType::integer && type_of(read) != ValueType::real) {
    refuse(axis, has_unit(axis) ? "a quantity with a unit" : "a number", read);
  }
  if (!std::isfinite(to_real(read))) refuse(axis, "a finite number", read);
  if (has_unit(axis)) read_quantity(axis, to_text(read));  // throws: the unit is missing
  return to_real(read);
}

/// True for the path of a network file, which is checked when the file is read.
bool is_network(const systems::Axis& axis, const std::string& text) {
  return axis.kind == systems::AxisKind::model && workload::import::is_network_file(text);
}

void check_choice(const systems::Axis& axis, const std::string& text) {
  if (axis.choices.empty() || is_network(axis, text)) return;
  for (const std::string& choice : axis.choices) {
    if (choice == text) return;
  }
  throw InputError(fmt::format("'{}' is not a value of axis '{}'{}; allowed: {}", text, axis.name,
                               suggestion(text, axis.choices), fmt::join(axis.choices, ", ")));
}

void check_range(const systems::Axis& axis, const Value& value) {
  const double number = to_real(value);
  const auto refuse_bound = [&](std::string_view bound, double limit) {
    throw InputError(fmt::format("axis '{}' must be {} {}, got {}", axis.name, bound, format_quantity(limit, axis.unit),
                                 format_quantity(number, axis.unit)));
  };
  if (axis.min && number < *axis.min) refuse_bound("at least", *axis.min);
  if (axis.max && number > *axis.max) refuse_bound("at most", *axis.max);
}

template <typename Number>
std::optional<Number> read_number(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// Text with the type that TOML would give it.
Value guess_type(std::string_view text) {
  if (const auto integer = read_number<std::int64_t>(text)) return *integer;
  if (const auto real = read_number<double>(text)) return *real;
  if (text == "true" || text == "false") return text == "true";
  return std::string(text);
}

}  // namespace

Value convert_value(const systems::Axis& axis, const Value& read) {
  switch (axis.type) {
    case ValueType::boolean:
      if (type_of(read) != ValueType::boolean) refuse(axis, "true or false", read);
      return read;
    case ValueType::text:
      if (type_of(read) != ValueType::text) refuse(axis, "text", read);
      check_choice(axis, std::get<std::string>(read));
      return read;
    case ValueType::integer:
    case ValueType::real:
      break;
  }
  Value value = axis.type == ValueType::integer ? convert_integer(axis, read) : convert_real(axis, read);
  check_range(axis, value);
  return value;
}

void check_resolved(const systems::Axis& axis, const Value& value) {
  if (type_of(value) != axis.type) refuse(axis, fmt::format("a value of type {}", name_of(axis.type)), value);
  if (axis.type == ValueType::text) return check_choice(axis, std::get<std::string>(value));
  if (axis.type == ValueType::boolean) return;
  if (!std::isfinite(to_real(value))) refuse(axis, "a finite number", value);
  check_range(axis, value);
}

Value convert_text(const systems::Axis& axis, std::string_view text, std::string_view unit) {
  if (axis.type == ValueType::text) return convert_value(axis, std::string(text));
  const std::string_view trimmed = trim(text);
  if (unit.empty() || !may_have_unit(axis)) return convert_value(axis, guess_type(trimmed));
  if (!is_plain_number(trimmed)) {
    throw InputError(fmt::format("axis '{}': expected a plain number, got '{}': the header gives the unit {}",
                                 axis.name, trimmed, unit));
  }
  return convert_value(axis, fmt::format("{} {}", trimmed, unit));
}

bool is_plain_number(std::string_view text) { return read_number<double>(trim(text)).has_value(); }

}  // namespace pimsweep::sweep
