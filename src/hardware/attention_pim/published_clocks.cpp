#include "hardware/attention_pim/published_clocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/csv.h"
#include "base/error.h"

namespace pimsweep::hardware::attention_pim {

namespace {

constexpr std::array clock_columns{"heads",       "head_size",     "value_bytes", "placement",
                                   "power_limit", "first_context", "clocks"};

/// The cells of a line by column, with their problems.
class ClockLine {
 public:
  ClockLine(const std::vector<CsvCell>& cells, const std::array<int, clock_columns.size()>& columns,
            const std::string& file, ProblemList& problems)
      : cells_(cells), columns_(columns), file_(file), problems_(problems) {}

  const CsvCell& cell(std::size_t column) const { return cells_[static_cast<std::size_t>(columns_[column])]; }

  template <typename Number>
  Number number(std::size_t column, Number min) const {
    const std::string& text = cell(column).text;
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !(value >= min)) {
      problem(column, fmt::format("expected a number from {}", min));
      return min;
    }
    return value;
  }

  void problem(std::size_t column, const std::string& needed) const {
    problems_.add({file_, cell(column).line, cell(column).column},
                  fmt::format("{} '{}': {}", clock_columns[column], cell(column).text, needed));
  }

 private:
  const std::vector<CsvCell>& cells_;
  const std::array<int, clock_columns.size()>& columns_;
  const std::string& file_;
  ProblemList& problems_;
};

/// Appends the clocks of text such as `16345x16 16400`; false if the text is malformed.
bool append_clocks(std::string_view text, std::vector<double>& clocks) {
  constexpr std::int64_t max_run = 1 << 20;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    double value = 0;
    auto [after, error] = std::from_chars(at, end, value);
    if (error != std::errc{} || !(value > 0)) return false;
    std::int64_t run = 1;
    if (after != end && *after == 'x') {
      const auto [after_run, run_error] = std::from_chars(after + 1, end, run);
      if (run_error != std::errc{} || run < 1 || run > max_run) return false;
      after = after_run;
    }
    clocks.insert(clocks.end(), static_cast<std::size_t>(run), value);
    if (after != end && *after++ != ' ') return false;
    at = after;
  }
  return true;
}

}  // namespace

PublishedClocks::PublishedClocks(std::string_view text, const std::string& file) {
  const CsvTable table = parse_csv(text, file);
  ProblemList problems;
  std::array<int, clock_columns.size()> columns{};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    columns[i] = table.column(clock_columns[i]);
    if (columns[i] < 0) problems.add({file, 1, 0}, fmt::format("the column '{}' is missing", clock_columns[i]));
  }
  problems.throw_if_any();
  for (const std::vector<CsvCell>& cells : table.rows) {
    const ClockLine line(cells, columns, file, problems);
    Span span{.first = line.number<std::int64_t>(5, 1), .offset = clocks_.size()};
    span.key.heads = line.number<std::int64_t>(0, 1);
    span.key.head_size = line.number<std::int64_t>(1, 1);
    span.key.value_bytes = line.number<double>(2, 0);
    const std::optional<Placement> placement = value_of(placement_words, line.cell(3).text);
    if (!placement) line.problem(3, fmt::format("expected one of {}", fmt::join(names_of(placement_words), ", ")));
    span.key.placement = placement.value_or(Placement::bank);
    span.key.power_limit = line.number<std::int64_t>(4, 0) != 0;
    if (!append_clocks(line.cell(6).text, clocks_)) line.problem(6, "expected clocks such as '16345x16 16400'");
    span.count = static_cast<std::int64_t>(clocks_.size() - span.offset);
    spans_.push_back(span);
  }
  problems.throw_if_any();
  std::ranges::sort(spans_,
                    [](const Span& a, const Span& b) { return a.key == b.key ? a.first < b.first : a.key < b.key; });
}

std::vector<PublishedClocks::Span>::const_iterator PublishedClocks::first_of(const Key& key) const {
  return std::ranges::lower_bound(spans_, key, {}, &Span::key);
}

std::optional<double> PublishedClocks::find(Placement placement, bool power_limit, const AttentionShape& shape) const {
  const Key key{placement, power_limit, shape.heads, shape.head_size, shape.value_bytes};
  for (auto span = first_of(key); span != spans_.end() && span->key == key; ++span) {
    const std::int64_t index = shape.context - span->first;
    if (index >= 0 && index < span->count) return clocks_[span->offset + static_cast<std::size_t>(index)];
  }
  return std::nullopt;
}

double PublishedClocks::at(Placement placement, bool power_limit, const AttentionShape& shape) const {
  if (const std::optional<double> clocks = find(placement, power_limit, shape)) return *clocks;
  const Key key{placement, power_limit, shape.heads, shape.head_size, shape.value_bytes};
  std::string published;
  for (auto span = first_of(key); span != spans_.end() && span->key == key; ++span) {
    published += fmt::format("{}{} to {}", published.empty() ? "" : ", ", span->first, span->first + span->count - 1);
  }
  throw PointError(
      fmt::format("no clocks were published for {} heads of a stack with {} elements of {:g} bytes and a context of "
                  "{}, multipliers "
                  "at the {}, {} power limit ({})",
                  shape.heads, shape.head_size, shape.value_bytes, shape.context, word_of(placement_words, placement),
                  power_limit ? "with a" : "without a",
                  published.empty() ? "none of any context" : "contexts published: " + published));
}

}  // namespace pimsweep::hardware::attention_pim
