#include "base/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/trim.h"

namespace pimsweep {

namespace {

// Positions in Dimension::exponent.
constexpr std::size_t second = 0;
constexpr std::size_t byte = 1;
constexpr std::size_t joule = 2;
constexpr std::size_t meter = 3;
constexpr std::size_t kelvin = 4;
constexpr std::size_t volt = 5;
constexpr std::size_t dollar = 6;

/// A scale split into a power of ten and the rest (a power of two for information): "0.1 ns" can then be read as the
/// decimal 0.1e-9 and gives the same bits as "100 ps".
struct Factor {
  Dimension dimension;
  int exponent10 = 0;
  double rest = 1.0;
};

constexpr Dimension dimension(std::initializer_list<std::pair<std::size_t, int>> powers) {
  Dimension result;
  for (const auto& [base, power] : powers) result.exponent[base] = static_cast<std::int8_t>(power);
  return result;
}

/// Which prefixes a symbol may carry: 400 MHz and 8 MiB, but no "Mmin" and no "MiHz".
enum class Prefixes : std::uint8_t { none, decimal, decimal_and_binary };

struct Symbol {
  std::string_view text;
  Factor factor;
  Prefixes prefixes = Prefixes::decimal;
};

const std::vector<Symbol>& symbols() {
  constexpr Dimension rate = dimension({{second, -1}});
  static const std::vector<Symbol> table{
      {"s", {dimension({{second, 1}}), 0, 1.0}},
      {"min", {dimension({{second, 1}}), 0, 60.0}, Prefixes::none},
      {"h", {dimension({{second, 1}}), 0, 3600.0}, Prefixes::none},
      {"Hz", {rate, 0, 1.0}},
      {"B", {dimension({{byte, 1}}), 0, 1.0}, Prefixes::decimal_and_binary},
      {"byte", {dimension({{byte, 1}}), 0, 1.0}, Prefixes::none},
      {"bytes", {dimension({{byte, 1}}), 0, 1.0}, Prefixes::none},
      {"bit", {dimension({{byte, 1}}), 0, 0.125}, Prefixes::decimal_and_binary},
      {"bits", {dimension({{byte, 1}}), 0, 0.125}, Prefixes::none},
      {"J", {dimension({{joule, 1}}), 0, 1.0}},
      {"W", {dimension({{joule, 1}, {second, -1}}), 0, 1.0}},
      {"m", {dimension({{meter, 1}}), 0, 1.0}},
      {"cm", {dimension({{meter, 1}}), -2, 1.0}, Prefixes::none},
      {"K", {dimension({{kelvin, 1}}), 0, 1.0}, Prefixes::none},
      {"V", {dimension({{volt, 1}}), 0, 1.0}},
      {"A", {dimension({{joule, 1}, {second, -1}, {volt, -1}}), 0, 1.0}},
      {"F", {dimension({{joule, 1}, {volt, -2}}), 0, 1.0}},
      {"USD", {dimension({{dollar, 1}}), 0, 1.0}, Prefixes::none},
      {"cycle", {{}, 0, 1.0}, Prefixes::none},
      {"cycles", {{}, 0, 1.0}, Prefixes::none},
      {"flit", {{}, 0, 1.0}, Prefixes::none},
      {"flits", {{}, 0, 1.0}, Prefixes::none},
      {"MAC", {{}, 0, 1.0}},
      {"OP", {{}, 0, 1.0}},
      {"FLOP", {{}, 0, 1.0}},
      {"OPS", {rate, 0, 1.0}},
      {"FLOPS", {rate, 0, 1.0}},
  };
  return table;
}

struct DecimalPrefix {
  char letter;
  int exponent10;
};
// From large to small, so that of two equally near units the likelier is suggested ("mhz": MHz, not mHz).
constexpr std::array<DecimalPrefix, 11> decimal_prefixes{{{'P', 15},
                                                          {'T', 12},
                                                          {'G', 9},
                                                          {'M', 6},
                                                          {'k', 3},
                                                          {'m', -3},
                                                          {'u', -6},
                                                          {'n', -9},
                                                          {'p', -12},
                                                          {'f', -15},
                                                          {'a', -18}}};

struct BinaryPrefix {
  std::string_view text;
  double factor;
};
constexpr std::array<BinaryPrefix, 4> binary_prefixes{{{"Ki", 0x1p10}, {"Mi", 0x1p20}, {"Gi", 0x1p30}, {"Ti", 0x1p40}}};

/// Every symbol with every prefix that it may carry. Whole symbols come first: "m" is a meter and "min" a minute.
const std::vector<std::pair<std::string, Factor>>& unit_names() {
  static const std::vector<std::pair<std::string, Factor>> names = [] {
    std::vector<std::pair<std::string, Factor>> all;
    for (const Symbol& symbol : symbols()) all.emplace_back(symbol.text, symbol.factor);
    for (const Symbol& symbol : symbols()) {
      if (symbol.prefixes == Prefixes::none) continue;
      const auto with_decimal = [&](std::string prefix, int exponent10) {
        Factor factor = symbol.factor;
        factor.exponent10 += exponent10;
        all.emplace_back(prefix.append(symbol.text), factor);
      };
      for (const DecimalPrefix& prefix : decimal_prefixes) {
        with_decimal(std::string(1, prefix.letter), prefix.exponent10);
      }
      with_decimal("\xC2\xB5", -6);  // U+00B5, micro sign
      with_decimal("\xCE\xBC", -6);  // U+03BC, Greek mu
      if (symbol.prefixes != Prefixes::decimal_and_binary) continue;
      for (const BinaryPrefix& prefix : binary_prefixes) {
        Factor factor = symbol.factor;
        factor.rest *= prefix.factor;
        all.emplace_back(std::string(prefix.text).append(symbol.text), factor);
      }
    }
    return all;
  }();
  return names;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char left, unsigned char right) { return std::tolower(left) == std::tolower(right); });
}

