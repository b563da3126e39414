#include "systems/llm/step/optimum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "systems/llm/schedule/chain.h"
#include "systems/llm/schedule/chain_in_room.h"
#include "systems/llm/schedule/channels.h"
#include "systems/llm/schedule/two_batches.h"

namespace pimsweep::systems::llm::step {

namespace {

using workload::decoder::Kind;
using workload::decoder::Operator;
using workload::decoder::Part;
using workload::decoder::Sequences;
using workload::decoder::Step;

/// Sequences up to which all sizes of two batches are compared: the time of a point grows with their square.
constexpr double max_sizes = 512;

/// The same beside a prompt, where each size is a problem of its own.
constexpr double max_mixed_sizes = 64;

/// Prices of room for two batches by that for one, the likeliest first.
constexpr std::array price_factors{1.0, 0.7, 1.4, 0.5, 2.0};

/// Parts of equal sequences, beside halves, where not all sizes are compared.
constexpr std::array size_shares{0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875};

/// In context of the prompts' attention.
constexpr Operator no_prompts{
    .name = "prompt_attention", .kind = Kind::prompt_attention, .part = Part::attention, .times = 0};

Kind kind_of(const Choice& choice) { return choice.op->kind; }

double count_generating(const Step& step) {
  double count = 0;
  for (const Sequences& some : step.sequences) count += some.generates() ? some.count : 0;
  return count;
}

bool has_equal_lengths(const Step& step) { return std::ranges::count_if(step.sequences, &Sequences::generates) == 1; }

/// The first `count` of sequences.
void take_first(std::span<const Sequences> from, double count, std::vector<Sequences>& taken) {
  taken.clear();
  for (const Sequences& some : from) {
    if (count <= 0) break;
    taken.push_back(some);
    taken.back().count = std::min(some.count, count);
    count -= some.count;
  }
}

/// Takes the `count` shortest sequences that generate tokens, shortest first.
void take_shortest(const Step& step, double count, std::vector<Sequences>& taken) {
  std::vector<Sequences> sorted;
  std::ranges::copy_if(step.sequences, std::back_inserter(sorted), &Sequences::generates);
  std::ranges::stable_sort(sorted, {}, &Sequences::context);
  take_first(sorted, count, taken);
}

/// Seconds of non-block layers.
double outside_seconds(std::span<const OperatorRun> runs) {
  double seconds = 0;
  for (const OperatorRun& run : runs) seconds += run.is_in_block() ? 0 : run.op->times * run.seconds;
  return seconds;
}

/// Adds a share of runs of the same operators.
void add_scaled(std::span<const OperatorRun> runs, double share, std::vector<OperatorRun>& sum) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i == sum.size()) sum.push_back({.op = runs[i].op});
    sum[i].pim_share += share * runs[i].pim_share;
    sum[i].gpu += share * runs[i].gpu;
    sum[i].pim += share * runs[i].pim;
    sum[i].link += share * runs[i].link;
    sum[i].returned += share * runs[i].returned;
    sum[i].seconds += share * runs[i].seconds;
  }
}

std::size_t whole_blocks(const StepContext& context) { return static_cast<std::size_t>(context.decoder->blocks); }

}  // namespace

void OptimumFinder::cost_part(const StepContext& context, const AllowedSides& allowed, SubBatches::Part& part,
                              BlockOptions& options) {
  cost_batch(context, part.sequences, {}, part.batch);
  // Two batches have the same operators, even if prompts are in one of them.
  std::vector<Choice>& choices = part.batch.choices;
  const auto attention = std::ranges::find(choices, Kind::attention, kind_of);
  if (attention != choices.end() && std::next(attention)->op->kind != Kind::prompt_attention && has_prompts_) {
    choices.insert(std::next(attention), {.op = &no_prompts, .gpu = {}, .pim = impossible});
  }
  make_options(context, allowed, part.batch, options);
}

/// Attention on channels as long as no assignment of sequences to them is below; false if the batch has none, or if
/// that is as long as it was.
bool OptimumFinder::relax_channels(const StepContext& context, Batch& batch) {
  const Pim& pim = context.machine->pim;
  const auto attention = std::ranges::find(batch.choices, Kind::attention, kind_of);
  if (!pim.units().holds_whole_sequences() || has_equal_lengths(batch.step) || attention == batch.choices.end())
    return false;
  pim.units().channel_loads(pim, {*attention->op, batch.step, context.bits}, loads_);
  const double min_seconds = schedule::channel_lower_bound(loads_, static_cast<std::size_t>(pim.sequence_channels()));
  const bool is_below = min_seconds < attention->pim.seconds;
  attention->pim.seconds = std::min(attention->pim.seconds, min_seconds);
  return is_below;
}

