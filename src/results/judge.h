#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "results/published.h"

namespace pimsweep::results {

/// How near a reproduced number is to the published one (docs/results-format.md, "Report").
enum class Verdict : std::uint8_t {
  exact,         ///< equal at the published precision and not 10 % away, or the claim holds in every comparison
  within,        ///< inside the published range or bound, or at most 10 % away
  off,           ///< further away
  inconsistent,  ///< the paper contradicts itself or its own hardware here
  open           ///< not recomputed (yet)
};
std::string_view name_of(Verdict verdict);

/// The largest deviation of a value that is `within`.
inline constexpr double within_tolerance = 0.10;

/// One line of the report.
struct Finding {
  PublishedValue published;
  /// In the published unit; empty when open.
  std::string reproduced;
  /// The number behind it, or the share of comparisons in which a claim holds; nothing for texts and ranges.
  std::optional<double> number;
  /// (reproduced - published) / published; empty where that has no meaning.
  std::optional<double> deviation;
  /// The same of the ratios that published improvements stand for (14 % speedup: 1.14); empty for other units.
  std::optional<double> ratio_deviation;
  Verdict verdict = Verdict::open;
  /// What agreement says; empty when there is nothing to recompute.
  std::string role;
  /// The name of the reading, for that role.
  std::string reading;
  std::string note;

  /// Adds a remark behind the note.
  void remark(const std::string& text);
};

/// The number that a text is, if it is one.
std::optional<double> number_in(const std::string& text);
/// How far the number that was printed may lie from the one that was rounded to it: half a unit of its last digit, but
/// not more than counts as near.
double rounding_of(const std::string& printed);

/// A value in the unit in which the paper prints it. "82 % speedup" is a ratio of 1.82, "26 % reduction" one of 0.74.
double in_published_unit(double value, const std::string& unit);

/// The ratio that an improvement in a published unit stands for; nothing for other units.
std::optional<double> improvement_ratio(double value, const std::string& unit);

/// Sets the deviation and the verdict of a finding on a published number.
void judge_number(double reproduced, Finding& finding);

/// The same for both ends of a published range; the deviation is that of the end that is further off.
void judge_ends(double low, double high, Finding& finding);

/// The verdict on a claim that holds in this share of all comparisons.
Verdict judge_share(double share);

}  // namespace pimsweep::results
