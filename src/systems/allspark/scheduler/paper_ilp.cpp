#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "systems/allspark/scheduler/cbc_program.h"
#include "systems/allspark/scheduler/milp_units.h"
#include "systems/allspark/scheduler/schedule_problem.h"
#include "systems/allspark/scheduler/scheme_counts.h"
#include "systems/allspark/scheduler/stage_front.h"

namespace pimsweep::systems::allspark::scheduler {
namespace {

using Term = CbcProgram::Term;
using Terms = std::vector<Term>;

constexpr std::int64_t max_nonzeros = 2'000'000;

/// Minimum cycles of a stage, its weights and workspace left out: a lower bound.
std::int64_t min_cycles(const StageProblem& stage) { return StageFront(stage).min_cycles(infinite); }

/// Temporal layers to provide for each stage. The paper provides as many as branches; fewer do not cut an optimum:
/// - With a feasible schedule of C cycles at hand, an optimal one leaves a stage at most C minus the minimum of the
/// other
///   stages, and each of its layers costs at least the stage's cheapest.
/// - Without one, only feasibility is open. If any schedule fits, so does one with a single scheme for each stage: keep
///   the 1 x 1 scheme where it is used, else any one. It needs no more weights, no more workspace, and at most
///   ceil(branches / capacity) layers.
std::vector<std::int64_t> layer_bounds(const ScheduleProblem& problem, const Schedule& known) {
  std::int64_t all_stages = 0;
  if (known.feasible) {
    for (const StageProblem& stage : problem.stages) all_stages += min_cycles(stage);
  }
  std::vector<std::int64_t> bounds;
  for (const StageProblem& stage : problem.stages) {
    std::int64_t cheapest = 0;
    std::int64_t alone = 0;
    for (const Scheme& scheme : stage.schemes) {
      if (scheme.capacity == 0) continue;
      cheapest = alone == 0 ? scheme.cycles : std::min(cheapest, scheme.cycles);
      alone = std::max(alone, (stage.branches + scheme.capacity - 1) / scheme.capacity);
    }
    if (!known.feasible) {
      bounds.push_back(alone);
    } else if (cheapest == 0) {
      bounds.push_back(stage.branches);
    } else {
      bounds.push_back(std::min(stage.branches, (known.cycles - all_stages + min_cycles(stage)) / cheapest));
    }
  }
  return bounds;
}

/// Non-zeros of the program for one stage, counted before it is built.
std::int64_t count_nonzeros(const StageProblem& stage, std::int64_t layers) {
  std::int64_t x = 0;
  std::int64_t schemes = 0;
  for (const Scheme& scheme : stage.schemes) {
    if (scheme.capacity == 0) continue;
    x += std::min(scheme.capacity, stage.branches);
    ++schemes;
  }
  // X occurs in (2), twice in (4) and in the sum of each layer and scheme; Y in four rows of three terms and in (9).
  return layers * (4 * x + 8 * schemes) + layers * (layers - 1) / 2 * schemes * 14;
}

/// The variables of one temporal layer and scheme. `chosen` is the sum over i of X[s,i,j,a], which (3), (5) and (8)
/// need.
struct LayerScheme {
  std::size_t scheme = 0;
  int chosen = -1;
  std::vector<int> x;
  /// Z; -1 in the first layer.
  int z = -1;
};

/// The program (1)-(15) of Allspark, Secs. VI-B to VI-D, corrected where its printed form contradicts the text:
/// - (1) bounds the number of branches in a layer, sum of i X <= N. As X is binary and (3) allows one, that only
/// excludes
///   X with i > N, which are not created. (Printed: sum of X <= N, which never binds.)
/// - (3) is <= 1: a layer may stay empty, i = 0, with no cost and no weights. (Printed: = 1 for as many layers as
///   branches, so that each layer held one branch.)
/// - (4) orders the layers by their branches. It is kept where the 1 x 1 scheme has the largest capacity of its stage,
/// as
///   on every array by Algorithm 1. Then an order exists that satisfies (4) with the 1 x 1 layers first: fill the
///   layers in order of falling capacity. In a stage where another scheme holds more, (4) could force that one's layer
///   before the 1 x 1 layer, and (8) would store its weights although (6) reuses; there (4), which only breaks
///   symmetry, is left out.
/// - (8) makes Y = 1 where layer j uses a scheme and layer j' cannot lend its weights, and (9) Z = 0 where no earlier
///   layer can. (The text says Y = 1 is reuse.)
/// - (9) lacks sums for the first layer and would set Z = 0 for all its schemes, so that (11) stored them all. There
///   vol is w times `chosen` instead.
/// - (6) reads off (10) and (11) once the 1 x 1 layers come first: all later layers reuse and store nothing. Another
///   order only stores more, so that no schedule is cheaper here than in the problem, and the best one costs the same.
class PaperProgram {
 public:
  PaperProgram(const ScheduleProblem& problem, std::span<const std::int64_t> layers)
      : problem_(problem), units_(milp_units(problem)) {
    workspace_ = program_.add_column(0, bytes(problem.memory_bytes), 0, false);
    memory_.push_back({workspace_, 1});
    double constant = 0;
    for (std::size_t s = 0; s < problem.stages.size(); ++s) constant += add_stage(problem.stages[s], layers[s]);
    program_.add_row(-CbcProgram::infinity, bytes(problem.memory_bytes) - constant, memory_);  // (5)
  }

