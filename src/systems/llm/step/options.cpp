#include "systems/llm/step/options.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "systems/llm/schedule/experts.h"

namespace pimsweep::systems::llm::step {

namespace {

using schedule::Resources;
using schedule::Side;
using workload::decoder::Kind;
using workload::decoder::Part;

constexpr double never = std::numeric_limits<double>::infinity();

bool is_outside(const Choice& choice) { return choice.op->part == Part::non_block; }

/// Time of a message between the GPU and the PIM of an operator.
double move_time(const Connections& connections, const Choice& choice, double bytes) {
  if (bytes == 0 || !connections.uses_link(*choice.op)) return 0;
  return hardware::links::transfer_time(connections.pim, bytes);
}

/// Share of an operator that PIM has if both sides end together; exact if each takes its share of its time.
double balanced_share(const Choice& choice) { return choice.gpu.seconds / (choice.gpu.seconds + choice.pim.seconds); }

/// Seconds of an operator that both sides share.
double shared_time(const Connections& connections, const Choice& choice, double share) {
  return move_time(connections, choice, choice.op->input_bytes) +
         std::max(choice.gpu.seconds * (1 - share), choice.pim.seconds * share) +
         move_time(connections, choice, share * choice.op->output_bytes);
}

/// Experts with equal times are one class.
struct ExpertClasses {
  std::vector<schedule::ExpertClass> classes;
  std::vector<std::size_t> class_of;
};

ExpertClasses classes_of(const ExpertCosts& costs) {
  ExpertClasses result;
  for (std::size_t i = 0; i < costs.gpu.size(); ++i) {
    const double gpu = costs.gpu[i].seconds;
    const double pim = costs.pim[i].seconds;
    auto& classes = result.classes;
    // Experts of a skewed routing come in order; equal ones are neighbors.
    if (!classes.empty() && classes.back().gpu_seconds == gpu && classes.back().pim_seconds == pim) {
      ++classes.back().count;
    } else {
      classes.push_back({.gpu_seconds = gpu, .pim_seconds = pim, .count = 1});
    }
    result.class_of.push_back(classes.size() - 1);
  }
  return result;
}

/// The side of each expert, and what no division is below, by the time of this one.
struct ExpertSides {
  std::vector<bool> on_pim;
  double bound_ratio = 1;
};

/// Makes the ways of one batch.
class OptionMaker {
 public:
  OptionMaker(const StepContext& context, const AllowedSides& allowed, Batch& batch, BlockOptions& options)
      : context_(context), allowed_(allowed), connections_(context.connections()), batch_(batch), options_(options) {}

  void make();

 private:
  const Choice& choice(std::size_t i) const { return batch_.choices[options_.begin + i]; }
  /// Times in a block, on average.
  double weight(std::size_t i) const { return choice(i).op->times / context_.blocks(); }
  bool stops_gpu(std::size_t i) const {
    return choice(i).is_attention() ? connections_.attention_stops_gpu : connections_.gemms_stop_gpu;
  }
  Resources pim_of(std::size_t i) const { return stops_gpu(i) ? schedule::both_sides : schedule::pim_only; }
  Option& add(std::size_t first, std::size_t last, Side needs, Side leaves) {
    return options_.ways.emplace_back(
        Option{.first = first, .last = last, .needs = needs, .leaves = leaves, .phases = {}, .shared_op = first});
  }
  static void add_phase(Option& option, Resources uses, double seconds) {
    option.phases[option.phase_count++] = {uses, seconds};
  }
  void add_gpu(std::size_t i);
  void add_pim(std::size_t i);
  void add_split(std::size_t i);
  void add_experts(std::size_t i);
  ExpertSides experts_side_by_side() const;
  ExpertSides experts_one_side_at_a_time() const;
  void add_piped_attention(std::size_t i);
  void add_attention_beside_prompts(std::size_t i, Side needs);
  void add_piped_gemms(std::size_t first, std::size_t last, std::size_t attention);
  void add_moves(std::size_t i);
  bool may_be_on_pim(std::size_t i) const {
    return choice(i).is_attention() ? allowed_.attention_on_pim : allowed_.gemms_on_pim;
  }

