#include "systems/llm/optimum.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>

#include "systems/llm/channel_attention.h"
#include "systems/llm/schedule/chain.h"
#include "systems/llm/schedule/two_batches.h"

namespace pimsweep::systems::llm {

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

/// Parts of equal sequences, beside halves, where not all sizes are compared.
constexpr std::array size_shares{0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875};

/// Corners that all searches for two batches of a point may visit: a few milliseconds.
constexpr std::size_t max_corners = 10'000;
constexpr std::size_t max_assignments = 32;

/// In place of the prompts' attention.
constexpr Operator no_prompts{
    .name = "prompt_attention", .kind = Kind::prompt_attention, .part = Part::attention, .times = 0};

Kind kind_of(const Choice& choice) { return choice.op->kind; }

bool generates(const Sequences& some) { return !some.is_prompt; }

double count_generating(const Step& step) {
  double count = 0;
  for (const Sequences& some : step.sequences) count += generates(some) ? some.count : 0;
  return count;
}

bool has_equal_lengths(const Step& step) { return std::ranges::count_if(step.sequences, generates) == 1; }

/// The same sequences with the first `count` of those that generate, shortest first.
void take_shortest(const Step& step, double count, std::vector<Sequences>& taken) {
  taken.clear();
  std::ranges::copy_if(step.sequences, std::back_inserter(taken), generates);
  std::ranges::stable_sort(taken, {}, &Sequences::context);
  for (Sequences& some : taken) {
    some.count = std::min(some.count, count);
    count -= some.count;
  }
  std::erase_if(taken, [](const Sequences& some) { return some.count == 0; });
}

std::size_t whole_blocks(const BatchPlace& place) { return static_cast<std::size_t>(place.decoder->blocks); }

}  // namespace

void OptimumFinder::cost_part(const BatchPlace& place, const AllowedSides& allowed, Halves::Half& part,
                              BlockOptions& options) {
  cost_batch(place, part.sequences, {}, part.batch);
  // Two batches have the same operators, even if prompts are in one of them.
  std::vector<Choice>& choices = part.batch.choices;
  const auto attention = std::ranges::find(choices, Kind::attention, kind_of);
  if (attention != choices.end() && std::next(attention)->op->kind != Kind::prompt_attention && has_prompts_) {
    choices.insert(std::next(attention), {.op = &no_prompts, .gpu = {}, .pim = impossible});
  }
  make_options(place, allowed, part.batch, options);
}

BlocksTime OptimumFinder::run_one(const BatchPlace& place, const AllowedSides& allowed, Batch& whole) {
  rows_.resize(1);
  make_options(place, allowed, whole, rows_[0]);
  // Blocks are alike, and begin and end on the card.
  const schedule::ChainSchedule chain = schedule::solve_chain(make_problem(rows_, 1), 1);
  const auto blocks = static_cast<double>(place.decoder->blocks);
  run_batch(place, apply_ways(place, allowed, rows_[0], chain.ways, whole), whole);
  return {.seconds = blocks * chain.seconds, .lower_bound = blocks * chain.seconds * rows_[0].bound_ratio()};
}

bool OptimumFinder::run_two(const BatchPlace& place, const AllowedSides& allowed, Batch& whole, double cutoff,
                            Halves& halves, BlocksTime& time) {
  const double count = count_generating(whole.step);
  has_prompts_ = !std::ranges::all_of(whole.step.sequences, generates);
  if (count < 2) {
    time.lower_bound = std::numeric_limits<double>::infinity();
    return false;
  }
  if (has_equal_lengths(whole.step) && !has_prompts_ && count <= max_sizes) {
    return run_sizes(place, allowed, whole, cutoff, halves, time);
  }
  return run_halves(place, allowed, whole, cutoff, halves, time);
}

bool OptimumFinder::run_sizes(const BatchPlace& place, const AllowedSides& allowed, Batch& whole, double cutoff,
                              Halves& halves, BlocksTime& time) {
  const auto count = static_cast<std::size_t>(count_generating(whole.step));
  rows_.resize(count);
  part_.sequences = whole.step.sequences;
  double ratio = 1;
  for (std::size_t rows = 1; rows < count; ++rows) {
    part_.sequences.front().count = static_cast<double>(rows);
    cost_part(place, allowed, part_, rows_[rows - 1]);
    ratio = std::min(ratio, rows_[rows - 1].bound_ratio());
  }
  make_options(place, allowed, whole, rows_.back());
  const schedule::TwoBatchSchedule found =
      schedule::solve_two_batches(make_problem(rows_, whole_blocks(place)),
                                  {.cutoff = cutoff, .max_corners = max_corners, .max_assignments = max_assignments});
  time.seconds = found.seconds;
  const double proven = found.proven ? std::min(found.seconds, cutoff) : 0;
  time.lower_bound = ratio * std::max(found.lower_bound, proven);
  if (!(found.seconds < cutoff)) return false;
  for (std::size_t i = 0; i < 2; ++i) {
    Halves::Half& half = halves.parts[i];
    half.sequences = whole.step.sequences;
    half.sequences.front().count = static_cast<double>(found.rows[i]);
    BlockOptions& options = rows_[found.rows[i] - 1];
    cost_part(place, allowed, half, options);
    run_batch(place, apply_ways(place, allowed, options, found.assignments[i], half.batch), half.batch);
  }
  return true;
}

