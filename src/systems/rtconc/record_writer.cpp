#include "systems/rtconc/record_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "systems/record_builder.h"
#include "systems/rtconc/schedule/moldable.h"
#include "systems/rtconc/shape_of_time.h"

namespace pimsweep::systems::rtconc {

namespace {

/// Events that are looked at: as many as Figure 4 shows, in the middle of the step.
std::span<const schedule::Event> middle(const schedule::Outcome& outcome) {
  constexpr std::size_t shown = 6000;
  const std::span<const schedule::Event> all = outcome.events;
  return all.size() <= shown ? all : all.subspan((all.size() - shown) / 2, shown);
}

double mean_over_events(const schedule::Outcome& outcome, std::uint32_t schedule::Event::*number) {
  double sum = 0;
  for (const schedule::Event& event : middle(outcome)) sum += event.*number;
  return sum / static_cast<double>(middle(outcome).size());
}

/// Share of the operations' time with the recommended policy that MKL's and MKL-DNN's take.
double mkl_share(const TrainingPoint& training) {
  const schedule::Outcome& outcome = training.recommended.outcome;
  const StepOperations& operations = training.step.operations;
  double mkl = 0;
  double all = 0;
  for (std::size_t i = 0; i < operations.step.size(); ++i) {
    if (operations.step.operation_class[i] == schedule::Step::none) continue;
    const double seconds = outcome.end[i] - outcome.begin[i];
    all += seconds;
    if (runs_in_mkl(operations.types[operations.step.operation_class[i]])) mkl += seconds;
  }
  return mkl / all;
}

struct Bounds {
  double critical_path = 0;
  double work = 0;
};

Bounds bounds_of(const TrainingPoint& training) {
  const StepOperations& operations = training.step.operations;
  std::vector<double> least;
  Bounds bounds;
  for (std::size_t c = 0; c < operations.classes.size(); ++c) {
    double seconds = INFINITY;
    for (const schedule::RunCost& cost : training.step.costs->of(c)) seconds = std::min(seconds, cost.seconds);
    least.push_back(seconds);
    const schedule::OperationClass& one = operations.classes[c];
    bounds.work +=
        one.instances * schedule::least_core_seconds(training.machine.cpu, one.work) / training.machine.cpu.cores;
  }
  bounds.critical_path = schedule::critical_path(operations.step, least, training.machine.dispatch);
  return bounds;
}

/// Sums over the operations of a type.
struct TypeTotal {
  workload::training::OperationType type = workload::training::OperationType::Const;
  std::int64_t instances = 0;
  double seconds = 0;
  double recommended = 0;
  double threads = 0;
};

/// By time under the recommended policy, longest first.
std::vector<TypeTotal> totals_by_type(const TrainingPoint& training) {
  std::vector<TypeTotal> totals(workload::training::operation_types);
  const schedule::Outcome& now = training.scheduled.outcome;
  const schedule::Outcome& before = training.recommended.outcome;
  const StepOperations& operations = training.step.operations;
  for (std::size_t i = 0; i < operations.step.size(); ++i) {
    const std::uint32_t operation_class = operations.step.operation_class[i];
    if (operation_class == schedule::Step::none) continue;
    TypeTotal& total = totals[operations.classes[operation_class].kind];
    total.type = operations.types[operation_class];
    ++total.instances;
    total.seconds += now.end[i] - now.begin[i];
    total.recommended += before.end[i] - before.begin[i];
    total.threads += now.cost[i]->threads;
  }
  std::erase_if(totals, [](const TypeTotal& total) { return total.instances == 0; });
  std::stable_sort(totals.begin(), totals.end(),
                   [](const TypeTotal& a, const TypeTotal& b) { return a.recommended > b.recommended; });
  return totals;
}

void write_tables(const TrainingPoint& training, const Point& point, RecordBuilder& record) {
  std::int64_t rank = 0;
  for (const TypeTotal& total : totals_by_type(training)) {
    record.add("by_type", {std::string(workload::training::name_of(total.type)), ++rank, total.instances, total.seconds,
                           total.recommended, total.recommended / total.seconds,
                           total.threads / static_cast<double>(total.instances)});
  }
  for (const Trial& trial : training.scheduled.trials) {
    record.add("settings", {trial.setting.inter, trial.setting.intra, trial.seconds});
  }
  if (!point.boolean(timeline)) return;
  std::int64_t number = 0;
  const StepOperations& operations = training.step.operations;
  for (const schedule::Event& event : middle(training.scheduled.outcome)) {
    const workload::training::OperationType type = operations.types[operations.step.operation_class[event.operation]];
    record.add("timeline", {number++, event.time, std::int64_t{event.running},
                            std::string(workload::training::name_of(type)), std::int64_t{event.begins}});
  }
}

double busy_core_seconds(const schedule::Outcome& outcome) {
  double sum = 0;
  for (std::size_t i = 0; i < outcome.cost.size(); ++i) {
    if (outcome.cost[i] != nullptr) sum += outcome.cost[i]->cores * (outcome.end[i] - outcome.begin[i]);
  }
  return sum;
}

}  // namespace

void write_record(const TrainingPoint& training, const Point& point, const Schema& schema, Record& out) {
  RecordBuilder record(schema, out);
  const schedule::Outcome& outcome = training.scheduled.outcome;
  const StepOperations& operations = training.step.operations;
  const double recommended = training.recommended.outcome.seconds;
  const auto images = static_cast<double>(training.step.batch);
  const double energy = training.machine.power * outcome.seconds;
  record.set("time", outcome.seconds);
  record.set("energy", energy);
  record.set("time_per_image", outcome.seconds / images);
  record.set("energy_per_image", energy / images);
  record.set("recommended_time", recommended);
  record.set("speedup", recommended / outcome.seconds);
  if (training.scheduled.costs != nullptr) {
    record.set("chosen_inter", training.scheduled.setting.inter);
    record.set("chosen_intra", training.scheduled.setting.intra);
  }
  record.set("mean_co_running", mean_over_events(outcome, &schedule::Event::running));
  record.set("mean_ready", mean_over_events(outcome, &schedule::Event::ready));
  record.set("mkl_share", mkl_share(training));
  record.set("events", static_cast<std::int64_t>(outcome.events.size()));
  record.set("operations", static_cast<std::int64_t>(operations.step.size()));
  record.set("timed_operations", static_cast<std::int64_t>(outcome.events.size() / 2));
  record.set("classes", static_cast<std::int64_t>(operations.classes.size()));
  record.set("change_time", outcome.change_seconds);
  record.set("company_time", outcome.company_seconds);
  record.set("busy_cores", busy_core_seconds(outcome) / outcome.seconds);
  const Bounds bounds = bounds_of(training);
  record.set("critical_path", bounds.critical_path);
  record.set("work_bound", bounds.work);
  record.set("gap", outcome.seconds / std::max(bounds.critical_path, bounds.work));
  record.set("accuracy", accuracy(training.model, *training.step.costs));
  record.set("r2", determination(training.model, *training.step.costs));
  record.set("weighted_accuracy", weighted_accuracy(training.model, *training.step.costs));
  record.set("timed_classes", std::count(training.model.untimed.begin(), training.model.untimed.end(), 0));
  const auto shared = std::count_if(
      training.step.cases.begin(), training.step.cases.end(),
      [](const schedule::Case& which) { return which.affinity == hardware::manycore::Affinity::compact; });
  record.set("cases", static_cast<std::int64_t>(training.step.cases.size()));
  record.set("shared_cases", std::int64_t{shared});
  record.set("unshared_cases", static_cast<std::int64_t>(training.step.cases.size()) - shared);
  record.set("profiling_steps", training.model.steps);
  const ShapeOfTime shape = shape_of_time(*training.step.costs, training.step.cases, training.model);
  record.set("mean_loss", shape.mean_loss);
  record.set("convexity_exceptions", shape.not_convex);
  record.set("local_optima", shape.with_local_optima);
  write_tables(training, point, record);
  record.set("caveat", "no measured times of fewer threads than cores, of company and of changes");
  out.status = Status::ok;
}

void explain_point(const TrainingPoint& training, Explanation& explanation) {
  const auto seconds = [](double value) { return fmt::format("{:.6g} s", value); };
  const schedule::Outcome& outcome = training.scheduled.outcome;
  auto& whole = explanation.section("step").lines;
  whole.push_back({"time", seconds(outcome.seconds), ""});
  whole.push_back({"recommended", seconds(training.recommended.outcome.seconds), "one at a time, all cores"});
  const Bounds bounds = bounds_of(training);
  whole.push_back({"critical path", seconds(bounds.critical_path), "each operation alone and at its best"});
  whole.push_back({"work bound", seconds(bounds.work), "arithmetic over all cores"});
  whole.push_back({"changes", seconds(outcome.change_seconds), "of concurrency"});
  whole.push_back({"company", seconds(outcome.company_seconds), "lost by operations beside others"});
  auto& types = explanation.section("types").lines;
  for (const TypeTotal& total : totals_by_type(training)) {
    types.push_back({std::string(workload::training::name_of(total.type)), seconds(total.seconds),
                     fmt::format("{} operations, {:.1f} threads; recommended {}", total.instances,
                                 total.threads / static_cast<double>(total.instances), seconds(total.recommended))});
  }
}

}  // namespace pimsweep::systems::rtconc
