#include "hardware/attention_pim/commands.h"

#include <fmt/format.h>

#include "base/error.h"
#include "hardware/integer_math.h"

namespace pimsweep::hardware::attention_pim {

namespace {

/// The part of `all` commands that is left if each of `steps` barriers gets its whole share, rounded down.
std::int64_t dealt_evenly(std::int64_t all, std::int64_t steps) { return all / steps * steps; }

/// Commands of the generators for two rounds of heads, the first on all channels and the second on `second` channels.
Counts generated_pair(const HeadCommands& head, std::int64_t channels, std::int64_t second) {
  const std::int64_t both = channels + second;
  const std::int64_t half_groups = ceil_div(head.groups, 2);
  const std::int64_t half_chunks = ceil_div(head.chunks, 2);
  Counts counts;
  counts.mac = Count{head.macs()} * (both + 2 * channels);
  counts.softmax = both;
  counts.scores_moved = Count{dealt_evenly(Count{head.scores} * channels, half_groups)} +
                        dealt_evenly(Count{head.scores} * second, half_chunks);
  counts.results_moved =
      Count{head.results_of_group} * head.groups * both + Count{head.results_of_chunk} * head.chunks * (2 * channels);
  counts.queries_written = Count{head.queries} * channels + dealt_evenly(Count{head.queries} * second, head.groups);
  return counts;
}

/// Commands that `heads` heads need.
Counts needed_counts(const HeadCommands& head, std::int64_t heads) {
  Counts counts;
  counts.mac = Count{head.macs()} * 2 * heads;
  counts.softmax = heads;
  counts.scores_moved = Count{head.scores} * heads;
  counts.results_moved =
      (Count{head.results_of_group} * head.groups + Count{head.results_of_chunk} * head.chunks) * heads;
  counts.queries_written = Count{head.queries} * heads;
  return counts;
}

void add_times(Counts& sum, const Counts& counts, std::int64_t times) {
  sum.mac += counts.mac * times;
  sum.softmax += counts.softmax * times;
  sum.scores_moved += counts.scores_moved * times;
  sum.results_moved += counts.results_moved * times;
  sum.queries_written += counts.queries_written * times;
}

}  // namespace

HeadCommands::HeadCommands(const Device& device, Placement placement, const AttentionShape& shape) {
  const auto lanes = static_cast<std::int64_t>(static_cast<double>(device.column_bytes) / shape.value_bytes);
  if (lanes == 0) {
    throw PointError(
        fmt::format("a column of {} bytes cannot hold a value of {} bytes", device.column_bytes, shape.value_bytes));
  }
  const bool at_buffer = placement == Placement::buffer;
  const bool at_bank = placement == Placement::bank;
  const std::int64_t groups_of_rank = at_buffer ? 1 : device.ranks * device.bank_groups;
  const std::int64_t token_units = device.pseudo_channels * groups_of_rank;
  const std::int64_t element_units = at_bank ? device.banks : 1;
  rows = ceil_div(shape.context, token_units);
  chunks = ceil_div(shape.head_size, element_units * lanes);
  groups = ceil_div(rows, device.barrier_rows);
  queries = element_units * chunks;
  scores = groups_of_rank * ceil_div(shape.context, token_units * lanes);
  results_of_group = groups_of_rank;
  results_of_chunk = at_buffer ? 1 : device.ranks * element_units;
}

std::int64_t rounds(const Device& device, const AttentionShape& shape) {
  return ceil_div(shape.heads, device.channels);
}

Counts count_commands(const Device& device, Placement placement, const AttentionShape& shape, Commands commands) {
  const HeadCommands head(device, placement, shape);
  if (commands == Commands::needed) return needed_counts(head, shape.heads);

  const std::int64_t all_rounds = rounds(device, shape);
  const std::int64_t in_last_round = shape.heads - (all_rounds - 1) * device.channels;
  const bool odd = all_rounds % 2 != 0;
  const std::int64_t pairs = all_rounds / 2;
  Counts counts;
  if (pairs > 0) {
    add_times(counts, generated_pair(head, device.channels, device.channels), odd ? pairs : pairs - 1);
    counts.mac += device.channels;
  }
  if (!odd) {
    add_times(counts, generated_pair(head, device.channels, in_last_round), 1);
    return counts;
  }
  add_times(counts, needed_counts(head, in_last_round), 1);
  if (commands == Commands::tabulated) {
    counts.softmax += Count{in_last_round} * head.groups;
    counts.scores_moved += Count{head.scores} * in_last_round * head.groups;
  }
  return counts;
}

}  // namespace pimsweep::hardware::attention_pim