  IlpResult solve(double seconds) const {
    IlpResult answer;
    answer.binaries = binaries_;
    answer.constraints = program_.rows();
    const CbcProgram::Result result = program_.solve(seconds);
    answer.closed = result.outcome != CbcProgram::Outcome::stopped;
    if (result.values.empty()) {
      answer.schedule.reason =
          answer.closed ? infeasibility(problem_) : fmt::format("CBC found no schedule within {} s", seconds);
      return answer;
    }
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      std::vector<std::int64_t> counts(problem_.stages[s].schemes.size(), 0);
      for (const LayerScheme& cell : stages_[s]) {
        for (const int x : cell.x) counts[cell.scheme] += std::llround(result.values[static_cast<std::size_t>(x)]);
      }
      answer.schedule.stages.push_back(groups_of(problem_.stages[s], counts));
    }
    evaluate(problem_, answer.schedule);
    return answer;
  }

 private:
  double bytes(std::int64_t value) const { return static_cast<double>(value) / units_.bytes; }

  int add_binary(double cost) {
    ++binaries_;
    return program_.add_binary(cost);
  }

  void add_row(double lower, double upper, std::initializer_list<Term> terms) {
    program_.add_row(lower, upper, std::span(terms.begin(), terms.size()));
  }
  void at_most(double upper, std::initializer_list<Term> terms) { add_row(-CbcProgram::infinity, upper, terms); }
  void at_least(double lower, std::initializer_list<Term> terms) { add_row(lower, CbcProgram::infinity, terms); }

  /// Adds a stage with its rows; returns the constant part of its weights in (11).
  double add_stage(const StageProblem& stage, std::int64_t layers) {
    std::vector<LayerScheme>& cells = stages_.emplace_back();
    Terms all_branches;
    Terms branches_before;
    const bool ordered = single_holds_most(stage);
    std::size_t width = 0;
    double constant = 0;
    for (std::int64_t j = 0; j < layers; ++j) {
      const std::size_t begin = cells.size();
      Terms branches;
      Terms one_scheme;
      Terms workspace{{workspace_, 1}};
      for (std::size_t a = 0; a < stage.schemes.size(); ++a) {
        if (stage.schemes[a].capacity == 0) continue;
        LayerScheme& cell = cells.emplace_back(add_cell(stage, a, branches));
        one_scheme.push_back({cell.chosen, 1});
        workspace.push_back({cell.chosen, -bytes(stage.schemes[a].workspace_bytes)});
      }
      if (j == 0) width = cells.size();
      program_.add_row(-CbcProgram::infinity, 1, one_scheme);  // (3)
      program_.add_row(0, CbcProgram::infinity, workspace);    // the maximum in (5)
      all_branches.insert(all_branches.end(), branches.begin(), branches.end());
      if (j > 0 && ordered) add_order(branches_before, branches);  // (4)
      branches_before = std::move(branches);
      for (std::size_t a = 0; a < width; ++a) constant += add_weights(stage, cells, begin, width, a);
    }
    const auto total = static_cast<double>(stage.branches);
    program_.add_row(total, total, all_branches);  // (2)
    return constant;
  }

