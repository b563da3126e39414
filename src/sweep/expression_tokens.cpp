#include "sweep/expression_tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace pimsweep::sweep {

namespace {

constexpr std::array<std::string_view, 6> pairs{"&&", "||", "==", "!=", "<=", ">="};
constexpr std::string_view marks = "+-*/^<>!()?:,";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool belongs_to_name(char c) { return is_letter(c) || is_digit(c) || c == '.'; }

class Scanner {
 public:
  Scanner(const PlacedText& condition, ProblemList& problems)
      : condition_(condition), text_(condition.text), problems_(problems) {}

  std::vector<Token> scan() {
    while (at_ < text_.size()) {
      if (is_blank(text_[at_])) {
        ++at_;
      } else if (is_letter(text_[at_])) {
        take(Token::Kind::name, length_while(belongs_to_name));
      } else if (is_digit(text_[at_]) || text_[at_] == '.') {
        take(Token::Kind::number, number_length());
      } else if (text_[at_] == '"' || text_[at_] == '\'') {
        take_text();
      } else {
        take_mark();
      }
    }
    return std::move(tokens_);
  }

 private:
  std::size_t length_while(bool (*belongs)(char)) const {
    std::size_t length = 0;
    while (at_ + length < text_.size() && belongs(text_[at_ + length])) ++length;
    return length;
  }

  /// Digits and dots, and an exponent: "1.5e-3". The parser decides whether that is a number.
  std::size_t number_length() const {
    const auto is_part = [](char c) { return is_digit(c) || c == '.'; };
    std::size_t length = length_while(is_part);
    std::size_t end = at_ + length;
    if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
      ++end;
      if (end < text_.size() && (text_[end] == '+' || text_[end] == '-')) ++end;
      if (end < text_.size() && is_digit(text_[end])) {
        while (end < text_.size() && is_digit(text_[end])) ++end;
        length = end - at_;
      }
    }
    return length;
  }

  void take(Token::Kind kind, std::size_t length) {
    tokens_.push_back({kind, std::string(text_.substr(at_, length)), at_});
    at_ += length;
  }

  void take_text() {
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) {
      problems_.add(condition_.at(at_), "missing closing quote");
      at_ = text_.size();
      return;
    }
    tokens_.push_back({Token::Kind::text, std::string(text_.substr(at_ + 1, end - at_ - 1)), at_});
    at_ = end + 1;
  }

  void take_mark() {
    for (const std::string_view pair : pairs) {
      if (text_.substr(at_).starts_with(pair)) return take(Token::Kind::mark, pair.size());
    }
    if (marks.find(text_[at_]) != std::string_view::npos) return take(Token::Kind::mark, 1);
    std::size_t length = 1;  // in bytes, of one UTF-8 character
    while (at_ + length < text_.size() && (static_cast<unsigned char>(text_[at_ + length]) & 0xc0U) == 0x80U) ++length;
    const std::string_view read = text_.substr(at_, length);
    const std::string_view hint = read == "="   ? ": write == to compare"
                                  : read == "&" ? ": write && for 'and'"
                                  : read == "|" ? ": write || for 'or'"
                                                : "";
    problems_.add(condition_.at(at_), fmt::format("unexpected '{}'{}", read, hint));
    at_ += length;
  }

  const PlacedText& condition_;
  const std::string_view text_;
  ProblemList& problems_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

bool is_name(std::string_view text) { return std::ranges::all_of(text, belongs_to_name); }

std::vector<Token> read_tokens(const PlacedText& condition, ProblemList& problems) {
  return Scanner(condition, problems).scan();
}

}  // namespace pimsweep::sweep
