#include "systems/rtconc/records.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "systems/rtconc/summary.h"
#include "systems/timeline.h"

namespace pimsweep::systems::rtconc {

namespace {

using workload::training::name_of;
using workload::training::TrainingGraph;

/// Reason for a missing accuracy of a performance model.
constexpr const char* nothing_predicted = "no class is timed, or no case lies between measured ones";

void add_times(ColumnList& metrics, const Result& r) {
  metrics.quantity(r.time, "time", "s", "time of a step")
      .quantity(r.energy, "energy", "J", "energy of a step: rated power of the processor times time")
      .quantity(r.time_per_sample, "time_per_sample", "s", "time of a step divided by the batch")
      .quantity(r.energy_per_sample, "energy_per_sample", "J", "energy of a step divided by the batch")
      .quantity(r.recommended_time, "recommended_time", "s", "time of a step with policy recommended")
      .quantity(r.speedup, "speedup", "1", "speedup over policy recommended")
      .quantity(r.chosen_inter, "chosen_inter", "1", "operations at a time",
                "policies that choose settings for each operation")
      .quantity(r.chosen_intra, "chosen_intra", "1", "threads of each operation",
                "policies that choose settings for each operation");
}

void add_concurrency(ColumnList& metrics, const Result& r) {
  metrics
      .quantity(r.mean_co_running, "mean_co_running", "1",
                "mean number of running operations over the middle 6000 starts and ends")
      .quantity(r.mean_ready, "mean_ready", "1",
                "mean number of ready operations that wait, over the middle 6000 starts and ends")
      .quantity(r.mkl_share, "mkl_share", "1", "share of MKL's and MKL-DNN's operations in the recommended time")
      .count(r.events, "events", "starts and ends of operations")
      .count(r.operations, "operations", "operations of the training graph")
      .count(r.timed_operations, "timed_operations", "operations that take time")
      .count(r.classes, "classes", "classes of operations with equal type and size")
      .quantity(r.change_time, "change_time", "s", "time spent on changes of concurrency, summed over operations")
      .quantity(r.contention_time, "contention_time", "s",
                "time lost to operations that run at the same time, summed over operations")
      .quantity(r.busy_cores, "busy_cores", "1", "mean number of cores with a thread over the step")
      .quantity(r.critical_path, "critical_path", "s",
                "critical path of the step, each operation alone and at its best")
      .quantity(r.work_bound, "work_bound", "s",
                "time of the arithmetic of all operations, spread evenly over all cores")
      .quantity(r.gap, "gap", "1", "time of a step relative to the larger of critical path and work bound");
}

void add_prediction(ColumnList& metrics, const Result& r) {
  metrics
      .count(r.timed_classes, "timed_classes",
             "classes that take longer than the resolution of the executor's clock on one thread")
      .quantity(r.accuracy, "accuracy", "1",
                "accuracy of the performance model: mean of 1 - |error| over timed classes and predicted cases",
                nothing_predicted)
      .may_be_negative()
      .quantity(r.r2, "r2", "1",
                "coefficient of determination of the performance model over timed classes and predicted cases",
                nothing_predicted)
      .may_be_negative()
      .quantity(r.weighted_accuracy, "weighted_accuracy", "1",
                "1 - sum of errors / sum of times of the performance model, over predicted cases", nothing_predicted)
      .may_be_negative()
      .count(r.cases, "cases", "predicted cases: numbers of threads with an affinity")
      .count(r.shared_cases, "shared_cases", "predicted cases in which threads share a tile")
      .count(r.unshared_cases, "unshared_cases", "predicted cases in which each thread has a tile alone")
      .quantity(r.profiling_steps, "profiling_steps", "1", "training steps run for measurements")
      .quantity(r.mean_loss, "mean_loss", "1",
                "mean slowdown by running classes at the case predicted to be best, over timed classes")
      .count(r.convexity_exceptions, "convexity_exceptions",
             "classes with times that are not convex over threads, for at least one affinity")
      .count(r.local_optima, "local_optima",
             "classes with a local optimum that is not the best, for at least one affinity")
      .text(r.caveat, "caveat", "limits of the evidence behind the result; empty if there are none");
}

RowTable<TypeRow> type_table() {
  RowTable<TypeRow> table("by_type", "time by type of operation, longest first");
  const TypeRow& row = table.layout();
  table.text(row.type, "type", "type of the operation in TensorFlow")
      .count(row.rank, "rank", "rank of the type by time with policy recommended, from 1")
      .count(row.instances, "instances", "operations of the type")
      .quantity(row.time, "time", "s", "sum of the times of all operations of the type")
      .quantity(row.recommended_time, "recommended_time", "s",
                "sum of the times of all operations of the type with policy recommended")
      .quantity(row.speedup, "speedup", "1", "speedup of the type over policy recommended",
                "types whose operations take no time")
      .quantity(row.threads, "threads", "1", "mean number of threads of an operation of the type");
  return table;
}

RowTable<Trial> setting_table() {
  RowTable<Trial> table("settings", "policy manual: every combination that was tried");
  const Trial& row = table.layout();
  table.count(row.setting.inter, "inter", "operations at a time")
      .count(row.setting.intra, "intra", "threads of each operation")
      .quantity(row.seconds, "time", "s", "time of a step at the setting");
  return table;
}

RowTable<EventRow> event_table() {
  RowTable<EventRow> table("timeline", "starts and ends of operations in the middle of the step");
  const EventRow& row = table.layout();
  table.count(row.event, "event", "number of the event, from 0")
      .quantity(row.time, "time", "s", "time of the event since the start of the step")
      .count(row.running, "running", "running operations, with the one that starts or ends")
      .text(row.type, "type", "type of the operation in TensorFlow")
      .count(row.starts, "starts", "1 if the operation starts, 0 if it ends");
  return table;
}

RowTable<OperationRow> schedule_table() {
  RowTable<OperationRow> table("schedule", "operations that take time, as they ran in the step, if recorded");
  const OperationRow& row = table.layout();
  table.count(row.task, "task", "number of the operation in the training graph")
      .in_timeline(TimelineRole::task)
      .text(row.operation, "operation", "name of the operation in the training graph")
      .in_timeline(TimelineRole::name)
      .text(row.type, "type", "type of the operation in TensorFlow")
      .text(row.library, "library", "library that runs the operation: MKL (with MKL-DNN) or Eigen")
      .in_timeline(TimelineRole::lane)
      .quantity(row.start, "start", "s", "start of the operation, since the start of the step")
      .in_timeline(TimelineRole::start)
      .quantity(row.end, "end", "s", "end of the operation, since the start of the step")
      .in_timeline(TimelineRole::end)
      .quantity(row.threads, "threads", "1", "threads of the operation")
      .in_timeline(TimelineRole::held)
      .quantity(row.bytes, "bytes", "B", "bytes that the operation reads from and writes to memory")
      .in_timeline(TimelineRole::moved)
      .text(row.after, "after", "numbers of the operations that the operation waits for")
      .in_timeline(TimelineRole::after);
  return table;
}

double mean_over_events(const schedule::Outcome& outcome, std::uint32_t schedule::Event::*number) {
  const std::span<const schedule::Event> events = middle_events(outcome);
  double sum = 0;
  for (const schedule::Event& event : events) sum += event.*number;
  return sum / static_cast<double>(events.size());
}

void fill_times(const Settings& settings, const TrainingRun& run, Result& r) {
  const auto batch = static_cast<double>(settings.model.batch);
  r.time = run.scheduled.outcome.seconds;
  r.energy = settings.machine.power * r.time;
  r.time_per_sample = r.time / batch;
  r.energy_per_sample = r.energy / batch;
  r.recommended_time = run.recommended.outcome.seconds;
  r.speedup = r.recommended_time / r.time;
  if (!run.scheduled.setting) return;
  r.chosen_inter = static_cast<double>(run.scheduled.setting->inter);
  r.chosen_intra = static_cast<double>(run.scheduled.setting->intra);
}

void fill_concurrency(const Settings& settings, const TrainingRun& run, Result& r) {
  const schedule::Outcome& outcome = run.scheduled.outcome;
  r.mean_co_running = mean_over_events(outcome, &schedule::Event::running);
  r.mean_ready = mean_over_events(outcome, &schedule::Event::ready);
  r.mkl_share = mkl_share(run);
  r.events = outcome.events.size();
  r.operations = run.step.operations.step.size();
  r.timed_operations = outcome.events.size() / 2;
  r.classes = run.step.operations.classes.size();
  r.change_time = outcome.change_seconds;
  // Without contention, the sum consists of rounding alone.
  r.contention_time = std::max(0.0, outcome.contention_seconds);
  r.busy_cores = busy_cores(outcome);
  const Bounds bounds = bounds_of(settings, run);
  r.critical_path = bounds.critical_path;
  r.work_bound = bounds.work;
  r.gap = outcome.seconds / std::max(bounds.critical_path, bounds.work);
}

void fill_prediction(const TrainingRun& run, Result& r) {
  const schedule::CostTable& costs = *run.step.costs;
  r.timed_classes = std::count(run.model.untimed.begin(), run.model.untimed.end(), 0);
  const auto known = [](double value) { return std::isnan(value) ? std::nullopt : std::optional(value); };
  r.accuracy = known(accuracy(run.model, costs));
  r.r2 = known(determination(run.model, costs));
  r.weighted_accuracy = known(weighted_accuracy(run.model, costs));
  r.cases = static_cast<std::int64_t>(run.step.cases.size());
  r.shared_cases = std::ranges::count(run.step.cases, hardware::manycore::Affinity::compact, &schedule::Case::affinity);
  r.unshared_cases = r.cases - r.shared_cases;
  r.profiling_steps = run.model.steps;
  const ShapeOfTime shape = shape_of_time(costs, run.step.cases, run.model);
  r.mean_loss = shape.mean_loss;
  r.convexity_exceptions = shape.not_convex;
  r.local_optima = shape.with_local_optima;
}

}  // namespace

Records::Records(Schema& schema)
    : by_type_(type_table()), settings_(setting_table()), timeline_(event_table()), schedule_(schedule_table()) {
  const Result& r = metrics_.layout();
  add_times(metrics_, r);
  add_concurrency(metrics_, r);
  add_prediction(metrics_, r);
  devices::add_silicon_metrics(metrics_, r.silicon, "the processor");
  schema.metrics = metrics_.columns();
  by_type_.attach(schema);
  settings_.attach(schema);
  timeline_.attach(schema);
  schedule_.attach(schema);
}

void Records::write_events(const TrainingRun& run, Record& record) const {
  const StepOperations& operations = run.step.operations;
  std::int64_t number = 0;
  for (const schedule::Event& event : middle_events(run.scheduled.outcome)) {
    const workload::training::OperationType type = operations.types[operations.step.operation_class[event.operation]];
    timeline_.add({number++, event.time, event.running, name_of(type), event.starts}, record);
  }
}

void Records::write_schedule(const TrainingGraph& graph, const TrainingRun& run, Record& record) const {
  const schedule::Step& step = run.step.operations.step;
  const schedule::Outcome& outcome = run.scheduled.outcome;
  const auto takes_time = [&](std::size_t i) { return step.operation_class[i] != schedule::Step::none; };
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t i = 0; i < step.size(); ++i) {
    for (const std::uint32_t next : step.waiting_for(i)) edges.emplace_back(i, next);
  }
  const std::vector<std::string> awaited = awaited_tasks(std::move(edges), step.size(), takes_time);
  for (std::uint32_t i = 0; i < step.size(); ++i) {
    if (!takes_time(i)) continue;
    const workload::training::OperationType type = graph.at(i).type;
    const schedule::RunCost& cost = *outcome.cost[i];
    schedule_.add({.task = i,
                   .operation = graph.name(i),
                   .type = name_of(type),
                   .library = uses_mkl(type) ? "MKL" : "Eigen",
                   .start = outcome.start[i],
                   .end = outcome.end[i],
                   .threads = cost.threads,
                   .bytes = cost.drawn * cost.seconds,
                   .after = awaited[i]},
                  record);
  }
}

void Records::write(const Settings& settings, const TrainingGraph& graph, const TrainingRun& run,
                    Record& record) const {
  Result result;
  fill_times(settings, run, result);
  fill_concurrency(settings, run, result);
  fill_prediction(run, result);
  result.caveat = "no measured times with fewer threads than cores, with contention, or of changes of concurrency";
  result.silicon = devices::estimate_silicon({.processors = 1}, settings.silicon);
  metrics_.write(result, record);
  std::int64_t rank = 0;
  for (const TypeTotal& total : totals_by_type(run)) {
    std::optional<double> speedup;
    if (total.seconds > 0) speedup = total.recommended / total.seconds;
    by_type_.add(
        {name_of(total.type), ++rank, total.instances, total.seconds, total.recommended, speedup, total.mean_threads()},
        record);
  }
  for (const Trial& trial : run.scheduled.trials) settings_.add(trial, record);
  if (settings.record_timeline) {
    write_events(run, record);
    write_schedule(graph, run, record);
  }
  record.status = Status::ok;
}

}  // namespace pimsweep::systems::rtconc
