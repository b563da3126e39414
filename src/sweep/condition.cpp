#include "sweep/condition.h"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/quantity.h"
#include "sweep/axis_value.h"
#include "sweep/expression_tokens.h"

namespace pimsweep::sweep {

namespace {

constexpr const char* name_characters = "0123456789_.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::array<std::string_view, 6> comparisons{"==", "!=", "<", ">", "<=", ">="};
/// Tokens allowed next to a comparison of texts; operators of higher precedence would compute with a text.
constexpr std::array<std::string_view, 7> loose_marks{"&&", "||", "(", ")", "?", ":", ","};

/// Operators that other languages write as words.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> word_operators{
    {{"and", "&&"}, {"or", "||"}, {"not", "!"}}};

template <typename List>
bool is_one_of(const List& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

std::unique_ptr<mu::Parser> make_parser() {
  auto parser = std::make_unique<mu::Parser>();
  parser->DefineNameChars(name_characters);
  // Constant folding would hide 0/0 from evaluate().
  parser->EnableOptimizer(false);
  parser->DefineConst("true", 1);
  parser->DefineConst("false", 0);
  parser->DefineInfixOprt("!", [](double operand) { return operand == 0 ? 1.0 : 0.0; });
  return parser;
}

}  // namespace

class ConditionCompiler {
 public:
  ConditionCompiler(const PlacedText& text, const systems::Schema& schema, ProblemList& problems)
      : schema_(schema), problems_(problems) {
    condition_.text_ = text;
    condition_.parser_ = make_parser();
  }

  std::optional<Condition> compile() {
    const std::size_t before = problems_.problems().size();
    tokens_ = read_tokens(condition_.text_, problems_);
    const bool all_words = problems_.problems().size() == before;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      replace_word_operator(i);
      check_name(i);
    }
    for (std::size_t i = 0; i < tokens_.size() && all_words; ++i) translate(i);
    if (problems_.problems().size() == before) parse();
    if (problems_.problems().size() != before) return std::nullopt;
    return std::move(condition_);
  }

 private:
  SourcePosition place(std::size_t offset) const { return condition_.text_.at(offset); }
  void add_problem(const Token& token, std::string message) { problems_.add(place(token.begin), std::move(message)); }

  bool is_mark(std::size_t i, std::string_view mark) const {
    return i < tokens_.size() && tokens_[i].kind == Token::Kind::mark && tokens_[i].text == mark;
  }
  bool is_comparison(std::size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == Token::Kind::mark && is_one_of(comparisons, tokens_[i].text);
  }
  /// Positions beyond either end count as loose, too.
  bool is_loose(std::size_t i) const {
    return i >= tokens_.size() || (tokens_[i].kind == Token::Kind::mark && is_one_of(loose_marks, tokens_[i].text));
  }

  /// The axis that a word names, or nullptr.
  const systems::Axis* axis_of(std::size_t i) const {
    if (i >= tokens_.size() || tokens_[i].kind != Token::Kind::name) return nullptr;
    const int axis = schema_.axis_index(tokens_[i].text);
    return axis < 0 ? nullptr : &schema_.axes[static_cast<std::size_t>(axis)];
  }
  bool is_text_axis(std::size_t i) const {
    const systems::Axis* axis = axis_of(i);
    return axis != nullptr && axis->type == ValueType::text;
  }

  /// Reports "and" and the others, and continues with the operators that they mean.
  void replace_word_operator(std::size_t i) {
    Token& token = tokens_[i];
    if (token.kind != Token::Kind::name || axis_of(i) != nullptr) return;
    const auto found = std::ranges::find(word_operators, token.text, [](const auto& word) { return word.first; });
    if (found == word_operators.end()) return;
    add_problem(token, fmt::format("write {} instead of '{}'", found->second, token.text));
    token.kind = Token::Kind::mark;
    token.text = found->second;
  }

  /// True for a word without quotes that is compared with an axis of texts.
  bool is_unquoted(std::size_t i) const {
    if (i >= tokens_.size() || tokens_[i].kind != Token::Kind::name || axis_of(i) != nullptr) return false;
    const std::optional<std::size_t> other = partner(i);
    return other && is_text_axis(*other);
  }