  const StepContext& context_;
  const AllowedSides& allowed_;
  Connections connections_;
  Batch& batch_;
  BlockOptions& options_;
  std::vector<Choice> piped_choices_;
  std::vector<OperatorRun> piped_runs_;
};

void OptionMaker::add_gpu(std::size_t i) {
  const Choice& c = choice(i);
  double seconds = c.gpu.seconds;
  // An all-reduce keeps the GPUs busy: no other batch computes meanwhile.
  if (c.op->kind == Kind::all_reduce) {
    seconds = all_reduce_seconds(connections_, c.op->input_bytes);
  }
  if (c.is_attention() && !allowed_.attention_on_gpu) seconds = never;
  add_phase(add(i, i + 1, Side::gpu, Side::gpu), schedule::gpu_only, weight(i) * seconds);
}

void OptionMaker::add_pim(std::size_t i) {
  const Side side = connections_.uses_link(*choice(i).op) ? Side::pim : Side::gpu;
  Option& option = add(i, i + 1, side, side);
  option.pim_share = 1;
  add_phase(option, pim_of(i), may_be_on_pim(i) ? weight(i) * choice(i).pim.seconds : never);
}

void OptionMaker::add_split(std::size_t i) {
  const Choice& c = choice(i);
  Option& option = add(i, i + 1, Side::gpu, Side::gpu);
  const bool is_allowed = may_be_on_pim(i) && is_possible(c.pim) && !stops_gpu(i);
  option.pim_share = is_allowed ? balanced_share(c) : 0;
  const double both = is_allowed ? weight(i) * option.pim_share * c.pim.seconds : never;
  add_phase(option, schedule::link_only, weight(i) * move_time(connections_, c, c.op->input_bytes));
  add_phase(option, schedule::both_sides, both);
  add_phase(option, schedule::link_only, weight(i) * move_time(connections_, c, option.pim_share * c.op->output_bytes));
}

/// Experts to sides so that the later side ends first.
ExpertSides OptionMaker::experts_side_by_side() const {
  const ExpertCosts& costs = experts_of(context_, batch_);
  const ExpertClasses classes = classes_of(costs);
  // Beyond, the search takes longer than the rest of a point.
  constexpr std::size_t max_pairs = 50'000;
  const schedule::ExpertSplit split =
      schedule::split_experts(classes.classes, costs.gpu_once.seconds, costs.pim_once.seconds, max_pairs);
  ExpertSides sides{.on_pim = {}, .bound_ratio = split.proven ? 1 : std::min(1.0, split.lower_bound / split.seconds)};
  std::vector<std::size_t> on_gpu = split.on_gpu;
  for (const std::size_t expert_class : classes.class_of) {
    const bool stays = on_gpu[expert_class] > 0;
    if (stays) --on_gpu[expert_class];
    sides.on_pim.push_back(!stays);
  }
  return sides;
}

/// Each expert on its faster side, where one side waits for the other.
ExpertSides OptionMaker::experts_one_side_at_a_time() const {
  ExpertSides sides;
  for (std::size_t i = 0; i < experts_of(context_, batch_).gpu.size(); ++i) {
    sides.on_pim.push_back(experts_of(context_, batch_).pim[i].seconds < experts_of(context_, batch_).gpu[i].seconds);
  }
  return sides;
}

void OptionMaker::add_experts(std::size_t i) {
  const Choice& c = choice(i);
  Option& option = add(i, i + 1, Side::gpu, Side::gpu);
  add_phase(option, schedule::link_only, weight(i) * move_time(connections_, c, c.op->input_bytes));
  add_phase(option, schedule::both_sides, never);
  add_phase(option, schedule::link_only, 0);
  if (!may_be_on_pim(i) || !is_possible(c.pim) || experts_of(context_, batch_).pim.empty()) return;
  const ExpertSides sides = stops_gpu(i) ? experts_one_side_at_a_time() : experts_side_by_side();
  // All on one side are ways of their own.
  const auto on_pim = static_cast<std::size_t>(std::ranges::count(sides.on_pim, true));
  if (on_pim == 0 || on_pim == sides.on_pim.size()) return;
  option.parts = parts_of(experts_of(context_, batch_), batch_.step, sides.on_pim);
  option.pim_share = option.parts->pim_share;
  option.bound_ratio = sides.bound_ratio;
  const double gpu = option.parts->gpu.seconds;
  const double pim = option.parts->pim.seconds;
  option.phases[1].seconds = weight(i) * (stops_gpu(i) ? gpu + pim : std::max(gpu, pim));
  option.phases[2].seconds = weight(i) * move_time(connections_, c, option.pim_share * c.op->output_bytes);
}

/// Attention beside the GEMMs before and after it.
void OptionMaker::add_piped_gemms(std::size_t first, std::size_t last, std::size_t attention) {
  Option& option = add(first, last, Side::gpu, Side::gpu);
  option.shared_op = attention;
  option.pim_share = 1;
  option.pipelining = Pipelining::projections;
  double seconds = never;
  if (may_be_on_pim(attention) && is_possible(choice(attention).pim)) {
    const auto begin = batch_.choices.begin() + static_cast<std::ptrdiff_t>(options_.begin);
    piped_choices_.assign(begin + static_cast<std::ptrdiff_t>(first), begin + static_cast<std::ptrdiff_t>(last));
    for (Choice& some : piped_choices_) some.pim_share = some.is_attention() ? 1 : 0;
    run_step(option.pipelining, piped_choices_, batch_.step.attention.heads, connections_, piped_runs_);
    seconds = 0;
    for (std::size_t i = first; i < last; ++i) seconds += weight(i) * piped_runs_[i - first].seconds;
  }
  add_phase(option, schedule::everything, seconds);
}

/// Attention with transfers beside it, for each context of the data before and after it.
void OptionMaker::add_piped_attention(std::size_t i) {
  const Choice& c = choice(i);
  HeadPipeline pipeline{.heads = batch_.step.attention.heads, .attention = c.pim.seconds};
  for (const Side needs : schedule::all_sides) {
    for (const Side leaves : schedule::all_sides) {
      if (needs == Side::pim && leaves == Side::pim) continue;
      Option& option = add(i, i + 1, needs, leaves);
      option.pim_share = 1;
      option.pipelining = Pipelining::transfers;
      pipeline.sent = needs == Side::gpu ? move_time(connections_, c, c.op->input_bytes) : 0;
      pipeline.returned = leaves == Side::gpu ? move_time(connections_, c, c.op->output_bytes) : 0;
      const bool is_allowed = may_be_on_pim(i) && is_possible(c.pim);
      add_phase(option, static_cast<Resources>(pim_of(i) | schedule::link_only),
                is_allowed ? weight(i) * pipeline.time() : never);
    }
  }
}

/// Attention beside that of prompts on the GPU.
void OptionMaker::add_attention_beside_prompts(std::size_t i, Side needs) {
  const Choice& c = choice(i);
  Option& option = add(i, i + 2, needs, Side::gpu);
  option.pim_share = 1;
  option.pipelining = std::min(context_.pipelining, Pipelining::transfers);
  const bool is_whole = context_.pipelining == Pipelining::none;
  const HeadPipeline pipeline{.heads = is_whole ? 1 : batch_.step.attention.heads,
                              .sent = needs == Side::gpu ? move_time(connections_, c, c.op->input_bytes) : 0,
                              .attention = c.pim.seconds,
                              .returned = move_time(connections_, c, c.op->output_bytes),
                              .prompts = choice(i + 1).gpu.seconds};
  const bool is_allowed = may_be_on_pim(i) && is_possible(c.pim);
  add_phase(option, schedule::everything, is_allowed ? weight(i) * pipeline.time() : never);
}

void OptionMaker::add_moves(std::size_t i) {
  const auto before = i == 0 ? options_.count - 1 : i - 1;
  std::array<double, 2>& moves = options_.moves.emplace_back();
  moves[static_cast<std::size_t>(Side::gpu)] =
      weight(before) * move_time(connections_, choice(before), choice(before).op->output_bytes);
  moves[static_cast<std::size_t>(Side::pim)] =
      weight(i) * move_time(connections_, choice(i), choice(i).op->input_bytes);
}

void OptionMaker::make() {
  const auto begin = std::ranges::find_if_not(batch_.choices, is_outside);
  const auto end = std::find_if(begin, batch_.choices.end(), is_outside);
  options_.begin = static_cast<std::size_t>(begin - batch_.choices.begin());
  options_.count = static_cast<std::size_t>(end - begin);
  options_.ways.clear();
  options_.moves.clear();
  std::size_t first_gemm = options_.count;
  std::size_t last_gemm = 0;
  std::size_t attention = options_.count;
  for (std::size_t i = 0; i < options_.count; ++i) {
    const Choice& c = choice(i);
    add_moves(i);
    add_gpu(i);
    if (c.is_gemm()) {
      add_pim(i);
      add_split(i);
      if (c.op->part == Part::attention) {
        first_gemm = std::min(first_gemm, i);
        last_gemm = i;
      }
    } else if (c.op->kind == Kind::experts) {
      add_pim(i);
      add_experts(i);
    } else if (c.is_attention()) {
      attention = i;
      add_pim(i);
    }
  }
  if (attention == options_.count) return;
  const bool has_prompts = attention + 1 < options_.count && choice(attention + 1).op->kind == Kind::prompt_attention;
  // As run_step has prompts beside attention with any pipelining.
  if (has_prompts && !connections_.attention_stops_gpu) {
    for (const Side needs : schedule::all_sides) add_attention_beside_prompts(attention, needs);
  }
  if (context_.pipelining == Pipelining::none) return;
  add_piped_attention(attention);
  if (context_.pipelining != Pipelining::projections || connections_.attention_stops_gpu) return;
  add_piped_gemms(first_gemm, last_gemm + 1, attention);
}

/// The best side, or both, for an operator between operators on the GPU.
void choose_alone(const Connections& connections, bool may_be_on_pim, Choice& choice) {
  choice.pim_share = 0;
  if (!may_be_on_pim || !is_possible(choice.pim)) return;
  double best = choice.gpu.seconds;
  const auto consider = [&](double share, double seconds) {
    if (seconds >= best) return;
    best = seconds;
    choice.pim_share = share;
  };
  consider(1, move_time(connections, choice, choice.op->input_bytes) + choice.pim.seconds +
                  move_time(connections, choice, choice.op->output_bytes));
  if (connections.gemms_stop_gpu) return;
  const double share = balanced_share(choice);
  consider(share, shared_time(connections, choice, share));
}

}  // namespace

double BlockOptions::bound_ratio() const {
  double ratio = 1;
  for (const Option& option : ways) ratio = std::min(ratio, option.bound_ratio);
  return ratio;
}

void make_options(const StepContext& context, const AllowedSides& allowed, Batch& batch, BlockOptions& options) {
  OptionMaker(context, allowed, batch, options).make();
}

Pipelining apply_ways(const StepContext& context, const AllowedSides& allowed, const BlockOptions& options,
                      std::span<const std::size_t> ways, Batch& batch) {
  const Connections connections = context.connections();
  for (Choice& choice : batch.choices) {
    choice.pim_share = 0;
    choice.parts.reset();
    if (is_outside(choice) && choice.is_gemm()) choose_alone(connections, allowed.outside_on_pim, choice);
  }
  Pipelining pipelining = Pipelining::none;
  for (const std::size_t way : ways) {
    const Option& option = options.ways[way];
    Choice& shared = batch.choices[options.begin + option.shared_op];
    shared.pim_share = option.pim_share;
    shared.parts = option.parts;
    pipelining = std::max(pipelining, option.pipelining);
  }
  return pipelining;
}

schedule::StepProblem make_problem(std::span<const BlockOptions> rows, std::size_t blocks) {
  const BlockOptions& any = rows.front();
  schedule::StepProblem problem{.operators = any.count, .blocks = blocks, .rows = rows.size()};
  for (const Option& option : any.ways) {
    schedule::Way& way = problem.ways.emplace_back(schedule::Way{
        .first = option.first, .last = option.last, .needs = option.needs, .leaves = option.leaves, .phases = {}});
    for (std::size_t i = 0; i < option.phase_count; ++i) {
      way.phases.push_back({.uses = option.phases[i].uses, .seconds = {0.0}});
    }
  }
  problem.moves.resize(any.count);
  for (auto& sides : problem.moves) {
    for (std::vector<double>& seconds : sides) seconds.push_back(0);
  }
  for (const BlockOptions& options : rows) {
    for (std::size_t way = 0; way < options.ways.size(); ++way) {
      for (std::size_t i = 0; i < problem.ways[way].phases.size(); ++i) {
        problem.ways[way].phases[i].seconds.push_back(options.ways[way].phases[i].seconds);
      }
    }
    for (std::size_t i = 0; i < any.count; ++i) {
      for (std::size_t side = 0; side < 2; ++side) problem.moves[i][side].push_back(options.moves[i][side]);
    }
  }
  return problem;
}

}  // namespace pimsweep::systems::llm::step
