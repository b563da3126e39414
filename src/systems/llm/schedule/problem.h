#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "systems/llm/schedule/resources.h"

namespace pimsweep::systems::llm::schedule {

/// A part of a way: the resources that it occupies, and how long.
struct Phase {
  Resources uses = 0;
  /// Seconds for 0, 1, ..., `rows` rows; infinite where the resources cannot.
  std::vector<double> seconds;
};

/// One way to run the operators `first` to `last` - 1 of a block: on one side, split, or several of them in a pipeline.
/// Its phases follow one another; other sub-batches may come between two phases, but never into one.
struct Way {
  std::size_t first = 0;
  std::size_t last = 0;
  /// Side of its input, and side of its output.
  Side needs = Side::gpu;
  Side leaves = Side::gpu;
  std::vector<Phase> phases;

  double seconds(std::size_t rows) const;
};

/// A step of a language model without any hardware: a chain of operators, the block, repeated `blocks` times, on a
/// batch of `rows` rows (sequences or tokens). Data are on the GPU before the first block and after the last.
struct StepProblem {
  std::size_t operators = 0;
  std::size_t blocks = 1;
  std::size_t rows = 1;
  std::vector<Way> ways = {};
  /// moves[i][side]: seconds on the link, by rows, that bring the input of operator i to `side` from the other one.
  /// Entries of operator 0 also apply to the output of the last operator. Empty: moves take no time.
  std::vector<std::array<std::vector<double>, 2>> moves = {};
  Conflicts conflicts = {};
  /// Bounds of two sub-batches count what both take of something that time does not free, such as memory, beyond what a
  /// block has of it: by way and rows, in seconds at some price (relaxation.h). Empty: nothing is short.
  std::vector<std::vector<double>> room_prices = {};
  double room_worth = 0;

  double move_seconds(std::size_t before, Side to, std::size_t rows_moved) const;
};

/// Throws PointError if a way lies outside the block or is empty, if a table lacks rows, or if a time is negative or
/// not a number.
void validate(const StepProblem& problem);

/// The ways of one block, in order, that a sub-batch repeats in all blocks.
using Assignment = std::vector<std::size_t>;

/// The intervals of `rows` rows in all blocks, moves between the sides included; those that take no time are left out.
Job make_job(const StepProblem& problem, const Assignment& assignment, std::size_t rows);

/// Seconds of a job that never waits.
double length(std::span<const Interval> job);

}  // namespace pimsweep::systems::llm::schedule