  void check_name(std::size_t i) {
    const Token& token = tokens_[i];
    if (token.kind != Token::Kind::name) return;
    if (is_unquoted(i)) {
      add_problem(token, fmt::format("a text needs quotes: \"{}\"", token.text));
      return;
    }
    if (axis_of(i) != nullptr) {
      const auto axis = static_cast<std::size_t>(schema_.axis_index(token.text));
      if (!is_among_axes(axis)) condition_.axes_.push_back(axis);
      return;
    }
    const mu::Parser& parser = *condition_.parser_;
    if (parser.GetConst().contains(token.text)) return;
    if (parser.GetFunDef().contains(token.text)) {
      if (!is_mark(i + 1, "("))
        add_problem(token, fmt::format("function '{0}' needs parentheses: {0}(...)", token.text));
      return;
    }
    std::vector<std::string> names;
    for (const systems::Axis& axis : schema_.axes) names.push_back(axis.name);
    for (const auto& [name, function] : parser.GetFunDef()) names.push_back(name);
    const bool after_number = i > 0 && tokens_[i - 1].kind == Token::Kind::number;
    add_problem(token, fmt::format("unknown name '{}': neither an axis of system '{}' nor a function{}{}", token.text,
                                   schema_.name, suggestion(token.text, names),
                                   after_number ? "; write a quantity with a unit in quotes" : ""));
  }

  bool is_among_axes(std::size_t axis) const {
    return std::find(condition_.axes_.begin(), condition_.axes_.end(), axis) != condition_.axes_.end();
  }

  /// Appends a word in the parser's form. The parser knows only numbers, so texts and quantities become numbers.
  void translate(std::size_t i) {
    const Token& token = tokens_[i];
    if (token.kind == Token::Kind::text) {
      if (const std::optional<double> number = meaning(i)) append(fmt::format("({:.17g}) ", *number), token.begin);
      return;
    }
    if (is_text_axis(i)) check_text_axis(i);
    append(token.text, token.begin);
    // A function's parenthesis must follow directly; other words are separated by blanks.
    if (!is_mark(i + 1, "(")) append(" ", token.begin);
  }

  void append(std::string_view word, std::size_t origin) {
    expression_ += word;
    origins_.resize(expression_.size(), origin);
  }

  /// The other operand of the comparison that token `i` belongs to.
  std::optional<std::size_t> partner(std::size_t i) const {
    if (is_comparison(i + 1)) return i + 2;
    if (i >= 2 && is_comparison(i - 1)) return i - 2;
    return std::nullopt;
  }

  void check_text_axis(std::size_t i) {
    const Token& token = tokens_[i];
    const std::optional<std::size_t> other = partner(i);
    if (other && *other < tokens_.size() && (tokens_[*other].kind == Token::Kind::text || is_text_axis(*other))) {
      check_text_comparison(std::min(i, *other));
      return;
    }
    if (other && is_unquoted(*other)) return;
    add_problem(token, fmt::format("axis '{0}' is text: compare it with a text, as in {0} == \"...\"", token.text));
  }

  /// Compares the texts at `left` and `left` + 2.
  void check_text_comparison(std::size_t left) {
    const Token& comparison = tokens_[left + 1];
    if (comparison.text != "==" && comparison.text != "!=") {
      add_problem(comparison, fmt::format("expected == or != between texts, got {}", comparison.text));
    } else if ((left > 0 && !is_loose(left - 1)) || !is_loose(left + 3)) {
      add_problem(tokens_[left], "write a comparison of texts within a formula in parentheses");
    }
  }

  /// The number that represents a quoted text, by the axis that it is compared with.
  std::optional<double> meaning(std::size_t i) {
    const Token& token = tokens_[i];
    const std::optional<std::size_t> other = partner(i);
    const systems::Axis* axis = other ? axis_of(*other) : nullptr;
    if (axis == nullptr) {
      add_problem(token, fmt::format("the text '{}' is not compared with an axis, as in axis == \"...\"", token.text));
      return std::nullopt;
    }
    try {
      switch (axis->type) {
        case ValueType::text:
          return condition_.number(convert_value(*axis, token.text));
        case ValueType::boolean:
          throw InputError(fmt::format("axis '{}' is true or false, not the text '{}'", axis->name, token.text));
        case ValueType::integer:
        case ValueType::real:
          break;
      }
      if (parse_unit(axis->unit).dimension == Dimension{}) {
        throw InputError(
            fmt::format("axis '{}' is a number: compare it with a number, not with '{}'", axis->name, token.text));
      }
      return quantity(*axis, token.text);
    } catch (const InputError& error) {
      add_problem(token, error.what());
      return std::nullopt;
    }
  }