std::string unit_suggestion(std::string_view name) {
  if (name.ends_with('b')) {
    const std::string_view prefix = name.substr(0, name.size() - 1);
    return fmt::format(" (write '{0}bit' for bits or '{0}B' for bytes)", prefix);
  }
  std::vector<std::string> candidates;
  candidates.reserve(unit_names().size());
  for (const auto& [text, factor] : unit_names()) {
    if (equal_ignoring_case(text, name)) return fmt::format(" (did you mean '{}'?)", text);
    candidates.push_back(text);
  }
  return suggestion(name, candidates);
}

/// One term of a product: "mm^2", "bit", "1".
Factor parse_term(std::string_view term, std::string_view whole) {
  const auto caret = term.find('^');
  const std::string_view name = trim(term.substr(0, caret));
  int power = 1;
  if (caret != std::string_view::npos) {
    const std::string_view digits = trim(term.substr(caret + 1));
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), power);
    if (error != std::errc{} || end != digits.data() + digits.size() || power < -9 || power > 9 || power == 0) {
      throw InputError(
          fmt::format("'{}' in unit '{}' is not a power; write an integer such as mm^2", trim(term), trim(whole)));
    }
  }
  if (name == "1") return {};
  for (const auto& [text, factor] : unit_names()) {
    if (text != name) continue;
    Factor result = factor;
    result.exponent10 *= power;
    result.rest = std::pow(factor.rest, power);
    for (auto& exponent : result.dimension.exponent) exponent = static_cast<std::int8_t>(exponent * power);
    return result;
  }
  throw InputError(name == trim(whole)
                       ? fmt::format("'{}' is not a unit{}", name, unit_suggestion(name))
                       : fmt::format("'{}' in '{}' is not a unit{}", name, trim(whole), unit_suggestion(name)));
}

