#include <cmath>

#include "systems/allspark/scheduler/cbc_program.h"
#include "systems/allspark/scheduler/milp_units.h"
#include "systems/allspark/scheduler/schedule_problem.h"
#include "systems/allspark/scheduler/scheme_counts.h"

namespace pimsweep::systems::allspark::scheduler {
namespace {

constexpr double no_limit = 1e9;

/// Columns of one scheme. `count` is the number of its layers, `used` whether there are any, `paid` whether its weights
/// are stored.
struct SchemeColumns {
  int count = -1;
  int used = -1;
  int paid = -1;
};

class CompactProgram {
 public:
  explicit CompactProgram(const ScheduleProblem& problem) : problem_(problem), units_(milp_units(problem)) {
    workspace_ = program_.add_column(0, bytes(problem.memory_bytes), 0, false);
    memory_.push_back({workspace_, 1});
    for (const StageProblem& stage : problem.stages) add_stage(stage);
    program_.add_row(-CbcProgram::infinity, bytes(problem.memory_bytes), memory_);
  }

  Schedule solve() const {
    const CbcProgram::Result result = program_.solve(no_limit);
    Schedule schedule;
    if (result.values.empty()) {
      schedule.reason = infeasibility(problem_);
      if (schedule.reason.empty()) schedule.reason = "CBC found no schedule";
      return schedule;
    }
    for (std::size_t s = 0; s < columns_.size(); ++s) {
      std::vector<std::int64_t> counts;
      for (const SchemeColumns& scheme : columns_[s]) {
        counts.push_back(scheme.count < 0 ? 0 : std::llround(result.values[static_cast<std::size_t>(scheme.count)]));
      }
      schedule.stages.push_back(groups_of(problem_.stages[s], counts));
    }
    evaluate(problem_, schedule);
    return schedule;
  }

 private:
  double bytes(std::int64_t value) const { return static_cast<double>(value) / units_.bytes; }

  void add_stage(const StageProblem& stage) {
    std::vector<SchemeColumns>& columns = columns_.emplace_back(stage.schemes.size());
    std::vector<CbcProgram::Term> cover;
    int single = -1;
    for (std::size_t i = 0; i < stage.schemes.size(); ++i) {
      const Scheme& scheme = stage.schemes[i];
      if (scheme.capacity == 0 || stage.branches == 0) continue;
      const std::int64_t max_layers = (stage.branches + scheme.capacity - 1) / scheme.capacity;
      columns[i].count = program_.add_column(0, static_cast<double>(max_layers),
                                             static_cast<double>(scheme.cycles) / units_.cycles, true);
      columns[i].used = program_.add_binary(0);
      cover.push_back({columns[i].count, static_cast<double>(scheme.capacity)});
      // count <= max_layers * used, workspace >= the scheme's workspace if used.
      add_row(-CbcProgram::infinity, 0, {{columns[i].count, 1}, {columns[i].used, -static_cast<double>(max_layers)}});
      add_row(0, CbcProgram::infinity, {{workspace_, 1}, {columns[i].used, -bytes(scheme.workspace_bytes)}});
      if (scheme.single_node()) {
        single = columns[i].used;
        columns[i].paid = columns[i].used;
        // Without this the 1 x 1 scheme could lend its weights without running a layer.
        add_row(-CbcProgram::infinity, 0, {{columns[i].used, 1}, {columns[i].count, -1}});
      } else {
        columns[i].paid = program_.add_column(0, 1, 0, false);
      }
      memory_.push_back({columns[i].paid, bytes(scheme.weight_bytes)});
    }
    for (const SchemeColumns& scheme : columns) {
      if (scheme.paid < 0 || scheme.paid == scheme.used) continue;
      // paid >= used - single: weights are stored unless the 1 x 1 scheme stores all (weight reuse, case 1).
      if (single >= 0) {
        add_row(0, CbcProgram::infinity, {{scheme.paid, 1}, {scheme.used, -1}, {single, 1}});
      } else {
        add_row(0, CbcProgram::infinity, {{scheme.paid, 1}, {scheme.used, -1}});
      }
    }
    program_.add_row(static_cast<double>(stage.branches), CbcProgram::infinity, cover);
  }

  void add_row(double lower, double upper, std::initializer_list<CbcProgram::Term> terms) {
    program_.add_row(lower, upper, std::span(terms.begin(), terms.size()));
  }

  const ScheduleProblem& problem_;
  MilpUnits units_;
  CbcProgram program_;
  int workspace_ = -1;
  std::vector<CbcProgram::Term> memory_;
  std::vector<std::vector<SchemeColumns>> columns_;
};

}  // namespace

Schedule solve_compact_milp(const ScheduleProblem& problem) {
  validate(problem);
  return CompactProgram(problem).solve();
}

}  // namespace pimsweep::systems::allspark::scheduler