  static double quantity(const systems::Axis& axis, const std::string& text) {
    try {
      return parse_quantity(text, axis.unit);
    } catch (const InputError& error) {
      throw InputError(fmt::format("axis '{}': {}", axis.name, error.what()));
    }
  }

  void parse() {
    std::vector<double>& operands = condition_.operands_;
    operands.assign(condition_.axes_.size(), 1.0);
    mu::Parser& parser = *condition_.parser_;
    try {
      for (std::size_t i = 0; i < operands.size(); ++i) {
        parser.DefineVar(schema_.axes[condition_.axes_[i]].name, &operands[i]);
      }
      parser.SetExpr(expression_);
      parser.Eval();
    } catch (const mu::ParserError& error) {
      report(error);
      return;
    }
    if (parser.GetNumResults() > 1) {
      problems_.add(condition_.text_.where,
                    "this is more than one condition: join them with && or write a list of conditions");
    }
  }

  void report(const mu::ParserError& error) {
    const std::size_t offset = offset_of(error);
    switch (error.GetCode()) {
      case mu::ecEMPTY_EXPRESSION:
        problems_.add(condition_.text_.where, "the condition is empty");
        return;
      case mu::ecEXPRESSION_TOO_LONG:
        problems_.add(condition_.text_.where, "the condition is too long: write a list of several");
        return;
      case mu::ecUNEXPECTED_EOF:
      case mu::ecINTERNAL_ERROR:  // an operator without an operand
        problems_.add(place(condition_.text_.text.size()), "the condition ends too early");
        return;
      case mu::ecMISSING_PARENS:
        problems_.add(place(condition_.text_.text.size()), "a ')' is missing");
        return;
      case mu::ecTOO_MANY_PARAMS:
        problems_.add(place(offset), fmt::format("too many operands for function '{}'", error.GetToken()));
        return;
      case mu::ecTOO_FEW_PARAMS:
        problems_.add(place(offset), fmt::format("too few operands for function '{}'", error.GetToken()));
        return;
      case mu::ecMISSING_ELSE_CLAUSE:
        problems_.add(place(condition_.text_.text.size()), "the '?' has no matching ':'");
        return;
      default:
        problems_.add(place(offset), fmt::format("unexpected '{}'", word_at(offset)));
    }
  }

  /// Offset in the condition of the word that the parser's error refers to. For some words the parser gives their end.
  std::size_t offset_of(const mu::ParserError& error) const {
    const auto position = static_cast<std::size_t>(std::max(error.GetPos(), 0));
    if (const std::size_t found =
            error.GetToken().empty() ? std::string::npos : expression_.rfind(error.GetToken(), position);
        found != std::string::npos) {
      return origins_[found];
    }
    return position < origins_.size() ? origins_[position] : condition_.text_.text.size();
  }

  std::string word_at(std::size_t offset) const {
    for (const Token& token : tokens_) {
      if (token.begin == offset) return token.text;
    }
    return condition_.text_.text.substr(std::min(offset, condition_.text_.text.size()));
  }

  const systems::Schema& schema_;
  ProblemList& problems_;
  Condition condition_;
  std::vector<Token> tokens_;
  /// The parser's input, and for each of its characters the offset of the word in the condition.
  std::string expression_;
  std::vector<std::size_t> origins_;
};

Condition::Condition() = default;
Condition::Condition(Condition&&) noexcept = default;
Condition& Condition::operator=(Condition&&) noexcept = default;
Condition::~Condition() = default;

std::optional<Condition> Condition::compile(const PlacedText& text, const systems::Schema& schema,
                                            ProblemList& problems) {
  return ConditionCompiler(text, schema, problems).compile();
}

bool Condition::is_built_in(const std::string& name) {
  const std::unique_ptr<mu::Parser> parser = make_parser();
  return parser->GetFunDef().contains(name) || parser->GetConst().contains(name);
}

double Condition::number(const Value& value) {
  switch (type_of(value)) {
    case ValueType::text:
      return texts_.emplace(std::get<std::string>(value), static_cast<double>(texts_.size())).first->second;
    case ValueType::boolean:
      return std::get<bool>(value) ? 1.0 : 0.0;
    case ValueType::integer:
    case ValueType::real:
      break;
  }
  return to_real(value);
}

double Condition::evaluate() const { return parser_->Eval(); }

}  // namespace pimsweep::sweep
