#include "sweep/expression_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "base/quantity.h"
#include "sweep/expression_tokens.h"

namespace pimsweep::sweep {

namespace {

/// "s*J", "B/s", "1/s"; "1" without a dimension.
std::string unit_text(const Dimension& dimension) {
  constexpr std::array<std::string_view, 7> base{"s", "J", "B", "m", "K", "V", "USD"};
  std::string above;
  std::string below;
  for (const std::string_view symbol : base) {
    const Dimension of_symbol = parse_unit(symbol).dimension;
    const auto place = std::ranges::find(of_symbol.exponent, 1) - of_symbol.exponent.begin();
    const std::int8_t power = dimension.exponent[static_cast<std::size_t>(place)];
    if (power == 0) continue;
    const std::string factor =
        std::abs(power) == 1 ? std::string(symbol) : fmt::format("{}^{}", symbol, std::abs(power));
    if (power < 0)
      below += "/" + factor;
    else
      above += (above.empty() ? "" : "*") + factor;
  }
  return (above.empty() ? "1" : above) + below;
}

/// Unit of a part of an expression; empty for 0 and for texts, which go with every unit.
using PartUnit = std::optional<Dimension>;

/// The rules for arguments of a function.
enum class Arguments : std::uint8_t { kept, root, dropped, plain };
struct Function {
  std::string_view name;
  Arguments arguments;
};
/// Functions that are not listed take and give plain numbers.
constexpr std::array functions{
    Function{"min", Arguments::kept},  Function{"max", Arguments::kept},     Function{"sum", Arguments::kept},
    Function{"avg", Arguments::kept},  Function{"abs", Arguments::kept},     Function{"rint", Arguments::kept},
    Function{"sqrt", Arguments::root}, Function{"sign", Arguments::dropped}, Function{"atan2", Arguments::dropped}};

/// Computes units by recursive descent over the grammar of muParser: ?:, ||, &&, comparisons, + -, * /, ^, signs.
class UnitReader {
 public:
  UnitReader(const PlacedText& text, const systems::Schema& names, ProblemList& problems)
      : text_(text), names_(names), problems_(problems), tokens_(read_tokens(text, problems)) {}

  std::optional<std::string> read() {
    const std::size_t before = problems_.problems().size();
    const Dimension unit = choice().value_or(Dimension{});
    if (problems_.problems().size() != before) return std::nullopt;
    return unit_text(unit);
  }

 private:
  bool sees(std::string_view mark) const {
    return at_ < tokens_.size() && tokens_[at_].kind == Token::Kind::mark && tokens_[at_].text == mark;
  }
  bool take(std::string_view mark) {
    if (!sees(mark)) return false;
    ++at_;
    return true;
  }
  /// The operator that was seen, or nullptr.
  const Token* take_one_of(std::span<const std::string_view> choices) {
    const auto seen = std::ranges::find_if(choices, [&](std::string_view mark) { return sees(mark); });
    return seen == choices.end() ? nullptr : &tokens_[at_++];
  }

  void report(const Token& token, std::string message) { problems_.add(text_.at(token.begin), std::move(message)); }

  /// The unit that two parts share.
  PartUnit joined(const PartUnit& left, const PartUnit& right, const Token& token) {
    if (left && right && *left != *right) {
      report(token,
             fmt::format("'{}' needs equal units, got '{}' and '{}'", token.text, unit_text(*left), unit_text(*right)));
    }
    return left ? left : right;
  }

  void require_plain(const PartUnit& unit, const Token& token) {
    if (unit && *unit != Dimension{})
      report(token, fmt::format("'{}' needs numbers without a unit, got '{}'", token.text, unit_text(*unit)));
  }

  Dimension combined(const PartUnit& left, const PartUnit& right, int sign, const Token& token) {
    Dimension product = left.value_or(Dimension{});
    for (std::size_t i = 0; i < product.exponent.size(); ++i)
      product.exponent[i] = power(product.exponent[i] + sign * right.value_or(Dimension{}).exponent[i], token);
    return product;
  }

  std::int8_t power(int exponent, const Token& token) {
    constexpr int max_power = 9;  // the largest that units are read with
    if (std::abs(exponent) > max_power) {
      report(token, fmt::format("the powers of the unit are too high at '{}'", token.text));
      return 0;
    }
    return static_cast<std::int8_t>(exponent);
  }

  PartUnit choice() {
    const PartUnit condition = logic();
    if (!sees("?")) return condition;
    const Token& token = tokens_[at_++];
    require_plain(condition, token);
    const PartUnit first = choice();
    take(":");
    return joined(first, choice(), token);
  }

