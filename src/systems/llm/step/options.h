#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "systems/llm/schedule/problem.h"
#include "systems/llm/step/batch.h"

namespace pimsweep::systems::llm::step {

/// Sides that operators may be on, as far as memory decides it.
struct AllowedSides {
  bool attention_on_gpu = true;
  bool attention_on_pim = true;
  bool gemms_on_pim = true;
  /// GEMMs of non-block layers.
  bool outside_on_pim = true;
};

/// One way to run some operators of a block (schedule::Way) for one batch, and what it means for their choices.
struct Option {
  struct Phase {
    schedule::Resources uses = 0;
    double seconds = 0;
  };
  std::size_t first = 0;
  std::size_t last = 0;
  schedule::Side needs = schedule::Side::gpu;
  schedule::Side leaves = schedule::Side::gpu;
  std::array<Phase, 3> phases;
  std::size_t phase_count = 0;
  /// The only operator of the way that may be on PIM.
  std::size_t shared_op = 0;
  double pim_share = 0;
  std::optional<ExpertParts> parts = {};
  Pipelining pipelining = Pipelining::none;
  /// Lower bound of all divisions of the experts, relative to the one that was found.
  double bound_ratio = 1;
};

/// The ways of a block and the moves between its operators (schedule::StepProblem::moves) for one batch. Operators are
/// counted from the first one of the block. Batches of one model have the same ways in the same order.
struct BlockOptions {
  std::vector<Option> ways;
  std::vector<std::array<double, 2>> moves;
  /// The first operator of a block among those of the step, and their number.
  std::size_t begin = 0;
  std::size_t count = 0;

  double bound_ratio() const;
};

/// Fills the options from the costs of a batch. Operators of blocks that are not alike count as their mean.
void make_options(const StepContext& context, const AllowedSides& allowed, Batch& batch, BlockOptions& options);

/// Sets the choices of a batch to ways of its block, and those outside of blocks to their best. Returns the pipelining
/// that the ways need.
Pipelining apply_ways(const StepContext& context, const AllowedSides& allowed, const BlockOptions& options,
                      std::span<const std::size_t> ways, Batch& batch);

/// The abstract problem of batches of 1, 2, ... rows, whose options are given in this order.
schedule::StepProblem make_problem(std::span<const BlockOptions> rows, std::size_t blocks);

}  // namespace pimsweep::systems::llm::step