Factor parse_factor(std::string_view text) {
  // Longer texts are nonsense and would only overflow the exponents.
  constexpr std::size_t max_length = 64;
  if (trim(text).empty()) throw InputError("a unit is missing; write for example MHz, MiB or pJ/bit");
  if (text.size() > max_length) throw InputError(fmt::format("'{}...' is not a unit", text.substr(0, max_length)));
  Factor product;
  char operation = '*';
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find_first_of("*/", begin);
    const Factor term = parse_term(text.substr(begin, end == std::string_view::npos ? end : end - begin), text);
    const int sign = operation == '/' ? -1 : 1;
    product.exponent10 += sign * term.exponent10;
    product.rest = operation == '/' ? product.rest / term.rest : product.rest * term.rest;
    for (std::size_t i = 0; i < product.dimension.exponent.size(); ++i) {
      const int sum = product.dimension.exponent[i] + sign * term.dimension.exponent[i];
      if (sum < -100 || sum > 100) throw InputError(fmt::format("'{}' is not a unit: its powers are too high", text));
      product.dimension.exponent[i] = static_cast<std::int8_t>(sum);
    }
    if (end == std::string_view::npos) return product;
    operation = text[end];
    begin = end + 1;
  }
}

std::optional<double> read_decimal(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

/// An everyday quantity of the expected dimension, for messages.
std::string example(const Dimension& wanted, std::string_view unit) {
  constexpr std::array<std::string_view, 19> examples{
      "400 MHz", "8 MiB", "3.2 GB/s", "0.66 pJ/bit", "10 ns", "1.5 pJ",   "20 mW",  "1.2 mm",   "2 mm^2", "1.1 V",
      "300 K",   "20 mA", "100 GB/J", "15 fF",       "1 W/B", "1.5 pJ/m", "1 pJ/s", "0.1 mW/K", "8 GB/mm"};
  for (const std::string_view text : examples) {
    const std::size_t blank = text.find(' ');
    if (parse_factor(text.substr(blank + 1)).dimension == wanted) return std::string(text);
  }
  return fmt::format("1 {}", unit);
}

bool has_unit(const Dimension& dimension) { return dimension != Dimension{}; }

}  // namespace

Unit parse_unit(std::string_view text) {
  const Factor factor = parse_factor(text);
  const std::optional<double> power = read_decimal(fmt::format("1e{}", factor.exponent10));
  if (!power) throw InputError(fmt::format("'{}' is not a unit: its powers are too high", text));
  return {factor.dimension, *power * factor.rest};
}

double parse_quantity(std::string_view text, std::string_view unit) {
  const Dimension wanted = parse_unit(unit).dimension;
  const std::string_view whole = trim(text);
  const auto needed = [&] {
    return has_unit(wanted) ? fmt::format("a quantity in {} is needed, for example '{}'", unit, example(wanted, unit))
                            : std::string("a plain number is needed");
  };

  std::string_view rest = whole;
  if (rest.starts_with('+') && !rest.starts_with("+-")) rest.remove_prefix(1);
  double read = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), read);
  if (error == std::errc::result_out_of_range) {
    throw InputError(fmt::format("'{}' is too large or too small a number; {}", whole, needed()));
  }
  if (error != std::errc{} || !std::isfinite(read)) {
    throw InputError(fmt::format("'{}' does not begin with a number; {}", whole, needed()));
  }
  const std::string number(rest.data(), end);
  const std::string_view unit_text = trim(rest.substr(number.size()));
  if (unit_text.empty()) {
    if (has_unit(wanted)) throw InputError(fmt::format("'{}' has no unit; {}", whole, needed()));
    return read;
  }

  Factor factor;
  try {
    factor = parse_factor(unit_text);
  } catch (const InputError& problem) {
    throw InputError(fmt::format("'{}': {}; {}", whole, problem.what(), needed()));
  }
  if (factor.dimension != wanted) {
    throw InputError(fmt::format("'{}' has the wrong dimension; {}", whole, needed()));
  }
  const std::size_t exponent_at = number.find_first_of("eE");
  int exponent10 = factor.exponent10;
  if (exponent_at != std::string::npos) {
    const char* digits = number.data() + exponent_at + 1;
    if (*digits == '+') ++digits;
    int own = 0;
    std::from_chars(digits, number.data() + number.size(), own);
    exponent10 += own;
  }
  const std::optional<double> value =
      read_decimal(fmt::format("{}e{}", std::string_view(number).substr(0, exponent_at), exponent10));
  if (!value || !std::isfinite(*value * factor.rest)) {
    throw InputError(fmt::format("'{}' is too large or too small a number; {}", whole, needed()));
  }
  return *value * factor.rest;
}

