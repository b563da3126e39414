#include "hardware/dram/constraints.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/trim.h"

namespace pimsweep::hardware::dram {

namespace {

struct Pair {
  Level level;
  Command after;
  Command before;
  friend bool operator==(const Pair&, const Pair&) = default;
};

/// The constraints that Device keeps.
constexpr std::array implemented{
    Pair{Level::domain, Command::act, Command::act},     Pair{Level::domain, Command::act, Command::preab},
    Pair{Level::domain, Command::act, Command::ref},     Pair{Level::domain, Command::pre, Command::pre},
    Pair{Level::domain, Command::pre, Command::preab},   Pair{Level::domain, Command::pre, Command::ref},
    Pair{Level::domain, Command::preab, Command::act},   Pair{Level::domain, Command::preab, Command::pre},
    Pair{Level::domain, Command::preab, Command::preab}, Pair{Level::domain, Command::preab, Command::ref},
    Pair{Level::domain, Command::rd, Command::rd},       Pair{Level::domain, Command::rd, Command::wr},
    Pair{Level::domain, Command::rd, Command::preab},    Pair{Level::domain, Command::wr, Command::rd},
    Pair{Level::domain, Command::wr, Command::wr},       Pair{Level::domain, Command::wr, Command::preab},
    Pair{Level::domain, Command::ref, Command::act},     Pair{Level::domain, Command::ref, Command::preab},
    Pair{Level::domain, Command::ref, Command::ref},     Pair{Level::group, Command::act, Command::act},
    Pair{Level::group, Command::rd, Command::rd},        Pair{Level::group, Command::wr, Command::rd},
    Pair{Level::group, Command::wr, Command::wr},        Pair{Level::bank, Command::act, Command::act},
    Pair{Level::bank, Command::act, Command::rd},        Pair{Level::bank, Command::act, Command::wr},
    Pair{Level::bank, Command::act, Command::pre},       Pair{Level::bank, Command::pre, Command::act},
    Pair{Level::bank, Command::rd, Command::pre},        Pair{Level::bank, Command::wr, Command::pre},
    Pair{Level::domain, Command::refpb, Command::act},   Pair{Level::domain, Command::refpb, Command::refpb},
    Pair{Level::bank, Command::refpb, Command::act},     Pair{Level::ranks, Command::rd, Command::rd},
    Pair{Level::ranks, Command::rd, Command::wr},        Pair{Level::ranks, Command::wr, Command::rd},
    Pair{Level::ranks, Command::wr, Command::wr},        Pair{Level::stacks, Command::rd, Command::rd},
    Pair{Level::stacks, Command::rd, Command::wr},       Pair{Level::stacks, Command::wr, Command::rd},
    Pair{Level::stacks, Command::wr, Command::wr}};
/// Constraints without which no command would have to wait for a row, or for a refresh.
constexpr std::array required{
    Pair{Level::domain, Command::rd, Command::rd},     Pair{Level::domain, Command::wr, Command::wr},
    Pair{Level::domain, Command::act, Command::ref},   Pair{Level::domain, Command::preab, Command::act},
    Pair{Level::domain, Command::preab, Command::ref}, Pair{Level::domain, Command::ref, Command::act},
    Pair{Level::bank, Command::act, Command::act},     Pair{Level::bank, Command::act, Command::rd},
    Pair{Level::bank, Command::act, Command::wr},      Pair{Level::bank, Command::act, Command::pre},
    Pair{Level::bank, Command::pre, Command::act},     Pair{Level::bank, Command::rd, Command::pre},
    Pair{Level::bank, Command::wr, Command::pre}};
/// ACTs of a domain that Device remembers.
constexpr std::int64_t activation_window = 4;

std::string text_of(const Pair& pair) {
  const bool between = pair.level == Level::ranks || pair.level == Level::stacks;
  return fmt::format("from {} to {} {} {}", word_of(command_words, pair.after), word_of(command_words, pair.before),
                     between ? "of different" : "in a", word_of(level_words, pair.level));
}

std::string unknown(std::string_view what, std::string_view read, const std::vector<std::string>& allowed) {
  return fmt::format("unknown {} '{}'{}; expected {}", what, read, suggestion(read, allowed), fmt::join(allowed, ", "));
}

template <typename T, std::size_t count>
T word(const Words<T, count>& words, std::string_view what, std::string_view read) {
  if (const auto value = value_of(words, read)) return *value;
  throw InputError(unknown(what, read, names_of(words)));
}

/// Splits off the text before a separator.
std::string_view next_field(std::string_view& text, std::string_view separators) {
  const std::size_t end = std::min(text.find_first_of(separators), text.size());
  const std::string_view field = trim(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return field;
}

std::optional<std::int64_t> integer(std::string_view text) {
  constexpr std::int64_t max_integer = 1'000'000;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole && value >= 0 && value <= max_integer ? std::optional(value) : std::nullopt;
}

Latency::Term factor_of(Latency::Term term, std::string_view text) {
  if (const auto number = integer(text)) {
    term.factor *= *number;
    return term;
  }
  const auto found = std::ranges::find(timing_parameters, text, &TimingParameter::name);
  if (found == timing_parameters.end()) {
    std::vector<std::string> names;
    names.reserve(timing_parameters.size());
    for (const TimingParameter& parameter : timing_parameters) names.emplace_back(parameter.name);
    throw InputError(unknown("timing parameter", text, names));
  }
  if (term.parameter != nullptr)
    throw InputError(fmt::format("expected one timing parameter in each term, got another one, '{}'", text));
  term.parameter = found->value;
  return term;
}

Latency parse_latency(std::string_view text) {
  std::vector<Latency::Term> terms;
  std::int64_t sign = 1;
  while (true) {
    const std::size_t end = std::min(text.find_first_of("+-"), text.size());
    std::string_view product = text.substr(0, end);
    Latency::Term term{sign, nullptr};
    do {
      term = factor_of(term, next_field(product, "*"));
    } while (!product.empty());
    terms.push_back(term);
    if (end == text.size()) return Latency(std::move(terms));
    sign = text[end] == '-' ? -1 : 1;
    text.remove_prefix(end + 1);
  }
}

std::vector<Command> parse_commands(std::string_view text) {
  std::vector<Command> found;
  do {
    found.push_back(word(command_words, "command", next_field(text, " ")));
    text = trim(text);
  } while (!text.empty());
  return found;
}

void parse_row(std::string_view row, std::vector<Constraint>& rows) {
  constexpr std::string_view separator = "|";
  const Level level = word(level_words, "level", next_field(row, separator));
  const std::vector<Command> preceding = parse_commands(next_field(row, separator));
  const std::vector<Command> following = parse_commands(next_field(row, separator));
  const std::string_view expression = next_field(row, separator);
  const Latency latency = parse_latency(expression);
  const std::string_view window_text = trim(row);
  const std::int64_t window = window_text.empty() ? 1 : integer(window_text).value_or(0);
  for (const Command after : preceding) {
    for (const Command before : following) {
      const Pair pair{level, after, before};
      if (std::ranges::find(implemented, pair) == implemented.end()) {
        throw InputError(fmt::format("the simulated controller keeps no distance {}", text_of(pair)));
      }
      if (window != 1 && (window != activation_window || pair != implemented.front()))
        throw InputError(
            fmt::format("window '{}': expected 1, or {} from ACT to ACT in a domain", window_text, activation_window));
      rows.push_back({level, after, before, window, latency, std::string(expression)});
    }
  }
}

std::shared_ptr<const Constraints> parse(std::string_view text) {
  auto constraints = std::make_shared<Constraints>();
  constraints->text = text;
  ProblemList problems;
  for (int line = 1; !text.empty(); ++line) {
    std::string_view row = next_field(text, "\n");
    row = trim(row.substr(0, row.find('#')));
    if (row.empty()) continue;
    try {
      parse_row(row, constraints->rows);
    } catch (const InputError& error) {
      problems.add({}, fmt::format("hardware.rules, line {} '{}': {}", line, row, error.what()));
    }
  }
  problems.throw_if_any();
  for (const Pair& pair : required) {
    const bool given = std::ranges::any_of(constraints->rows, [&](const Constraint& row) {
      return pair == Pair{row.level, row.after, row.before} && row.window == 1;
    });
    if (!given) problems.add({}, fmt::format("hardware.rules: no line gives the cycles {}", text_of(pair)));
  }
  problems.throw_if_any();
  return constraints;
}

}  // namespace

std::shared_ptr<const Constraints> parse_constraints(std::string_view text) {
  thread_local std::shared_ptr<const Constraints> last;
  if (last == nullptr || last->text != text) last = parse(text);
  return last;
}

}  // namespace pimsweep::hardware::dram