  PartUnit logic() {
    constexpr std::array<std::string_view, 2> choices{"||", "&&"};
    PartUnit unit = comparison();
    while (const Token* token = take_one_of(choices)) {
      require_plain(unit, *token);
      require_plain(comparison(), *token);
      unit = Dimension{};
    }
    return unit;
  }

  PartUnit comparison() {
    constexpr std::array<std::string_view, 6> choices{"==", "!=", "<=", ">=", "<", ">"};
    PartUnit unit = sum();
    while (const Token* token = take_one_of(choices)) {
      joined(unit, sum(), *token);
      unit = Dimension{};
    }
    return unit;
  }

  PartUnit sum() {
    constexpr std::array<std::string_view, 2> choices{"+", "-"};
    PartUnit unit = product();
    while (const Token* token = take_one_of(choices)) unit = joined(unit, product(), *token);
    return unit;
  }

  PartUnit product() {
    constexpr std::array<std::string_view, 2> choices{"*", "/"};
    PartUnit unit = raised();
    while (const Token* token = take_one_of(choices))
      unit = combined(unit, raised(), token->text == "*" ? 1 : -1, *token);
    return unit;
  }

  /// `x ^ n`, from the right.
  PartUnit raised() {
    constexpr std::array<std::string_view, 3> signs{"-", "+", "!"};
    if (take_one_of(signs) != nullptr) return raised();
    const PartUnit base = operand();
    if (!sees("^")) return base;
    const Token& token = tokens_[at_++];
    const std::size_t begin = at_;
    require_plain(raised(), token);
    if (!base || *base == Dimension{}) return base;
    const std::optional<int> exponent = whole_number(begin);
    if (!exponent) {
      report(token, fmt::format("a quantity in '{}' is raised to whole numbers only", unit_text(*base)));
      return base;
    }
    Dimension result = *base;
    for (std::int8_t& each : result.exponent) each = power(each * *exponent, token);
    return result;
  }

  /// The number that the tokens from `begin` to here write, with its sign and in parentheses.
  std::optional<int> whole_number(std::size_t begin) const {
    int sign = 1;
    std::optional<int> number;
    for (std::size_t i = begin; i < at_; ++i) {
      const Token& token = tokens_[i];
      if (token.kind == Token::Kind::number && !number) {
        constexpr std::size_t max_digits = 3;
        if (token.text.size() > max_digits || token.text.find_first_not_of("0123456789") != std::string::npos)
          return std::nullopt;
        number = std::stoi(token.text);
      } else if (token.text == "-" && !number) {
        sign = -sign;
      } else if (token.text != "(" && token.text != ")") {
        return std::nullopt;
      }
    }
    if (!number) return std::nullopt;
    return sign * *number;
  }

  PartUnit operand() {
    if (at_ >= tokens_.size()) return Dimension{};
    const Token& token = tokens_[at_++];
    if (token.kind == Token::Kind::text) return std::nullopt;
    if (token.kind == Token::Kind::number)
      return token.text.find_first_not_of("0.") == std::string::npos ? PartUnit() : PartUnit(Dimension{});
    if (token.kind == Token::Kind::mark) {
      const PartUnit inner = choice();  // the mark is "("
      take(")");
      return inner;
    }
    if (const int axis = names_.axis_index(token.text); axis >= 0) {
      const systems::Axis& named = names_.axes[static_cast<std::size_t>(axis)];
      return named.type == ValueType::text ? PartUnit() : PartUnit(parse_unit(named.unit).dimension);
    }
    return take("(") ? call(token) : Dimension{};
  }

  PartUnit call(const Token& name) {
    const auto known = std::ranges::find(functions, name.text, &Function::name);
    const Arguments arguments = known == functions.end() ? Arguments::plain : known->arguments;
    PartUnit unit = choice();
    while (take(",")) unit = joined(unit, choice(), name);
    take(")");
    if (arguments == Arguments::kept) return unit;
    if (arguments == Arguments::plain) require_plain(unit, name);
    if (arguments != Arguments::root || !unit) return Dimension{};
    Dimension root = *unit;
    for (std::int8_t& exponent : root.exponent) {
      if (exponent % 2 != 0) {
        report(name, fmt::format("the root of '{}' does not have a unit", unit_text(*unit)));
        return Dimension{};
      }
      exponent = static_cast<std::int8_t>(exponent / 2);
    }
    return root;
  }

  const PlacedText& text_;
  const systems::Schema& names_;
  ProblemList& problems_;
  const std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<std::string> unit_of_expression(const PlacedText& text, const systems::Schema& names,
                                              ProblemList& problems) {
  return UnitReader(text, names, problems).read();
}

}  // namespace pimsweep::sweep