  static bool single_holds_most(const StageProblem& stage) {
    std::int64_t largest = 0;
    std::int64_t single = -1;
    for (const Scheme& scheme : stage.schemes) {
      const std::int64_t capacity = std::min(scheme.capacity, stage.branches);
      largest = std::max(largest, capacity);
      if (scheme.single_node() && scheme.capacity > 0) single = capacity;
    }
    return single < 0 || single == largest;
  }

  LayerScheme add_cell(const StageProblem& stage, std::size_t a, Terms& branches) {
    const Scheme& scheme = stage.schemes[a];
    LayerScheme cell;
    cell.scheme = a;
    cell.chosen = program_.add_column(0, 1, 0, false);
    Terms sum{{cell.chosen, -1}};
    for (std::int64_t i = 1; i <= std::min(scheme.capacity, stage.branches); ++i) {
      const int x = add_binary(static_cast<double>(scheme.cycles) / units_.cycles);  // (12)-(15)
      cell.x.push_back(x);
      sum.push_back({x, 1});
      branches.push_back({x, static_cast<double>(i)});
    }
    program_.add_row(0, 0, sum);
    return cell;
  }

  void add_order(const Terms& before, const Terms& now) {
    Terms row = before;
    for (const Term& term : now) row.push_back({term.column, -term.factor});
    program_.add_row(0, CbcProgram::infinity, row);
  }

  /// Rows (8) and (9) and the terms of (10)-(11) for the layer that begins at `begin` and its a-th scheme; returns the
  /// constant part of its weights.
  double add_weights(const StageProblem& stage, std::vector<LayerScheme>& cells, std::size_t begin, std::size_t width,
                     std::size_t a) {
    LayerScheme& cell = cells[begin + a];
    const Scheme& scheme = stage.schemes[cell.scheme];
    const double weight = bytes(scheme.weight_bytes);
    if (begin == 0) {
      memory_.push_back({cell.chosen, weight});
      return 0;
    }
    cell.z = add_binary(0);
    const std::size_t layer = begin / width;
    const auto earlier = static_cast<double>(layer);
    Terms lenders_lower{{cell.z, earlier}};
    Terms lenders_upper{{cell.z, 1}};
    for (std::size_t other = 0; other < begin; other += width) {
      const int y = add_binary(0);
      const LayerScheme& same = cells[other + a];
      Terms need{{y, 1}, {cell.chosen, -1}, {same.chosen, 1}};
      if (!scheme.single_node()) {
        for (std::size_t b = 0; b < width; ++b) {
          if (!stage.schemes[cells[other + b].scheme].single_node()) continue;
          at_most(1, {{y, 1}, {cells[other + b].chosen, 1}});
          need.push_back({cells[other + b].chosen, 1});
        }
      }
      program_.add_row(0, CbcProgram::infinity, need);
      at_most(0, {{y, 1}, {cell.chosen, -1}});
      at_most(1, {{y, 1}, {same.chosen, 1}});
      lenders_lower.push_back({y, 1});
      lenders_upper.push_back({y, 1});
    }
    program_.add_row(earlier, CbcProgram::infinity, lenders_lower);
    program_.add_row(-CbcProgram::infinity, earlier, lenders_upper);
    memory_.push_back({cell.z, -weight});
    return weight;
  }

  const ScheduleProblem& problem_;
  MilpUnits units_;
  CbcProgram program_;
  int workspace_ = -1;
  Terms memory_;
  std::int64_t binaries_ = 0;
  /// For each stage its layers in order, each with its schemes.
  std::vector<std::vector<LayerScheme>> stages_;
};

}  // namespace

IlpResult solve_paper_ilp(const ScheduleProblem& problem, double seconds) {
  validate(problem);
  // Any feasible schedule would do for the bound; evaluate() has checked this one.
  const std::vector<std::int64_t> layers = layer_bounds(problem, solve_exact(problem));
  std::int64_t nonzeros = 0;
  for (std::size_t s = 0; s < problem.stages.size(); ++s) nonzeros += count_nonzeros(problem.stages[s], layers[s]);
  if (nonzeros > max_nonzeros) {
    IlpResult refused;
    refused.schedule.reason =
        fmt::format("the paper's program would have about {} non-zeros; at most {} are built", nonzeros, max_nonzeros);
    return refused;
  }
  return PaperProgram(problem, layers).solve(seconds);
}

}  // namespace pimsweep::systems::allspark::scheduler
