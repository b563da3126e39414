#pragma once

#include <array>
#include <cstdint>

#include "base/checked.h"
#include "base/words.h"
#include "hardware/attention_pim/device.h"

namespace pimsweep::hardware::attention_pim {

/// Decode attention of one stack: each head multiplies a query of `head_size` with the keys of `context` tokens, and
/// the scores with the values. Every head has keys and values of its own.
struct AttentionShape {
  /// Sequences times heads, all on this stack.
  std::int64_t heads = 0;
  std::int64_t context = 0;
  std::int64_t head_size = 0;
  double value_bytes = 2;
};

/// Commands that a stack gets for an attention.
enum class Commands : std::uint8_t {
  /// What the heads need.
  needed,
  /// The AttAcc artifact's trace generators (commit c600051): one MAC too many at the beginning; moves that do not
  /// divide evenly among barriers are lost; the second head of a pair has the context commands of the first.
  generated,
  /// Its generators before that commit, which the published table of clocks was made with: the last of an odd number of
  /// rounds repeats its softmax and its moves of scores after each barrier.
  tabulated,
};
inline constexpr Words<Commands, 3> commands_words{
    {{"needed", Commands::needed}, {"generated", Commands::generated}, {"tabulated", Commands::tabulated}}};

/// Commands of all channels of a stack.
struct Counts {
  Count mac = 0;
  Count softmax = 0;
  /// MVGB, scores to the multipliers' buffers.
  Count scores_moved = 0;
  /// MVSB, results to the softmax unit's buffer.
  Count results_moved = 0;
  /// WRGB, queries written from outside of the stack.
  Count queries_written = 0;

  Count moves() const { return scores_moved + results_moved + queries_written; }
  friend bool operator==(const Counts&, const Counts&) = default;
};

/// How a head's matrices lie in a channel, and the commands that one head takes (AttAcc artifact,
/// trace_gen/gen_trace_attacc_{bank,bg,buffer}.py).
struct HeadCommands {
  /// MACs of a column of keys: tokens are spread over the units that do not share a head's elements.
  std::int64_t rows = 0;
  /// MACs of a row of keys: elements of a head are spread over the banks of a group (bank level), and lanes.
  std::int64_t chunks = 0;
  /// Barriers of a score's product.
  std::int64_t groups = 0;
  /// WRGB and MVGB of a head; MVSB after each group of a score, and after each chunk of a context.
  std::int64_t queries = 0;
  std::int64_t scores = 0;
  std::int64_t results_of_group = 0;
  std::int64_t results_of_chunk = 0;

  HeadCommands(const Device& device, Placement placement, const AttentionShape& shape);
  /// MACs of a score, which are as many as those of a context.
  std::int64_t macs() const { return Count{rows} * chunks; }
};

/// Rounds of heads: each channel works on one head of a round.
std::int64_t rounds(const Device& device, const AttentionShape& shape);

/// Commands of an attention. Requires a head, a token and an element.
Counts count_commands(const Device& device, Placement placement, const AttentionShape& shape, Commands commands);

}  // namespace pimsweep::hardware::attention_pim