BlocksTime OptimumFinder::run_one(const StepContext& context, const AllowedSides& allowed, Batch& whole) {
  rows_.resize(1);
  make_options(context, allowed, whole, rows_[0]);
  // Blocks are alike, and begin and end on the GPU.
  const schedule::ChainSchedule chain = schedule::solve_chain(make_problem(rows_, 1), 1);
  const auto blocks = context.blocks();
  run_batch(context, apply_ways(context, allowed, rows_[0], chain.ways, whole), whole);
  BlocksTime time{.seconds = blocks * chain.seconds, .lower_bound = blocks * chain.seconds};
  if (relax_channels(context, whole)) {
    make_options(context, allowed, whole, rows_[0]);
    time.lower_bound = blocks * schedule::solve_chain(make_problem(rows_, 1), 1).seconds;
  }
  time.lower_bound *= rows_[0].bound_ratio();
  return time;
}

/// Bytes that a block takes in the memory of PIM by each way: weights, and keys and values.
std::vector<double> OptimumFinder::room_of_ways(const StepContext& context, const PimRoom& room,
                                                const Batch& whole) const {
  const auto blocks = context.blocks();
  std::vector<double> bytes;
  for (const Option& option : rows_[0].ways) {
    const Operator& op = *whole.choices[rows_[0].begin + option.shared_op].op;
    const double all = op.kind == Kind::attention ? room.caches : op.times * op.weight_bytes;
    bytes.push_back(option.pim_share * all / blocks);
  }
  return bytes;
}

StepInRoom OptimumFinder::run_one_in_room(const StepContext& context, const AllowedSides& allowed, const PimRoom& room,
                                          Batch& whole) {
  rows_.resize(1);
  make_options(context, allowed, whole, rows_[0]);
  // Non-block layers on the GPU, and each where it is best.
  std::array<AllowedSides, 2> sides{allowed, allowed};
  sides[0].outside_on_pim = false;
  std::array<schedule::Alternative, 2> outside;
  for (std::size_t a = 0; a < 2; ++a) {
    run_batch(context, apply_ways(context, sides[a], rows_[0], {}, whole), whole);
    outside[a] = {.seconds = outside_seconds(whole.runs), .room = 0};
    for (const Choice& choice : whole.choices) {
      if (choice.op->part == Part::non_block)
        outside[a].room += choice.pim_share * choice.op->times * choice.op->weight_bytes;
    }
  }
  const auto blocks = context.blocks();
  const schedule::ChainInRoom chain = schedule::solve_chain_in_room(
      make_problem(rows_, whole_blocks(context)), 1, room_of_ways(context, room, whole), outside, room.bytes);
  StepInRoom step{.seconds = chain.seconds, .lower_bound = chain.lower_bound * rows_[0].bound_ratio()};
  step.price = chain.price;
  step.min_outside =
      outside[1].room <= room.bytes ? std::min(outside[0].seconds, outside[1].seconds) : outside[0].seconds;
  if (chain.parts.empty()) return step;
  step.has_equal_blocks = chain.parts.size() == 1;
  mean_runs_.clear();
  for (const schedule::ChainInRoom::Part& part : chain.parts) {
    const double share = static_cast<double>(part.blocks) / blocks;
    run_batch(context, apply_ways(context, sides[chain.alternative], rows_[0], part.ways, whole), whole);
    add_scaled(whole.runs, share, mean_runs_);
    for (const Choice& choice : whole.choices) {
      step.pim_weights += share * choice.pim_share * choice.op->times * choice.op->weight_bytes;
    }
  }
  if (!step.has_equal_blocks) std::swap(whole.runs, mean_runs_);
  return step;
}

