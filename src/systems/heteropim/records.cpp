#include "systems/heteropim/records.h"

#include <algorithm>
#include <array>

#include "hardware/hmc_logic/placement.h"
#include "systems/heteropim/task_kind.h"
#include "systems/timeline.h"
#include "workload/training/operation_table.h"

namespace pimsweep::systems::heteropim {

namespace {

using hardware::gpu::Pass;
using workload::training::name_of;
using workload::training::TrainingGraph;

constexpr std::array pass_words{Word{"forward", Pass::forward}, Word{"backward_inputs", Pass::backward_inputs},
                                Word{"backward_weights", Pass::backward_weights}};

void add_times(ColumnList& metrics, const Result& r) {
  metrics.quantity(r.time, "time", "s", "time of a step: operation, data movement and synchronization")
      .quantity(r.operation_time, "operation_time", "s", "time of a step in which some unit computes")
      .quantity(r.movement_time, "movement_time", "s", "time of a step in which data move, but no unit computes")
      .quantity(r.synchronization_time, "synchronization_time", "s", "time of a step spent in launches and waiting")
      .quantity(r.overhead_time, "overhead_time", "s", "time of a step in which no unit computes")
      .quantity(r.time_per_sample, "time_per_sample", "s", "time of a step divided by the batch")
      .quantity(r.energy_per_sample, "energy_per_sample", "J", "energy of a step divided by the batch");
}

void add_energies(ColumnList& metrics, const Result& r) {
  metrics.quantity(r.energy, "energy", "J", "energy of a step: idle and dynamic energy of host, memory, PIM or GPU")
      .quantity(r.dynamic_energy, "dynamic_energy", "J", "energy of a step above that of the idle machine")
      .quantity(r.parts.host, "host_energy", "J", "dynamic energy of the host in a step")
      .quantity(r.parts.programmable, "programmable_energy", "J",
                "dynamic energy of the programmable PIMs, or of Neurocube's logic, in a step")
      .quantity(r.parts.pairs, "pair_energy", "J", "dynamic energy of the pairs of multiplier and adder in a step")
      .quantity(r.parts.memory, "memory_energy", "J", "dynamic energy of main memory or stack in a step")
      .quantity(r.parts.gpu, "gpu_energy", "J", "dynamic energy of the GPU in a step")
      .quantity(r.power, "power", "W", "mean power over a step")
      .quantity(r.dynamic_power, "dynamic_power", "W", "mean power over a step above that of the idle machine")
      .quantity(r.edp, "edp", "J*s", "energy-delay product of a step: dynamic energy times time");
}

void add_machine(ColumnList& metrics, const Result& r) {
  metrics.count(r.pairs, "pairs", "pairs of multiplier and adder on the logic die")
      .quantity(r.min_pair_share, "min_pair_share", "1",
                "smallest share of the pairs that a convolution of the step can use at a time",
                "policies without pairs, steps without convolutions")
      .quantity(r.utilization.pairs, "pair_utilization", "1", "share of pairs x time that works, over all steps")
      .quantity(r.utilization.host, "host_utilization", "1", "share of the time in which the host runs operations")
      .quantity(r.utilization.programmable, "programmable_utilization", "1",
                "share of the time in which the programmable PIMs (GPU, Neurocube) run operations")
      .quantity(r.card_utilization, "card_utilization", "1", "share of the time in which the GPU runs a kernel",
                "policies other than gpu")
      .quantity(r.launches, "launches", "1", "launches on PIM in a step");
}

void add_profile(ColumnList& metrics, const Result& r) {
  metrics
      .quantity(r.profile_time, "profile_time", "s",
                "time of the first step, which profiles every operation on the host")
      .quantity(r.program_share, "program_share", "1",
                "share of the profiled time in operations that need more than multiplications and additions")
      .count(r.candidate_types, "candidate_types", "types of operations that are candidates for PIM")
      .quantity(r.candidate_time, "candidate_time", "s", "profiled time of the candidates for PIM")
      .quantity(r.critical_path, "critical_path", "s", "critical path of a step, each operation on its fastest device",
                "policies that do not schedule")
      .quantity(r.work_bound, "work_bound", "s", "lower bound of the time of each of many steps",
                "policies that do not schedule")
      .count(r.operations, "operations", "operations of a step that compute or move data")
      .count(r.work, "work", "multiplications and additions of a step")
      .count(r.parameters, "parameters", "elements of the trained variables")
      .quantity(r.rate, "rate", "1/s", "multiplications and additions in a second")
      .quantity(r.card_footprint, "card_footprint", "B", "peak memory in use during a step", "policies other than gpu");
}

void add_partner(ColumnList& metrics, const Result& r) {
  metrics.quantity(r.partner_steps, "partner_steps", "1", "steps of the partner beside one step", "no partner model")
      .quantity(r.partner_time, "partner_time", "s", "time of a step of the partner alone", "no partner model")
      .quantity(r.together_time, "together_time", "s", "time of all steps of both models, side by side",
                "no partner model")
      .quantity(r.one_by_one_time, "one_by_one_time", "s",
                "time of all steps of both models, one model after the other", "no partner model")
      .quantity(r.corun_speedup, "corun_speedup", "1", "speedup of both models side by side over one after the other",
                "no partner model");
}

RowTable<TypeRow> type_table() {
  RowTable<TypeRow> table("by_type",
                          "profile on the host: a row for each type of operation, in the order of the choice of "
                          "candidates");
  const TypeRow& row = table.layout();
  table.text(row.type, "type", "type of the operation in TensorFlow")
      .count(row.invocations, "invocations", "operations of the type in a step")
      .quantity(row.time_share, "time_share", "1", "share of the step's time on the host")
      .quantity(row.memory_share, "memory_share", "1", "share of the bytes between host and memory")
      .count(row.time_rank, "time_rank", "rank of the type by time, from 1")
      .count(row.memory_rank, "memory_rank", "rank of the type by memory accesses, from 1")
      .count(row.candidate, "candidate", "1 for types that are offered to PIM, otherwise 0");
  return table;
}

RowTable<TimelineRow> timeline_table() {
  RowTable<TimelineRow> table(
      "timeline",
      "a row for each interval in which a part of an operation has a constant number of units, if recorded");
  const TimelineRow& row = table.layout();
  table.count(row.step, "step", "number of the step, from 0")
      .text(row.operation, "operation", "name of the operation in the training graph")
      .in_timeline(TimelineRole::name)
      .text(row.type, "type", "type of the operation in TensorFlow")
      .text(row.device, "device", "device that runs the part of the operation")
      .in_timeline(TimelineRole::group)
      .count(row.units, "units", "pairs that the operation has; 1 on other devices")
      .in_timeline(TimelineRole::held)
      .quantity(row.start, "start", "s", "start of the interval, since the start of the first step")
      .in_timeline(TimelineRole::start)
      .quantity(row.end, "end", "s", "end of the interval, since the start of the first step")
      .in_timeline(TimelineRole::end)
      .quantity(row.bytes, "bytes", "B",
                "bytes that the operation moves from and to memory, by the interval's share of time")
      .in_timeline(TimelineRole::moved)
      .count(row.task, "task", "number of the operation, counted over all steps")
      .in_timeline(TimelineRole::task)
      .text(row.after, "after", "numbers of the operations that the operation waits for")
      .in_timeline(TimelineRole::after);
  return table;
}

RowTable<BankRow> bank_table() {
  RowTable<BankRow> table("banks", "policies with pairs: a row for each bank of the stack");
  const BankRow& row = table.layout();
  table.count(row.bank, "bank", "bank, counted row by row over the logic die")
      .count(row.at_edge, "at_edge", "1 for banks at edges and corners of the die, otherwise 0")
      .count(row.pairs, "pairs", "pairs of multiplier and adder below the bank");
  return table;
}

RowTable<ConvolutionRow> convolution_table() {
  RowTable<ConvolutionRow> table("convolutions",
                                 "policy gpu: a row for each convolution and each gradient of one, with the column "
                                 "names of the measured sheets");
  const ConvolutionRow& row = table.layout();
  table.count(row.shape.width, "W", "width of the convolution's input")
      .count(row.shape.height, "H", "height of the convolution's input")
      .count(row.shape.channels, "C", "channels of the convolution's input")
      .count(row.shape.batch, "N", "images of the batch")
      .count(row.shape.filters, "K", "filters of the convolution")
      .count(row.shape.filter_height, "filter_h", "height of a filter")
      .count(row.shape.filter_width, "filter_w", "width of a filter")
      .count(row.shape.stride_height, "stride_h", "vertical stride of the convolution window")
      .count(row.shape.stride_width, "stride_w", "horizontal stride of the convolution window")
      .choice(row.pass, "pass", pass_words, "pass of training: forward, or gradients of inputs or weights")
      .quantity(row.work, "work", "1", "multiplications and additions by the definition of a convolution")
      .quantity(row.kernel_time, "kernel_time", "s", "time of the kernel on the GPU, with the launch");
  return table;
}

/// Metrics of the profile, and rows of table "by_type".
std::vector<TypeRow> profile_rows(const std::vector<TypeProfile>& profile, Result& result) {
  double bytes = 0;
  double program = 0;
  for (const TypeProfile& type : profile) {
    result.profile_time += type.seconds;
    bytes += type.memory_bytes;
    program += type.program_seconds;
    if (!type.candidate) continue;
    result.candidate_time += type.seconds;
    ++result.candidate_types;
  }
  result.program_share = program / result.profile_time;
  std::vector<TypeRow> rows;
  rows.reserve(profile.size());
  for (const TypeProfile& type : profile) {
    rows.push_back({.type = name_of(type.type),
                    .invocations = type.invocations,
                    .time_share = type.seconds / result.profile_time,
                    .memory_share = bytes > 0 ? type.memory_bytes / bytes : 0,
                    .time_rank = type.time_index,
                    .memory_rank = type.memory_index,
                    .candidate = type.candidate});
  }
  return rows;
}

void fill_time_and_energy(const Settings& settings, const Outcome& outcome, Result& r) {
  const auto batch = static_cast<double>(settings.model.batch);
  const double energy = outcome.energy.total();
  const double dynamic = outcome.energy.dynamic();
  r.time = outcome.time;
  r.operation_time = outcome.operation;
  r.movement_time = outcome.movement;
  r.synchronization_time = outcome.synchronization;
  r.overhead_time = outcome.movement + outcome.synchronization;
  r.time_per_sample = outcome.time / batch;
  r.energy_per_sample = energy / batch;
  r.energy = energy;
  r.dynamic_energy = dynamic;
  r.parts = outcome.energy;
  r.power = energy / outcome.time;
  r.dynamic_power = dynamic / outcome.time;
  r.edp = dynamic * outcome.time;
}

void fill_graph(const TrainingGraph& graph, Result& r) {
  for (const workload::training::TrainingOperation& operation : graph.operations()) {
    if (kind_of(operation) != runtime::TaskKind::none) ++r.operations;
  }
  const workload::training::Work work = graph.work();
  r.work = work.multiplications + work.additions;
  r.rate = static_cast<double>(r.work) / r.time;
  r.parameters = graph.parameters();
}

void fill_partner(const CoRun& run, Result& r) {
  r.partner_steps = run.steps;
  r.partner_time = run.partner_time;
  r.together_time = run.together_time;
  r.one_by_one_time = run.one_by_one_time;
  r.corun_speedup = run.one_by_one_time / run.together_time;
}

/// The smallest share of the pairs that a convolution, or a gradient of one, can use at a time.
std::optional<double> min_pair_share(const TrainingGraph& graph, const Plan& plan) {
  if (plan.runtime.pairs == 0) return std::nullopt;
  std::optional<double> smallest;
  for (workload::training::OperationIndex i = 0; i < graph.size(); ++i) {
    if (workload::training::convolution_role(graph.at(i).type) == workload::training::ConvolutionRole::none) {
      continue;
    }
    const double share = static_cast<double>(plan.costs.graph.tasks[i].pairs) / plan.runtime.pairs;
    smallest = std::min(smallest.value_or(share), share);
  }
  return smallest;
}

Result result_of(const Settings& settings, const TrainingGraph& graph, const Outcome& outcome) {
  Result r;
  fill_time_and_energy(settings, outcome, r);
  fill_graph(graph, r);
  r.pairs = outcome.plan.runtime.pairs;
  r.min_pair_share = min_pair_share(graph, outcome.plan);
  r.utilization = outcome.utilization;
  r.launches = static_cast<double>(outcome.execution.launches) / settings.steps;
  if (outcome.bounds) {
    r.critical_path = outcome.bounds->critical_path;
    r.work_bound = outcome.bounds->work;
  }
  if (outcome.plan.gpu) {
    r.card_footprint = outcome.plan.gpu->copies.max_footprint;
    r.card_utilization = outcome.operation / outcome.time;
  }
  if (outcome.partner) fill_partner(*outcome.partner, r);
  if (outcome.plan.parts) r.silicon = devices::estimate_silicon(*outcome.plan.parts, settings.silicon);
  return r;
}

/// For each operation of each step, those that it waits for: in its step, and in the step before.
std::vector<std::string> awaited_operations(const Outcome& outcome) {
  const runtime::TaskGraph& graph = outcome.plan.costs.graph;
  const std::uint32_t steps = static_cast<std::uint32_t>(outcome.execution.step_ends.size());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t step = 0; step < steps; ++step) {
    const std::uint32_t first = step * graph.size();
    for (std::uint32_t task = 0; task < graph.size(); ++task) {
      for (const std::uint32_t next : graph.after(task)) edges.emplace_back(first + task, first + next);
      if (step + 1 == steps) continue;
      for (const std::uint32_t next : graph.after_in_next_step(task))
        edges.emplace_back(first + task, first + graph.size() + next);
    }
  }
  return awaited_tasks(std::move(edges), std::size_t{steps} * graph.size(), [&](std::size_t task) {
    return graph.tasks[task % graph.size()].kind != runtime::TaskKind::none;
  });
}

/// For each operation of each step, bytes from and to memory in a second of its intervals, as the energy counts them.
std::vector<double> byte_rates(const Outcome& outcome) {
  const runtime::Execution& execution = outcome.execution;
  const StepCosts& costs = outcome.plan.costs;
  std::vector<double> seconds(execution.step_ends.size() * costs.graph.size(), 0);
  for (const runtime::Segment& segment : execution.timeline) {
    seconds[std::size_t{segment.step} * costs.graph.size() + segment.task] += segment.end - segment.start;
  }
  std::vector<double> rates(seconds.size(), 0);
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const std::size_t task = i % costs.graph.size();
    const bool on_host = execution.placements[i] == runtime::Device::host;
    if (seconds[i] > 0) rates[i] = (on_host ? costs.host_bytes : costs.tensor_bytes)[task] / seconds[i];
  }
  return rates;
}

}  // namespace