namespace {

/// "8 MiB" for a whole number of KiB, MiB, ... that stays readable.
std::optional<std::string> in_binary_prefixes(double value, std::string_view unit, int digits) {
  // A whole number of KiB is also what 8 GB are; it is meant as one only where it stays readable.
  constexpr double readable = 10000;
  const double magnitude = std::fabs(value);
  for (auto prefix = binary_prefixes.rbegin(); prefix != binary_prefixes.rend(); ++prefix) {
    if (magnitude >= prefix->factor && magnitude < readable * prefix->factor &&
        std::fmod(magnitude, prefix->factor) == 0) {
      return fmt::format("{:.{}g} {}{}", value / prefix->factor, digits, prefix->text, unit);
    }
  }
  return std::nullopt;
}

/// "400 MHz"; without a prefix where none fits. `power` is that of the prefixed symbol (m^2); seconds have small
/// prefixes only.
std::string in_decimal_prefixes(double value, std::string_view unit, int power, bool only_small, int digits) {
  // What is printed decides: 999.9999999e6 is "1 G", not "1000 M".
  const auto shown = [&](double scale) {
    return read_decimal(fmt::format("{:.{}g}", std::fabs(value) / scale, digits)).value_or(HUGE_VAL);
  };
  for (const DecimalPrefix& prefix : decimal_prefixes) {
    if (prefix.exponent10 < 0 && shown(1) >= 1) break;
    if (prefix.exponent10 > 0 && only_small) continue;
    const double scale = std::pow(10.0, prefix.exponent10 * power);
    if (shown(scale) >= 1) return fmt::format("{:.{}g} {}{}", value / scale, digits, prefix.letter, unit);
  }
  return fmt::format("{:.{}g} {}", value, digits, unit);
}

}  // namespace

std::string format_quantity(double si, std::string_view unit, int digits) {
  const double value = si / parse_unit(unit).scale;
  const std::string_view whole = trim(unit);
  if (whole == "1") return fmt::format("{:.{}g}", value, digits);

  const std::size_t name_end = whole.find_first_of("*/^ ");
  const std::string_view name = whole.substr(0, name_end);
  const std::string_view tail = name_end == std::string_view::npos ? std::string_view{} : trim(whole.substr(name_end));
  const auto plain = [&] { return fmt::format("{:.{}g} {}", value, digits, whole); };

  const Symbol* symbol = nullptr;
  for (const Symbol& candidate : symbols()) {
    if (candidate.text == name && candidate.prefixes != Prefixes::none) symbol = &candidate;
  }
  if (symbol == nullptr || value == 0 || !std::isfinite(value)) return plain();

  if (symbol->prefixes == Prefixes::decimal_and_binary && tail.empty()) {
    if (std::optional<std::string> text = in_binary_prefixes(value, whole, digits)) return *std::move(text);
  }
  int power = 1;
  if (tail.starts_with('^')) {
    const std::string_view exponent = trim(tail.substr(1));
    std::from_chars(exponent.data(), exponent.data() + exponent.size(), power);
  }
  if (power < 1) return plain();
  return in_decimal_prefixes(value, whole, power, name == "s", digits);  // nobody writes kiloseconds
}

}  // namespace pimsweep