double OptimumFinder::two_in_room(const StepContext& context, const AllowedSides& allowed, const PimRoom& room,
                                  const StepInRoom& one, double enough, const Batch& whole) {
  const double count = count_generating(whole.step);
  has_prompts_ = !std::ranges::all_of(whole.step.sequences, &Sequences::generates);
  if (!has_equal_lengths(whole.step) || has_prompts_ || count < 2 || count > max_sizes) return 0;
  cost_sizes(context, allowed, whole);
  const auto blocks = context.blocks();
  schedule::StepProblem problem = make_problem(rows_, whole_blocks(context));
  double best = 0;
  for (const double factor : price_factors) {
    if (one.min_outside + best >= enough) break;
    problem.room_prices.assign(problem.ways.size(), std::vector<double>(problem.rows + 1, 0));
    for (std::size_t w = 0; w < problem.ways.size(); ++w) {
      for (std::size_t rows = 1; rows < problem.rows; ++rows) {
        const Option& option = rows_[rows - 1].ways[w];
        const Operator& op = *whole.choices[rows_[rows - 1].begin + option.shared_op].op;
        const double bytes = op.kind == Kind::attention ? room.caches * static_cast<double>(rows) / count
                                                        : op.times * op.weight_bytes / 2;
        problem.room_prices[w][rows] = factor * one.price * option.pim_share * bytes / blocks;
      }
    }
    problem.room_worth = factor * one.price * room.bytes / blocks;
    best = std::max(best, schedule::solve_two_batches(problem, {.cutoff = 0}).lower_bound);
  }
  return best;
}

bool OptimumFinder::run_two(const StepContext& context, const AllowedSides& allowed, Batch& whole, double cutoff,
                            SubBatches& halves, BlocksTime& time) {
  const double count = count_generating(whole.step);
  has_prompts_ = !std::ranges::all_of(whole.step.sequences, &Sequences::generates);
  if (count < 2) {
    time.lower_bound = std::numeric_limits<double>::infinity();
    return false;
  }
  if (has_equal_lengths(whole.step) && !has_prompts_ && count <= max_sizes) {
    return run_sizes(context, allowed, whole, cutoff, halves, time);
  }
  return run_halves(context, allowed, whole, cutoff, halves, time);
}

/// Costs and options of all sizes but the whole; returns what experts' divisions may lose.
double OptimumFinder::cost_sizes(const StepContext& context, const AllowedSides& allowed, const Batch& whole) {
  const auto count = static_cast<std::size_t>(count_generating(whole.step));
  rows_.resize(count);
  part_.sequences = whole.step.sequences;
  double ratio = 1;
  for (std::size_t rows = 1; rows < count; ++rows) {
    part_.sequences.front().count = static_cast<double>(rows);
    cost_part(context, allowed, part_, rows_[rows - 1]);
    ratio = std::min(ratio, rows_[rows - 1].bound_ratio());
  }
  // Nothing reads the whole.
  rows_.back() = rows_.front();
  return ratio;
}

bool OptimumFinder::run_sizes(const StepContext& context, const AllowedSides& allowed, const Batch& whole,
                              double cutoff, SubBatches& halves, BlocksTime& time) {
  const double ratio = cost_sizes(context, allowed, whole);
  const schedule::TwoBatchSchedule found =
      schedule::solve_two_batches(make_problem(rows_, whole_blocks(context)), {.cutoff = cutoff});
  time.seconds = found.seconds;
  const double proven = found.proven ? std::min(found.seconds, cutoff) : 0;
  time.lower_bound = ratio * std::max(found.lower_bound, proven);
  if (!(found.seconds < cutoff)) return false;
  for (std::size_t i = 0; i < 2; ++i) {
    SubBatches::Part& half = halves.parts[i];
    half.sequences = whole.step.sequences;
    half.sequences.front().count = static_cast<double>(found.rows[i]);
    BlockOptions& options = rows_[found.rows[i] - 1];
    cost_part(context, allowed, half, options);
    run_batch(context, apply_ways(context, allowed, options, found.assignments[i], half.batch), half.batch);
  }
  return true;
}

/// Seconds that the shorter half of all sequences takes alone.
double OptimumFinder::shorter_half(const StepContext& context, const AllowedSides& allowed, const Batch& whole) {
  take_shortest(whole.step, std::ceil(count_generating(whole.step) / 2), part_.sequences);
  rows_.resize(1);
  cost_batch(context, part_.sequences, {}, part_.batch);
  relax_channels(context, part_.batch);
  make_options(context, allowed, part_.batch, rows_[0]);
  const double seconds = schedule::solve_chain(make_problem(rows_, 1), 1).seconds;
  return context.blocks() * seconds * rows_[0].bound_ratio();
}

