#include "systems/allspark/scheduler_instances.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace pimsweep::systems::allspark {
namespace {

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// {1, 2, .., ceil(x / 2), x} by repeated halving (Sec. VI-A).
std::set<std::int64_t> halvings(std::int64_t x) {
  std::set<std::int64_t> values{x};
  while (x > 1) {
    x = ceil_div(x, 2);
    values.insert(x);
  }
  return values;
}

/// StructLayout of Algorithm 1 on an a x b array.
std::int64_t struct_layout(std::int64_t a, std::int64_t b, std::int64_t u, std::int64_t v) {
  const std::int64_t rows = a / u;
  const std::int64_t columns = b / v;
  if (rows * columns == 0) return 0;
  if (u > v) return rows * columns + ((a - rows * u) / v) * (b / u);
  return rows * columns + ((b - columns * v) / u) * (a / v);
}

/// Cycles of an M x K by K x N product on an 8 x 8 array with 16 bytes of memory a cycle.
std::int64_t product_cycles(std::int64_t m, std::int64_t k, std::int64_t n) {
  return std::max(m * ceil_div(k, 8) * ceil_div(n, 8), ceil_div(m * k + k * n + m * n, 16));
}

scheduler::Scheme plausible_scheme(const StageShape& shape, std::int64_t heads, std::int64_t chunks, bool merges) {
  const std::int64_t p = ceil_div(shape.patches, chunks);
  const std::int64_t b = ceil_div(shape.heads, heads);
  const std::int64_t d = std::max<std::int64_t>(1, shape.channels / shape.heads);
  const std::int64_t q = b * d;
  const std::int64_t c = shape.channels;
  const std::int64_t n = shape.patches;
  const std::int64_t products = 4 * product_cycles(p, c, q) + b * (product_cycles(p, d, n) + product_cycles(p, n, d)) +
                                product_cycles(p, c, 4 * q) + product_cycles(p, 4 * c, q);
  const std::int64_t nonlinear = (3 * b * p * n + 10 * p * q) / 8;
  const std::int64_t moved = (2 * (chunks - 1) * p * q + 7 * (heads - 1) * p * q + 4 * (heads - 1) * p) / 8;
  const std::int64_t shared = chunks > 1 ? (chunks - 1) * 12 * c * q / chunks / 8 : 0;
  scheduler::Scheme scheme;
  scheme.head_split = heads;
  scheme.patch_split = chunks;
  scheme.cycles = (products + nonlinear + moved + shared) * shape.blocks;
  if (merges) scheme.cycles += product_cycles(p, 2 * c, q) + (heads - 1) * p * q / 4;
  scheme.weight_bytes = 12 * c * c * shape.blocks / (heads * chunks);
  scheme.workspace_bytes = std::max((chunks > 1 ? 4 * c * q : 0) + 7 * p * q, 5 * p * q + p * n + p * d);
  return scheme;
}

std::vector<StageShape> windowed(std::int64_t px, std::int64_t channels, const std::array<std::int64_t, 4>& blocks,
                                 const std::array<std::int64_t, 4>& heads) {
  std::vector<StageShape> stages;
  for (std::size_t s = 0; s < 4; ++s) {
    const std::int64_t side = ceil_div(ceil_div(px, std::int64_t{4} << s), 7);
    stages.push_back({channels << s, heads[s], blocks[s], 49, side * side});
  }
  return stages;
}

std::vector<StageShape> striped(std::int64_t px, std::int64_t channels, const std::array<std::int64_t, 4>& blocks,
                                const std::array<std::int64_t, 4>& heads) {
  constexpr std::array<std::int64_t, 4> stripe{1, 2, 7, 7};
  std::vector<StageShape> stages;
  for (std::size_t s = 0; s < 4; ++s) {
    const std::int64_t side = ceil_div(px, std::int64_t{4} << s);
    const std::int64_t width = std::min(stripe[s], side);
    stages.push_back(
        {channels << s, std::max<std::int64_t>(1, heads[s] / 2), blocks[s], width * side, 2 * ceil_div(side, width)});
  }
  return stages;
}

std::vector<StageShape> pyramid(std::int64_t px, const std::array<std::int64_t, 4>& blocks) {
  constexpr std::array<std::int64_t, 4> stage_channels{64, 128, 320, 512};
  constexpr std::array<std::int64_t, 4> stage_heads{1, 2, 5, 8};
  std::vector<StageShape> stages;
  for (std::size_t s = 0; s < 4; ++s) {
    const std::int64_t side = ceil_div(px, std::int64_t{4} << s);
    stages.push_back({stage_channels[s], stage_heads[s], blocks[s], side * side, 1});
  }
  return stages;
}

std::vector<StageShape> plain(std::int64_t px, std::int64_t channels, std::int64_t blocks, std::int64_t heads) {
  const std::int64_t side = px / 16;
  return {{channels, heads, blocks, side * side + 1, 1}};
}

}  // namespace

scheduler::ScheduleProblem plausible_problem(const std::vector<StageShape>& stages, std::int64_t nodes_per_side,
                                             std::int64_t memory_bytes) {
  scheduler::ScheduleProblem problem;
  problem.memory_bytes = memory_bytes;
  for (std::size_t s = 0; s < stages.size(); ++s) {
    scheduler::StageProblem stage;
    stage.branches = stages[s].branches;
    for (const std::int64_t heads : halvings(stages[s].heads)) {
      for (const std::int64_t chunks : halvings(ceil_div(stages[s].patches, 8))) {
        scheduler::Scheme scheme = plausible_scheme(stages[s], heads, chunks, s > 0);
        scheme.capacity = std::max(struct_layout(nodes_per_side, nodes_per_side, heads, chunks),
                                   struct_layout(nodes_per_side, nodes_per_side, chunks, heads));
        stage.schemes.push_back(scheme);
      }
    }
    problem.stages.push_back(stage);
  }
  return problem;
}