/// Seconds that the shorter half of all sequences takes alone.
double OptimumFinder::shorter_half(const BatchPlace& place, const AllowedSides& allowed, const Batch& whole) {
  take_shortest(whole.step, std::ceil(count_generating(whole.step) / 2), part_.sequences);
  rows_.resize(1);
  cost_part(place, allowed, part_, rows_[0]);
  const double seconds = schedule::solve_chain(make_problem(rows_, 1), 1).seconds;
  return static_cast<double>(place.decoder->blocks) * seconds * rows_[0].bound_ratio();
}

/// Seconds that no two batches are below if both have the shortest sequences, and these are even on channels.
double OptimumFinder::shortest_sequences(const BatchPlace& place, const AllowedSides& allowed, const Batch& whole) {
  const Pim& pim = place.settings->machine.pim;
  const double count = count_generating(whole.step);
  if (has_prompts_ || count > max_sizes || pim.kind == PimKind::attention) return 0;
  rows_.resize(static_cast<std::size_t>(count));
  std::vector<double> loads;
  for (std::size_t rows = 1; rows <= rows_.size(); ++rows) {
    take_shortest(whole.step, static_cast<double>(rows), part_.sequences);
    // Any channels: their time is replaced.
    part_.channels.assign(rows, 0);
    cost_batch(place, part_.sequences, part_.channels, part_.batch);
    const auto attention = std::ranges::find(part_.batch.choices, Kind::attention, kind_of);
    if (pim.kind == PimKind::channels && attention != part_.batch.choices.end()) {
      channel_loads(pim, part_.batch.step, place.settings->bits, loads);
      attention->pim.seconds =
          std::accumulate(loads.begin(), loads.end(), 0.0) / static_cast<double>(pim.request_channels());
    }
    make_options(place, allowed, part_.batch, rows_[rows - 1]);
  }
  double ratio = 1;
  for (const BlockOptions& options : rows_) ratio = std::min(ratio, options.bound_ratio());
  const schedule::StepProblem problem = make_problem(rows_, whole_blocks(place));
  return ratio * schedule::solve_two_batches(problem, {.cutoff = 0}).lower_bound;
}

bool OptimumFinder::run_halves(const BatchPlace& place, const AllowedSides& allowed, Batch& whole, double cutoff,
                               Halves& halves, BlocksTime& time) {
  time.seconds = cutoff;
  Halves tried;
  bool is_found = false;
  double least_bound = std::numeric_limits<double>::infinity();
  // Rows 1 and 2 of the problem are the two batches, 3 both together.
  const auto attempt = [&] {
    rows_.resize(3);
    for (std::size_t i = 0; i < 2; ++i) cost_part(place, allowed, tried.parts[i], rows_[i]);
    make_options(place, allowed, whole, rows_[2]);
    const schedule::TwoBatchSchedule found = schedule::solve_two_batches(
        make_problem(rows_, whole_blocks(place)),
        {.cutoff = time.seconds, .max_corners = max_corners, .max_assignments = max_assignments});
    const double ratio = std::min(rows_[0].bound_ratio(), rows_[1].bound_ratio());
    const double proven = found.proven ? std::min(found.seconds, time.seconds) : 0;
    least_bound = std::min(least_bound, ratio * std::max(found.lower_bound, proven));
    if (!(found.seconds < time.seconds)) return;
    time.seconds = found.seconds;
    is_found = true;
    for (std::size_t i = 0; i < 2; ++i) {
      const std::size_t part = found.rows[i] - 1;
      Halves::Half& half = tried.parts[part];
      run_batch(place, apply_ways(place, allowed, rows_[part], found.assignments[i], half.batch), half.batch);
    }
    std::swap(halves, tried);
  };
  if (!has_equal_lengths(whole.step)) {
    if (divide_sequences(place.settings->machine.pim, place.settings->bits, whole.step, tried)) attempt();
    time.lower_bound = std::max(shorter_half(place, allowed, whole), shortest_sequences(place, allowed, whole));
    return is_found;
  }
  const Sequences equal = *std::ranges::find_if(whole.step.sequences, generates);
  const auto attempt_size = [&](double first) {
    tried = {};
    for (std::size_t i = 0; i < 2; ++i) {
      tried.parts[i].sequences.push_back(equal);
      tried.parts[i].sequences.back().count = i == 0 ? first : equal.count - first;
    }
    std::ranges::remove_copy_if(whole.step.sequences, std::back_inserter(tried.parts[0].sequences), generates);
    attempt();
  };
  if (equal.count <= max_mixed_sizes) {
    for (double first = 1; first < equal.count; ++first) attempt_size(first);
    time.lower_bound = least_bound;
    return is_found;
  }
  for (const double share : size_shares)
    attempt_size(std::clamp(std::round(share * equal.count), 1.0, equal.count - 1));
  time.lower_bound = shorter_half(place, allowed, whole);
  return is_found;
}

}  // namespace pimsweep::systems::llm
