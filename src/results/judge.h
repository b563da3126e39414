#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "results/published.h"

namespace pimsweep::results {

/// How near a reproduced number is to the published one (docs/results-format.md, "Report").
enum class Verdict : std::uint8_t {
  exact,         ///< equal at the published precision, or the claim holds in every comparison
  within,        ///< inside the published range or bound, or at most 10 % away
  off,           ///< further away
  calibrated,    ///< the model was fitted to it, so it validates nothing
  inconsistent,  ///< the paper contradicts itself or its own hardware here
  open           ///< not recomputed (yet)
};
std::string_view name_of(Verdict verdict);

/// One line of the report.
struct Finding {
  PublishedValue published;
  /// In the published unit; empty when open.
  std::string reproduced;
  /// (reproduced - published) / published; empty where that has no meaning.
  std::optional<double> deviation;
  Verdict verdict = Verdict::open;
  std::string role;
  std::string note;

  /// Adds a remark behind the note.
  void remark(const std::string& text);
};

/// The number that a text is, if it is one.
std::optional<double> number_in(const std::string& text);

/// A value in the unit in which the paper prints it. "82 % speedup" is a ratio of 1.82, "26 % reduction" one of 0.74.
double in_published_unit(double value, const std::string& unit);

/// Sets the deviation and the verdict of a finding on a published number.
void judge_number(double reproduced, Finding& finding);

/// The verdict on a claim that holds in this share of all comparisons.
Verdict judge_share(double share);

}  // namespace pimsweep::results
