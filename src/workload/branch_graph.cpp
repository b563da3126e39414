#include "workload/branch_graph.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <vector>

#include "base/integer_math.h"

namespace pimsweep::workload {

namespace {

std::size_t index(std::int64_t value) { return static_cast<std::size_t>(value); }

/// Element [i][j]: tokens along a row of the map that branch i of the row holds and branch j needs.
using Overlap = std::vector<std::vector<std::int64_t>>;

Overlap shifted_overlap(std::int64_t side, const Interaction& interaction) {
  const std::int64_t windows = ceil_div(side, interaction.window);
  const std::int64_t padded = windows * interaction.window;
  Overlap overlap(index(windows), std::vector<std::int64_t>(index(windows), 0));
  for (std::int64_t token = 0; token < side; ++token) {
    const std::int64_t rolled = (token + padded - interaction.shift) % padded;
    ++overlap[index(token / interaction.window)][index(rolled / interaction.window)];
  }
  return overlap;
}

Overlap expanded_overlap(std::int64_t side, const Interaction& interaction) {
  const std::int64_t windows = ceil_div(side, interaction.window);
  Overlap overlap(index(windows), std::vector<std::int64_t>(index(windows), 0));
  for (std::int64_t from = 0; from < windows; ++from) {
    for (std::int64_t to = 0; to < windows; ++to) {
      const std::int64_t begin = std::max(from * interaction.window, to * interaction.window - interaction.expand);
      const std::int64_t end =
          std::min({(from + 1) * interaction.window, side, (to + 1) * interaction.window + interaction.expand});
      overlap[index(from)][index(to)] = std::max<std::int64_t>(end - begin, 0);
    }
  }
  return overlap;
}

/// For each branch of a row, the branches that need any of its data.
std::vector<std::vector<std::size_t>> near(const Overlap& overlap, std::int64_t reach) {
  std::vector<std::vector<std::size_t>> result(overlap.size());
  for (std::size_t from = 0; from < overlap.size(); ++from) {
    for (std::size_t to = 0; to < overlap.size(); ++to) {
      const bool reached = std::abs(static_cast<std::int64_t>(from) - static_cast<std::int64_t>(to)) <= reach;
      if (overlap[from][to] > 0 || reached) result[from].push_back(to);
    }
  }
  return result;
}

/// Windows on a square map, whose rows and columns overlap alike. Window i sends to window j `words_per_token` for each
/// token that it holds and j needs, and `pooled_words` if j is within `reach` windows.
BranchGraph window_graph(const Overlap& overlap, std::int64_t words_per_token, std::int64_t reach,
                         std::int64_t pooled_words) {
  const std::size_t side = overlap.size();
  const std::vector<std::vector<std::size_t>> needed = near(overlap, reach);
  const auto within = [&](std::size_t from, std::size_t to) {
    return std::abs(static_cast<std::int64_t>(from) - static_cast<std::int64_t>(to)) <= reach;
  };
  BranchGraph graph(side * side);
  for (std::size_t from = 0; from < side * side; ++from) {
    for (const std::size_t row : needed[from / side]) {
      for (const std::size_t col : needed[from % side]) {
        const bool pooled = within(from / side, row) && within(from % side, col);
        const std::int64_t words =
            overlap[from / side][row] * overlap[from % side][col] * words_per_token + (pooled ? pooled_words : 0);
        if (row * side + col != from && words > 0) boost::add_edge(from, row * side + col, Handover{words}, graph);
      }
    }
  }
  return graph;
}

/// Share i of n integer shares of a whole, as equal as possible.
std::int64_t share(std::int64_t whole, std::int64_t i, std::int64_t n) { return whole * (i + 1) / n - whole * i / n; }

/// Words from one branch to another in an interaction in which every branch needs data of all others.
std::int64_t words_between(const TransformerStage& stage, const EncoderBlocks& blocks, std::int64_t from,
                           std::int64_t to) {
  if (blocks.interaction.kind == InteractionKind::shared_keys) {
    return share(blocks.kv_tokens, from, blocks.branches) * 2 * stage.channels;
  }
  const std::int64_t window = blocks.interaction.window;
  const auto width = [&](std::int64_t i) { return std::min(window, stage.height - i * window); };
  return width(from) * width(to) * 3 * stage.channels / 2;
}

BranchGraph complete_graph(const TransformerStage& stage, const EncoderBlocks& blocks) {
  BranchGraph graph(index(blocks.branches));
  for (std::int64_t from = 0; from < blocks.branches; ++from) {
    for (std::int64_t to = 0; to < blocks.branches; ++to) {
      const std::int64_t words = words_between(stage, blocks, from, to);
      if (from != to && words > 0) boost::add_edge(index(from), index(to), Handover{words}, graph);
    }
  }
  return graph;
}

BranchGraph ring_graph(const TransformerStage& stage, const EncoderBlocks& blocks) {
  const std::int64_t n = blocks.branches;
  // Increments of the words that each link carries, from link to link, twice around the ring.
  std::vector<std::int64_t> change(index(2 * n), 0);
  for (std::int64_t from = 0; from < n; ++from) {
    if (blocks.interaction.kind == InteractionKind::shared_keys) {
      // Every branch needs the same words: they travel around once, except over the last link.
      const std::int64_t words = words_between(stage, blocks, from, from);
      change[index(from)] += words;
      change[index(from + n - 1)] -= words;
      continue;
    }
    for (std::int64_t distance = 1; distance < n; ++distance) {
      const std::int64_t words = words_between(stage, blocks, from, (from + distance) % n);
      change[index(from)] += words;
      change[index(from + distance)] -= words;
    }
  }
  std::vector<std::int64_t> carried(index(n), 0);
  std::int64_t level = 0;
  for (std::int64_t link = 0; link < 2 * n; ++link) {
    level += change[index(link)];
    carried[index(link % n)] += level;
  }
  BranchGraph ring(index(n));
  for (std::int64_t link = 0; link < n; ++link) {
    if (carried[index(link)] > 0) {
      boost::add_edge(index(link), index((link + 1) % n), Handover{carried[index(link)]}, ring);
    }
  }
  return ring;
}

}  // namespace

BranchGraph branch_dependencies(const TransformerStage& stage, const EncoderBlocks& blocks) {
  const Interaction& interaction = blocks.interaction;
  switch (interaction.kind) {
    case InteractionKind::shifted_windows:
      return window_graph(shifted_overlap(stage.height, interaction), stage.channels, 0, 0);
    case InteractionKind::surroundings:
      return window_graph(expanded_overlap(stage.height, interaction), 2 * stage.channels,
                          interaction.focal_windows / 2, 2 * stage.channels);
    case InteractionKind::shared_keys:
    case InteractionKind::crossed_stripes:
      return complete_graph(stage, blocks);
    case InteractionKind::none:
      break;
  }
  return BranchGraph(index(blocks.branches));
}

BranchGraph branch_transfers(const TransformerStage& stage, const EncoderBlocks& blocks) {
  const InteractionKind kind = blocks.interaction.kind;
  const bool all_to_all = kind == InteractionKind::shared_keys || kind == InteractionKind::crossed_stripes;
  return all_to_all ? ring_graph(stage, blocks) : branch_dependencies(stage, blocks);
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks): false alarm about Boost.Graph's copy of a graph

}  // namespace pimsweep::workload
