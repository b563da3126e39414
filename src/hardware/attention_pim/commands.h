#pragma once

#include <array>
#include <cstdint>

#include "base/checked.h"
#include "base/words.h"
#include "hardware/attention_pim/device.h"

namespace pimsweep::hardware::attention_pim {

/// Decode attention of one stack: each head multiplies a query of `head_size` elements by the keys of `context` tokens,
/// and the scores by the values. Each head has its own keys and values.
struct AttentionShape {
  /// Sequences x heads on this stack.
  std::int64_t heads = 0;
  std::int64_t context = 0;
  std::int64_t head_size = 0;
  double value_bytes = 2;
};

/// Set of commands that a stack receives for an attention.
enum class Commands : std::uint8_t {
  /// The commands that the heads need.
  needed,
  /// Commands of the AttAcc artifact's trace generators (commit c600051): one MAC too many at the beginning; transfers
  /// that do not divide evenly among barriers are lost; the second head of a pair has the context commands of the
  /// first.
  generated,
  /// Commands of the artifact's generators before that commit, which produced the published table of clocks: the last
  /// of an odd number of rounds repeats its softmax and its transfers of scores after each barrier.
  tabulated,
};
inline constexpr Words<Commands, 3> commands_words{
    {{"needed", Commands::needed}, {"generated", Commands::generated}, {"tabulated", Commands::tabulated}}};

/// Commands of all channels of a stack.
struct Counts {
  Count mac = 0;
  Count softmax = 0;
  /// MVGB: scores to the buffers of the multipliers.
  Count scores_moved = 0;
  /// MVSB: results to the buffer of the softmax unit.
  Count results_moved = 0;
  /// WRGB: queries written from outside the stack.
  Count queries_written = 0;

  Count moves() const { return scores_moved + results_moved + queries_written; }
  friend bool operator==(const Counts&, const Counts&) = default;
};

/// Layout of a head's matrices in a channel, and the commands of one head (AttAcc artifact,
/// trace_gen/gen_trace_attacc_{bank,bg,buffer}.py).
struct HeadCommands {
  /// MACs per column of keys: tokens are distributed over units that do not share the elements of a head.
  std::int64_t rows = 0;
  /// MACs per row of keys: the elements of a head are distributed over the banks of a group (bank level) and over
  /// lanes.
  std::int64_t chunks = 0;
  /// Barriers of a score GEMV.
  std::int64_t groups = 0;
  /// WRGB and MVGB of a head; MVSB after each group of a score and after each chunk of a context.
  std::int64_t queries = 0;
  std::int64_t scores = 0;
  std::int64_t results_of_group = 0;
  std::int64_t results_of_chunk = 0;

  HeadCommands(const Device& device, Placement placement, const AttentionShape& shape);
  /// MACs of a score GEMV, equal to those of a context GEMV.
  std::int64_t macs() const { return Count{rows} * chunks; }
};

/// Rounds of heads: each channel works on one head per round.
std::int64_t rounds(const Device& device, const AttentionShape& shape);

/// Commands of an attention. Requires at least one head, token and element.
Counts count_commands(const Device& device, Placement placement, const AttentionShape& shape, Commands commands);

}  // namespace pimsweep::hardware::attention_pim
