#include "results/judge.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <system_error>

#include "base/quantity.h"

namespace pimsweep::results {

namespace {

/// Share of comparisons from which on a claim counts as reproduced.
constexpr double mostly = 0.90;

constexpr std::array verdict_words{Word{"exact", Verdict::exact}, Word{"within", Verdict::within},
                                   Word{"off", Verdict::off}, Word{"inconsistent", Verdict::inconsistent},
                                   Word{"open", Verdict::open}};

/// The published unit in SI units; 1 for counts, ratios and words.
double scale_of(const std::string& unit) {
  if (unit == "%") return 0.01;
  if (unit.empty() || unit == "x") return 1;
  if (unit == "KB") return 1000;  // as papers write kB
  if (unit.rfind("million ", 0) == 0) return 1e6;
  try {
    return parse_unit(unit).scale;
  } catch (const InputError&) {
    return 1;
  }
}

/// Half a unit in the last printed digit: 6.94 -> 0.005, 17.6e12 -> 0.05e12.
double half_digit(const std::string& printed) {
  const std::size_t exponent = std::min(printed.find_first_of("eE"), printed.size());
  const std::size_t point = std::min(printed.find('.'), exponent);
  const std::size_t decimals = point == exponent ? 0 : exponent - point - 1;
  const double scale = exponent == printed.size() ? 0 : std::strtod(printed.c_str() + exponent + 1, nullptr);
  return 0.5 * std::pow(10.0, scale - static_cast<double>(decimals)) * (1 + 1e-9);
}

/// Whether a value lies inside a published range or on the right side of a published bound.
bool is_inside(PublishedKind kind, double value, double low, double high) {
  switch (kind) {
    case PublishedKind::range:
      return value >= low && value <= high;
    case PublishedKind::upper_bound:
      return value <= low;
    case PublishedKind::lower_bound:
      return value >= low;
    case PublishedKind::value:
    case PublishedKind::order:
      break;
  }
  return false;
}

}  // namespace

std::string_view name_of(Verdict verdict) { return word_of(verdict_words, verdict); }

void Finding::remark(const std::string& text) { note += (note.empty() ? "" : "; ") + text; }

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

double rounding_of(const std::string& printed) {
  return std::min(half_digit(printed), within_tolerance * std::abs(number_in(printed).value_or(0)));
}

double in_published_unit(double value, const std::string& unit) {
  if (unit == "% speedup" || unit == "% slowdown") return 100 * (value - 1);
  if (unit == "% reduction") return 100 * (1 - value);
  return value / scale_of(unit);
}

std::optional<double> improvement_ratio(double value, const std::string& unit) {
  if (unit == "% speedup" || unit == "% slowdown") return 1 + value / 100;
  if (unit == "% reduction") return 1 - value / 100;
  return std::nullopt;
}

void judge_number(double reproduced, Finding& finding) {
  const PublishedValue& published = finding.published;
  const double low = *number_in(published.value);
  const double high = number_in(published.value_hi).value_or(low);
  const double nearest = reproduced > high ? high : low;
  finding.deviation = (reproduced - nearest) / nearest;
  if (const std::optional<double> ratio = improvement_ratio(nearest, published.unit); ratio && *ratio > 0)
    finding.ratio_deviation = *improvement_ratio(reproduced, published.unit) / *ratio - 1;
  const bool near = std::abs(*finding.deviation) <= within_tolerance;
  if (published.kind == PublishedKind::value || published.kind == PublishedKind::order) {
    // A printed 1 is not equal to 0.6, though that rounds to it.
    const bool exact = std::abs(reproduced - low) <= half_digit(published.value) && (near || low == 0);
    // Nothing is a share of 0.
    if (low == 0) finding.deviation.reset();
    finding.verdict = exact ? Verdict::exact : near && low != 0 ? Verdict::within : Verdict::off;
    return;
  }
  const bool inside = is_inside(published.kind, reproduced, low, high);
  if (inside) {
    finding.deviation = 0;
    if (finding.ratio_deviation) finding.ratio_deviation = 0;
  }
  finding.verdict = inside || near ? Verdict::within : Verdict::off;
}

void judge_ends(double low, double high, Finding& finding) {
  const auto judge_end = [&](double reproduced, const std::string& printed) {
    Finding end;
    end.published = finding.published;
    end.published.kind = PublishedKind::value;
    end.published.value = printed;
    end.published.value_hi.clear();
    judge_number(reproduced, end);
    return end;
  };
  const Finding first = judge_end(low, finding.published.value);
  const Finding last = judge_end(high, finding.published.value_hi);
  const Finding& further = std::abs(first.deviation.value_or(0)) > std::abs(last.deviation.value_or(0)) ? first : last;
  finding.deviation = further.deviation;
  finding.ratio_deviation = further.ratio_deviation;
  finding.verdict = std::max(first.verdict, last.verdict);
}

Verdict judge_share(double share) {
  if (share == 1) return Verdict::exact;
  return share >= mostly ? Verdict::within : Verdict::off;
}

}  // namespace pimsweep::results
