#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "hardware/dram/timing.h"

namespace pimsweep::hardware::dram {

enum class Command : std::uint8_t { act, pre, preab, rd, wr, ref, refpb };
inline constexpr std::array command_words{
    Word{"ACT", Command::act}, Word{"PRE", Command::pre},   Word{"PREab", Command::preab}, Word{"RD", Command::rd},
    Word{"WR", Command::wr},   Word{"REFab", Command::ref}, Word{"REFpb", Command::refpb}};
inline constexpr std::size_t commands = command_words.size();
constexpr std::size_t index(Command command) { return static_cast<std::size_t>(command); }

/// Part of a channel within which two commands keep their distance, a domain being a rank or a pseudo-channel; or
/// different parts between which they do: ranks, and stacks of a domain.
enum class Level : std::uint8_t { domain, group, bank, ranks, stacks };
inline constexpr std::size_t levels = 5;
inline constexpr std::array<Word<Level>, levels> level_words{{{"domain", Level::domain},
                                                              {"group", Level::group},
                                                              {"bank", Level::bank},
                                                              {"ranks", Level::ranks},
                                                              {"stacks", Level::stacks}}};

/// A sum of timing parameters and integers.
class Latency {
 public:
  struct Term {
    std::int64_t factor = 0;
    /// Null for an integer.
    std::int64_t Timing::*parameter = nullptr;
  };
  explicit Latency(std::vector<Term> terms) : terms_(std::move(terms)) {}
  std::int64_t operator()(const Timing& timing) const {
    std::int64_t sum = 0;
    for (const Term& term : terms_) sum += term.factor * (term.parameter == nullptr ? 1 : timing.*term.parameter);
    return sum;
  }

 private:
  std::vector<Term> terms_;
};

/// One row of a standard: `before` may be issued `latency` after `after` in the same part of the channel.
struct Constraint {
  Level level = Level::domain;
  Command after = Command::act;
  Command before = Command::act;
  /// The latency counts from this command of its kind, counted backward: 1 is the last one.
  std::int64_t window = 1;
  Latency latency;
  std::string expression;  ///< the latency as text
};

/// The timing constraints of a standard.
struct Constraints {
  std::vector<Constraint> rows;
  std::string text;
};

/// Parses the rows of a hardware file, one a line: level | preceding commands | following commands | cycles [| window]
///
///     domain | RD     | WR       | nCL + nBL + 2 - nCWL
///     domain | ACT    | ACT      | nFAW | 4
///     bank   | RD     | PRE      | nRTP
///     ranks  | RD     | RD WR    | nBL + nRTRS
///
/// A REFpb may be issued where the rows allow the last cycle of an ACT of its bank. A row with several commands stands
/// for one with each pair; `#` starts a comment. Of several rows for a pair the
/// longest latency holds. Throws InputError with all rows that cannot be read or that Device does not implement. Keeps
/// the last result of each thread.
std::shared_ptr<const Constraints> parse_constraints(std::string_view text);

}  // namespace pimsweep::hardware::dram