/// Seconds that no two batches are below if both have the shortest sequences, and these are even on channels; with
/// `as_shortest`, if all are as long as the shortest one, which is sooner said.
double OptimumFinder::shortest_sequences(const StepContext& context, const AllowedSides& allowed, const Batch& whole,
                                         bool as_shortest) {
  const Pim& pim = context.machine->pim;
  const double count = count_generating(whole.step);
  if (has_prompts_ || count > max_sizes || !pim.units().is_monotone_in_context()) return 0;
  rows_.resize(static_cast<std::size_t>(count));
  take_shortest(whole.step, count, sorted_);
  const auto channels = static_cast<double>(pim.sequence_channels());
  for (std::size_t rows = 1; rows <= rows_.size(); ++rows) {
    if (as_shortest) {
      part_.sequences.assign(1, sorted_.front());
      part_.sequences.front().count = static_cast<double>(rows);
    } else {
      take_first(sorted_, static_cast<double>(rows), part_.sequences);
    }
    cost_batch(context, part_.sequences, {}, part_.batch);
    const auto attention = std::ranges::find(part_.batch.choices, Kind::attention, kind_of);
    if (pim.units().holds_whole_sequences() && attention != part_.batch.choices.end()) {
      // All on one channel take as long as the sum.
      if (as_shortest || part_.sequences.size() > 1) {
        pim.units().channel_loads(pim, {*attention->op, part_.batch.step, context.bits}, loads_);
        attention->pim.seconds = std::accumulate(loads_.begin(), loads_.end(), 0.0);
      }
      attention->pim.seconds /= channels;
    }
    make_options(context, allowed, part_.batch, rows_[rows - 1]);
  }
  double ratio = 1;
  for (const BlockOptions& options : rows_) ratio = std::min(ratio, options.bound_ratio());
  const schedule::StepProblem problem = make_problem(rows_, whole_blocks(context));
  return ratio * schedule::solve_two_batches(problem, {.cutoff = 0}).lower_bound;
}

bool OptimumFinder::run_halves(const StepContext& context, const AllowedSides& allowed, Batch& whole, double cutoff,
                               SubBatches& halves, BlocksTime& time) {
  time.seconds = cutoff;
  SubBatches tried;
  bool is_found = false;
  double min_bound = std::numeric_limits<double>::infinity();
  // Rows 1 and 2 of the problem are the two batches, 3 both together.
  const auto attempt = [&] {
    rows_.resize(3);
    for (std::size_t i = 0; i < 2; ++i) cost_part(context, allowed, tried.parts[i], rows_[i]);
    make_options(context, allowed, whole, rows_[2]);
    const schedule::TwoBatchSchedule found =
        schedule::solve_two_batches(make_problem(rows_, whole_blocks(context)), {.cutoff = time.seconds});
    const double ratio = std::min(rows_[0].bound_ratio(), rows_[1].bound_ratio());
    const double proven = found.proven ? std::min(found.seconds, time.seconds) : 0;
    min_bound = std::min(min_bound, ratio * std::max(found.lower_bound, proven));
    if (!(found.seconds < time.seconds)) return;
    time.seconds = found.seconds;
    is_found = true;
    for (std::size_t i = 0; i < 2; ++i) {
      const std::size_t part = found.rows[i] - 1;
      SubBatches::Part& half = tried.parts[part];
      run_batch(context, apply_ways(context, allowed, rows_[part], found.assignments[i], half.batch), half.batch);
    }
    std::swap(halves, tried);
  };
  if (!has_equal_lengths(whole.step)) {
    if (divide_sequences(context, whole.step, {}, tried)) attempt();
    // The quickest first; what is not below the cutoff says enough.
    time.lower_bound = shorter_half(context, allowed, whole);
    for (const bool as_shortest : {true, false}) {
      if (time.lower_bound >= cutoff) break;
      time.lower_bound = std::max(time.lower_bound, shortest_sequences(context, allowed, whole, as_shortest));
    }
    return is_found;
  }
  const Sequences equal = *std::ranges::find_if(whole.step.sequences, &Sequences::generates);
  const auto attempt_size = [&](double first) {
    tried = {};
    for (std::size_t i = 0; i < 2; ++i) {
      tried.parts[i].sequences.push_back(equal);
      tried.parts[i].sequences.back().count = i == 0 ? first : equal.count - first;
    }
    std::ranges::remove_copy_if(whole.step.sequences, std::back_inserter(tried.parts[0].sequences),
                                &Sequences::generates);
    attempt();
  };
  if (equal.count <= max_mixed_sizes) {
    const auto count = static_cast<int>(std::ceil(equal.count));
    for (int first = 1; first < count; ++first) attempt_size(first);
    time.lower_bound = min_bound;
    return is_found;
  }
  for (const double share : size_shares)
    attempt_size(std::clamp(std::round(share * equal.count), 1.0, equal.count - 1));
  time.lower_bound = shorter_half(context, allowed, whole);
  return is_found;
}

}  // namespace pimsweep::systems::llm::step
