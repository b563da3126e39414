#include "systems/heteropim/record_writer.h"

#include "hardware/hmc_logic/placement.h"
#include "systems/heteropim/operation_class.h"
#include "systems/record_builder.h"

namespace pimsweep::systems::heteropim {

namespace {

void write_profile(const Outcome& outcome, RecordBuilder& record) {
  double seconds = 0;
  double bytes = 0;
  for (const TypeProfile& type : outcome.profile) {
    seconds += type.seconds;
    bytes += type.memory_bytes;
  }
  double program = 0;
  double candidates = 0;
  double types = 0;
  for (const TypeProfile& type : outcome.profile) {
    record.add("by_type", {std::string(workload::training::name_of(type.type)), type.invocations,
                           type.seconds / seconds, bytes > 0 ? type.memory_bytes / bytes : 0, type.time_index,
                           type.memory_index, std::int64_t{type.candidate}});
    program += type.program_seconds;
    if (!type.candidate) continue;
    candidates += type.seconds;
    ++types;
  }
  record.set("profile_time", seconds);
  record.set("program_share", program / seconds);
  record.set("candidate_types", types);
  record.set("candidate_time", candidates);
}

void write_timeline(const Settings& settings, const workload::training::TrainingGraph& graph, const Outcome& outcome,
                    RecordBuilder& record) {
  for (const runtime::Segment& segment : outcome.execution.timeline) {
    record.add("timeline", {std::int64_t{segment.step}, graph.name(segment.task),
                            std::string(workload::training::name_of(graph.at(segment.task).type)),
                            std::string(device_name(*settings.policy, segment.device)), std::int64_t{segment.units},
                            segment.begin, segment.end});
  }
}

void write_banks(const Settings& settings, const Outcome& outcome, RecordBuilder& record) {
  if (outcome.pairs == 0) return;
  const Stack& stack = settings.machine.stack;
  const hardware::hmc_logic::BankGrid grid{.columns = static_cast<std::int64_t>(stack.banks_across),
                                           .rows = static_cast<std::int64_t>(stack.banks_along)};
  const std::vector<std::int64_t> placed = hardware::hmc_logic::place_units(grid, outcome.pairs, stack.edge_bonus);
  for (std::int64_t bank = 0; bank < grid.banks(); ++bank) {
    record.add("banks", {bank, std::int64_t{grid.at_edge(bank)}, placed[static_cast<std::size_t>(bank)]});
  }
}

std::string_view name_of(hardware::gpu::Pass pass) {
  if (pass == hardware::gpu::Pass::forward) return "forward";
  return pass == hardware::gpu::Pass::backward_inputs ? "backward_inputs" : "backward_weights";
}

void write_convolutions(const Outcome& outcome, RecordBuilder& record) {
  const auto whole = [](double count) { return static_cast<std::int64_t>(count); };
  for (const CardConvolution& one : outcome.convolutions) {
    const hardware::gpu::ConvolutionShape& shape = one.shape;
    record.add("convolutions",
               {whole(shape.width), whole(shape.height), whole(shape.channels), whole(shape.batch),
                whole(shape.filters), whole(shape.filter_height), whole(shape.filter_width), whole(shape.stride_height),
                whole(shape.stride_width), std::string(name_of(one.pass)), shape.operations(), one.seconds});
  }
}

}  // namespace

std::string_view device_name(const runtime::Policy& policy, runtime::Device device) {
  if (device == runtime::Device::host) return "host";
  if (device == runtime::Device::pairs) return "pairs";
  if (policy.kind == runtime::Policy::Kind::gpu) return "card";
  return policy.kind == runtime::Policy::Kind::neurocube ? "neurocube" : "programmable";
}

void write_record(const Settings& settings, const workload::training::TrainingGraph& graph, const Outcome& outcome,
                  const Schema& schema, Record& out) {
  RecordBuilder record(schema, out);
  record.set("time", outcome.time);
  record.set("operation_time", outcome.operation);
  record.set("movement_time", outcome.movement);
  record.set("synchronisation_time", outcome.synchronisation);
  record.set("overhead_time", outcome.movement + outcome.synchronisation);
  const StepEnergy& energy = outcome.energy;
  record.set("energy", energy.total());
  record.set("time_per_image", outcome.time / static_cast<double>(settings.batch));
  record.set("energy_per_image", energy.total() / static_cast<double>(settings.batch));
  record.set("dynamic_energy", energy.dynamic());
  record.set("host_energy", energy.host);
  record.set("programmable_energy", energy.programmable);
  record.set("pair_energy", energy.pairs);
  record.set("memory_energy", energy.memory);
  record.set("gpu_energy", energy.gpu);
  record.set("power", energy.total() / outcome.time);
  record.set("dynamic_power", energy.dynamic() / outcome.time);
  record.set("edp", energy.dynamic() * outcome.time);
  record.set("pairs", static_cast<double>(outcome.pairs));
  record.set("pair_utilisation", outcome.pair_utilisation);
  record.set("host_utilisation", outcome.host_utilisation);
  record.set("programmable_utilisation", outcome.programmable_utilisation);
  record.set("launches", static_cast<double>(outcome.execution.launches) / settings.steps);
  if (settings.policy->schedules()) {
    record.set("critical_path", outcome.critical_path);
    record.set("work_bound", outcome.work_bound);
  }
  double operations = 0;
  for (const workload::training::TrainingOperation& operation : graph.operations()) {
    if (kind_of(operation) != runtime::TaskKind::none) ++operations;
  }
  const workload::training::Work work = graph.work();
  const auto simple = static_cast<double>(work.multiplications + work.additions);
  record.set("operations", operations);
  record.set("work", simple);
  record.set("rate", simple / outcome.time);
  record.set("parameters", static_cast<double>(graph.parameters()));
  if (settings.policy->kind == runtime::Policy::Kind::gpu) {
    record.set("card_footprint", outcome.copies.largest_footprint);
    record.set("card_utilisation", outcome.operation / outcome.time);
  }
  if (!settings.partner.empty()) {
    record.set("partner_steps", static_cast<double>(outcome.partner_steps));
    record.set("partner_time", outcome.partner_time);
    record.set("together_time", outcome.together);
    record.set("one_by_one_time", outcome.one_by_one);
    record.set("corun_speedup", outcome.one_by_one / outcome.together);
  }
  write_profile(outcome, record);
  write_timeline(settings, graph, outcome, record);
  write_banks(settings, outcome, record);
  write_convolutions(outcome, record);
  out.status = Status::ok;
}

}  // namespace pimsweep::systems::heteropim