std::vector<NamedShape> model_shapes(std::int64_t px) {
  return {
      {"ViT-T", 16, plain(px, 192, 12, 3)},
      {"ViT-S", 16, plain(px, 384, 12, 6)},
      {"ViT-B", 16, plain(px, 768, 12, 12)},
      {"ViT-L", 16, plain(px, 1024, 24, 16)},
      {"ViT-H", 16, plain(px, 1280, 32, 16)},
      {"PVT-T", 8, pyramid(px, {2, 2, 2, 2})},
      {"PVT-S", 8, pyramid(px, {3, 4, 6, 3})},
      {"PVT-M", 8, pyramid(px, {3, 4, 18, 3})},
      {"PVT-L", 8, pyramid(px, {3, 8, 27, 3})},
      {"Swin-T", 16, windowed(px, 96, {2, 2, 6, 2}, {3, 6, 12, 24})},
      {"Swin-S", 16, windowed(px, 96, {2, 2, 18, 2}, {3, 6, 12, 24})},
      {"Swin-B", 16, windowed(px, 128, {2, 2, 18, 2}, {4, 8, 16, 32})},
      {"Swin-L", 16, windowed(px, 192, {2, 2, 18, 2}, {6, 12, 24, 48})},
      {"Focal-B", 16, windowed(px, 128, {2, 2, 18, 2}, {4, 8, 16, 32})},
      {"Twins-S", 16, windowed(px, 64, {2, 2, 10, 4}, {2, 4, 8, 16})},
      {"Twins-B", 16, windowed(px, 96, {2, 2, 18, 2}, {3, 6, 12, 24})},
      {"Twins-L", 16, windowed(px, 128, {2, 2, 18, 2}, {4, 8, 16, 32})},
      {"CSWin-T", 16, striped(px, 64, {1, 2, 21, 1}, {2, 4, 8, 16})},
      {"CSWin-S", 16, striped(px, 64, {2, 4, 32, 2}, {2, 4, 8, 16})},
      {"CSWin-B", 16, striped(px, 96, {2, 4, 32, 2}, {4, 8, 16, 32})},
      {"CSWin-L", 16, striped(px, 144, {2, 4, 32, 2}, {6, 12, 24, 24})},
  };
}

std::vector<std::int64_t> memories_worth_trying(const NamedShape& model) {
  const std::int64_t smallest = min_memory(plausible_problem(model.stages, model.nodes_per_side, 0));
  return {smallest, smallest + smallest / 20, 2 * smallest, 5 * smallest};
}

scheduler::ScheduleProblem tiny_problem(std::mt19937_64& random) {
  const auto between = [&random](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  scheduler::ScheduleProblem problem;
  const std::int64_t stages = between(1, 3);
  problem.memory_bytes = between(0, 8 * stages + 4);
  for (std::int64_t s = 0; s < stages; ++s) {
    scheduler::StageProblem stage;
    stage.branches = between(0, stages == 3 ? 3 : 7);
    const std::int64_t schemes = between(1, stages == 1 ? 4 : 3);
    const bool with_single = between(0, 2) > 0;
    const std::int64_t single = between(0, schemes - 1);
    for (std::int64_t i = 0; i < schemes; ++i) {
      const bool is_single = with_single && i == single;
      stage.schemes.push_back({.head_split = is_single ? 1 : 2,
                               .patch_split = is_single ? 1 : between(1, 3),
                               .capacity = between(0, 4),
                               .cycles = between(0, 6),
                               .weight_bytes = between(0, 7),
                               .workspace_bytes = between(0, 5)});
    }
    problem.stages.push_back(stage);
  }
  return problem;
}

scheduler::ScheduleProblem random_problem(std::mt19937_64& random) {
  const auto between = [&random](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  scheduler::ScheduleProblem problem;
  const std::int64_t stages = between(1, 4);
  for (std::int64_t s = 0; s < stages; ++s) {
    scheduler::StageProblem stage;
    stage.branches = between(1, 300);
    const std::int64_t weight = between(1000, 100000);
    const std::int64_t cycles = between(1000, 100000);
    const std::int64_t schemes = between(2, 12);
    for (std::int64_t i = 0; i < schemes; ++i) {
      const std::int64_t nodes = i == 0 ? 1 : between(2, 64);
      stage.schemes.push_back({.head_split = nodes,
                               .patch_split = 1,
                               .capacity = 256 / nodes,
                               .cycles = cycles / nodes * between(100, 180) / 100 + 1,
                               .weight_bytes = weight / nodes,
                               .workspace_bytes = between(100, 20000) / nodes});
    }
    problem.stages.push_back(stage);
  }
  problem.memory_bytes = min_memory(problem) * between(80, 400) / 100;
  return problem;
}

std::int64_t min_memory(scheduler::ScheduleProblem problem) {
  std::int64_t low = 0;
  std::int64_t high = std::int64_t{1} << 50;
  while (low < high) {
    problem.memory_bytes = low + (high - low) / 2;
    if (scheduler::infeasibility(problem).empty()) {
      high = problem.memory_bytes;
    } else {
      low = problem.memory_bytes + 1;
    }
  }
  return low;
}

}  // namespace pimsweep::systems::allspark