Records::Records(Schema& schema)
    : by_type_(type_table()), timeline_(timeline_table()), banks_(bank_table()), convolutions_(convolution_table()) {
  const Result& r = metrics_.layout();
  add_times(metrics_, r);
  add_energies(metrics_, r);
  add_machine(metrics_, r);
  add_profile(metrics_, r);
  add_partner(metrics_, r);
  devices::add_silicon_metrics(metrics_, r.silicon, "host processor and, with PIM, its logic die, without memory",
                               "policies gpu and neurocube, or no silicon in the hardware file");
  schema.metrics = metrics_.columns();
  by_type_.attach(schema);
  timeline_.attach(schema);
  banks_.attach(schema);
  convolutions_.attach(schema);
}

void Records::write_timeline(const TrainingGraph& graph, const Outcome& outcome, Record& record) const {
  if (outcome.execution.timeline.empty()) return;
  const std::vector<std::string> awaited = awaited_operations(outcome);
  const std::vector<double> bytes = byte_rates(outcome);
  const auto name = [&](runtime::Device device) -> std::string_view {
    if (device == runtime::Device::host) return "host";
    return device == runtime::Device::pairs ? "pairs" : outcome.plan.accelerator.name;
  };
  for (const runtime::Segment& segment : outcome.execution.timeline) {
    const std::size_t number = std::size_t{segment.step} * graph.size() + segment.task;
    timeline_.add({.step = segment.step,
                   .operation = graph.name(segment.task),
                   .type = name_of(graph.at(segment.task).type),
                   .device = name(segment.device),
                   .units = segment.units,
                   .start = segment.start,
                   .end = segment.end,
                   .bytes = bytes[number] * (segment.end - segment.start),
                   .task = static_cast<std::int64_t>(number),
                   .after = awaited[number]},
                  record);
  }
}

void Records::write(const Settings& settings, const TrainingGraph& graph, const Outcome& outcome,
                    Record& record) const {
  Result result = result_of(settings, graph, outcome);
  for (const TypeRow& row : profile_rows(outcome.plan.profile, result)) by_type_.add(row, record);
  metrics_.write(result, record);
  write_timeline(graph, outcome, record);
  if (result.pairs > 0) {
    const Stack& stack = settings.machine.stack;
    const auto placed = hardware::hmc_logic::place_units(stack.grid, result.pairs, stack.edge_bonus);
    for (std::int64_t bank = 0; bank < stack.grid.banks(); ++bank) {
      banks_.add({bank, stack.grid.at_edge(bank), placed[static_cast<std::size_t>(bank)]}, record);
    }
  }
  if (outcome.plan.gpu) {
    for (const GpuConvolution& one : outcome.plan.gpu->convolutions) {
      convolutions_.add({one.shape, one.pass, one.shape.operations(), one.seconds}, record);
    }
  }
  record.status = Status::ok;
}

}  // namespace pimsweep::systems::heteropim
